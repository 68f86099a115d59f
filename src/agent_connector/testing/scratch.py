"""A person's home that is thrown away: hosts that seem to be there, real installs, and hooks run as hosts run them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from agent_connector.connector.load import Loaded
from agent_connector.deploy import surfaces
from agent_connector.deploy.change import Change
from agent_connector.deploy.detect import ENOUGH
from agent_connector.deploy.identity import is_ours
from agent_connector.deploy.install import Outcome, install
from agent_connector.deploy.simulate import sample
from agent_connector.deploy.surfaces import Options
from agent_connector.deploy.uninstall import uninstall
from agent_connector.documents.formats import FORMATS
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Whole
from agent_connector.testing.authors import Declared, loaded

LIMIT = 60.0  # seconds that a hook may take
_STRUCTURED = {"json": "json5", "jsonc": "json5", "toml": "toml", "yaml": "yaml", "yml": "yaml"}
_PASSED_ON = ("PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT", "LANG")


@dataclass(frozen=True, slots=True)
class Fired:
    """What a host gets back from a hook's command. `command` is what was run."""

    command: str | list[str]
    output: str
    exit_code: int
    stderr: str

    @property
    def reply(self) -> dict[str, Any]:
        """`output` as JSON; {} where the hook said nothing."""
        value: dict[str, Any] = json.loads(self.output) if self.output.strip() else {}
        return value


@dataclass(slots=True)
class ScratchHome:
    """`folder` is the home, `project` a project's folder in it; nothing outside is read or written."""

    folder: str
    _installed: list[tuple[Loaded, str]] = field(default_factory=list[tuple[Loaded, str]])

    @property
    def project(self) -> str:
        return os.path.join(self.folder, "project")

    @property
    def root(self) -> str:
        """Our own home in it."""
        return paths.data_root({}, self.folder)

    @property
    def variables(self) -> dict[str, str]:
        """The environment that hosts have here."""
        kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        return {**kept, "HOME": self.folder, "USERPROFILE": self.folder}

    def machine(self, scope: str = "user") -> Machine:
        """This home as hosts' rules look at it; no program is on its PATH."""
        project = self.project if scope == "project" else None
        return Machine(self.folder, sys.platform, self.variables, project, os.path.exists)

    def has(self, *hosts: str) -> "ScratchHome":
        """Leaves what each host leaves in a home, so that `detect` and `install` find it."""
        for host in hosts:
            self._leave(query.known(host))
        return self

    def _leave(self, host: str) -> None:
        looked: list[str] = []

        def look(path: str) -> bool:
            looked.append(path)
            return os.path.exists(path)

        machine = self.machine()
        query.places(host).installed(
            Machine(machine.home, machine.platform, machine.variables, None, look, machine.which)
        )
        below = [path for path in looked if path.startswith(self.folder)]
        for path in sorted(below, key=lambda path: (_is_file(path), len(path))):
            evidence = query.places(host).installed(machine)
            if evidence is not None and evidence["confidence"] >= ENOUGH:
                return
            if not os.path.exists(path):
                self._make(path)

    def _make(self, path: str) -> None:
        """A folder, or for a name with an ending an empty file."""
        if _is_file(path):
            self.write(os.path.relpath(path, self.folder), "")
        else:
            os.makedirs(path)

    def write(self, name: str, text: str) -> str:
        """A file of the person's, by its path below the home; gives the whole path."""
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        return path

    def read(self, name: str) -> str:
        with open(os.path.join(self.folder, name), encoding="utf-8", newline="") as stream:
            return stream.read()

    def files(self) -> dict[str, bytes]:
        """Every file of the person, by its path below the home; our own home is left out."""
        found: dict[str, bytes] = {}
        for place, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if os.path.join(place, name) != self.root]
            for name in names:
                path = os.path.join(place, name)
                with open(path, "rb") as stream:
                    found[os.path.relpath(path, self.folder).replace(os.sep, "/")] = stream.read()
        return found

    def install(self, connector: Declared, *hosts: str, scope: str = "user", options: Options | None = None) -> Outcome:
        """Installs into `hosts` (none: those that are here), as the command would."""
        found = loaded(connector)
        outcome = install(
            found,
            machine=self.machine(scope),
            root=self.root,
            hosts=hosts or None,
            scope=scope,
            options=options,
        )
        self._installed.append((found, scope))
        return outcome

    def uninstall(self, connector: Declared) -> None:
        """Takes it out of every host and scope; AssertionError names what was left."""
        id = loaded(connector).model.id
        report = uninstall(machine=self.machine(), root=self.root, connector=id).report
        left = [f"{change.file}: {change.note}" for change in report.changes if change.op == "!"]
        assert not left, "left behind: " + "; ".join(left)
        self._installed = [pair for pair in self._installed if pair[0].model.id != id]

    def fire(
        self,
        host: str,
        event: str,
        payload: Mapping[str, Any] | None = None,
        *,
        connector: Declared | None = None,
        tool: str | None = None,
        **given: Any,
    ) -> Fired:
        """Runs the command that stands in the host's files for `event`, with a payload as the host sends it.

        `connector` is the one that was installed last, unless it is named. For a host whose hooks are a module in its
        own language, what that module would start is run. AssertionError: nothing is registered for the event.
        """
        assert self._installed, "nothing is installed in this home"
        id = loaded(connector).model.id if connector else self._installed[-1][0].model.id
        found, scope = next(pair for pair in reversed(self._installed) if pair[0].model.id == id)
        host_event, raw = sample(found, host, event, tool=tool, given=given, payload=payload)
        command = self._registered(found, host, scope, host_event)
        assert command, f"nothing of {id} is registered for {event} in {host}"
        return self._run(command, raw)

    def _registered(self, found: Loaded, host: str, scope: str, host_event: str) -> str | list[str] | None:
        launcher = paths.launcher_path(self.folder, sys.platform)
        place = surfaces.Place(found.model, host, scope, self.machine(scope), launcher)
        own = surfaces.hook_command(place, host_event)
        modules = [node.file for node in surfaces.hooks(place, ("hooks",)) if isinstance(node, Whole)]
        for path in (*_below(place.files.get("hooks", "")), *filter(os.path.isfile, modules)):
            text, ending = _text(path), path.rpartition(".")[2]
            if form := _STRUCTURED.get(ending):
                said = list(_strings(FORMATS[form].load(text)))
                wrapped = (one for one in said if own in one)  # by a shell that the host does not start itself
                if found_here := own if own in said else next(wrapped, None):
                    return found_here
            elif is_ours(text, found.model.id):  # a script of the event's name is run itself; else a module starts ours
                return [path] if os.path.splitext(os.path.basename(path))[0] == host_event else own
        return None

    def _run(self, command: str | list[str], raw: Mapping[str, Any]) -> Fired:
        done = subprocess.run(
            command,
            shell=isinstance(command, str),
            input=json.dumps(raw).encode(),
            capture_output=True,
            cwd=self.project,
            env=self.variables,
            timeout=LIMIT,
            check=False,
        )
        texts = [data.decode("utf-8", "replace") for data in (done.stdout, done.stderr)]
        return Fired(command, texts[0], done.returncode, texts[1])


def refused(outcome: Outcome) -> list[Change]:
    """What the install refused or left with a warning."""
    return [change for change in outcome.report.changes if change.op == "!"]


def scratch_home(folder: str, prepared: str | None = None) -> ScratchHome:
    """A home in `folder`. `prepared` is another one's `.agent-connector`: what is the same in all is copied."""
    os.makedirs(os.path.join(folder, "project"))
    if prepared:
        shutil.copytree(prepared, paths.data_root({}, folder), symlinks=True)
    return ScratchHome(os.path.realpath(folder))


def _is_file(path: str) -> bool:
    """True for a name with an ending; `.codex` is a folder's."""
    return bool(os.path.splitext(os.path.basename(path))[1])


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace", newline="") as stream:
        return stream.read()


def _below(path: str) -> list[str]:
    """The file itself, or every file in a folder."""
    if os.path.isfile(path):
        return [path]
    return sorted(os.path.join(place, name) for place, _, names in os.walk(path) for name in names)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in cast("Mapping[Any, Any]", value).values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _strings(inner)
