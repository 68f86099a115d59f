"""The launcher at `~/.agent-connector/bin/agent-connector`, and what it points to: this version, ready to run.

`heal` makes all of it as it should be, and is a few stat calls when it is. `problems` only looks.
"""

import os
import platform as machine_platform
import shlex
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from agent_connector.deploy import versions
from agent_connector.deploy.versions import Version
from agent_connector.home import environments, lock, paths, private
from agent_connector.home.links import within
from agent_connector.hosts import query
from agent_connector.runtime.launchers import windows
from agent_connector.version import __version__

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STANDARD = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class Healed:
    """`written` names what was missing or different: package, python, tools, needs, current, launcher."""

    launcher: str
    version: str
    written: tuple[str, ...]


def heal(home: str, root: str, *, variables: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Healed:
    """This version is in our home and in use, run by interpreters that are there, and the launcher starts it."""
    with lock.held(root):
        written = list(versions.put(root, this_version()))
        if versions.use(root, __version__):
            written.append("current")
        launcher = paths.launcher_path(home, platform)
        if _put(launcher, rendered(root, variables, platform), platform):
            written.append("launcher")
    return Healed(launcher, __version__, tuple(written))


def this_version() -> Version:
    """The running package: hooks get its base interpreter, the command line the running one."""
    return Version(
        __version__, _PACKAGE, environments.base_interpreter(), os.path.abspath(sys.executable), versions.landmarks()
    )


def rendered(root: str, variables: Mapping[str, str], platform: str) -> bytes:
    """The launcher's bytes, with the data root, the PATH of now and the hosts' neutral answers in it."""
    if platform == "win32":
        main = _template("windows_main.py")
        values = {
            '"@ROOT@"': repr(root),
            '"@PATH@"': repr(variables.get("PATH", "")),
            '{"@NEUTRAL@": ""}': repr({of: text for of, text in _neutral().items() if text}),
        }
        for mark, value in values.items():
            main = main.replace(mark, value)
        stub = windows.stub(machine_platform.machine())
        return windows.program(stub, environments.base_interpreter(), main)
    script = _template("agent-connector.sh")
    split = ((*of.partition(" "), text) for of, text in _neutral().items() if text)
    cases = "\n".join(_case(host, event, text) for host, _, event, text in split)
    for mark, value in {
        "    @NEUTRAL@": cases or "    '') ;;",
        "@ROOT@": _quoted(root),
        "@PATH@": _quoted(fallback_path(variables.get("PATH", ""))),
    }.items():
        script = script.replace(mark, value)
    return script.encode("utf-8", "surrogateescape")


def fallback_path(path: str) -> str:
    """The folders of `path` that will be there tomorrow: no temporary ones, not those of our own environment."""
    passing = [os.path.realpath(tempfile.gettempdir())]
    if sys.prefix != sys.base_prefix:
        passing.append(os.path.realpath(sys.prefix))
    kept = [
        folder
        for folder in dict.fromkeys(path.split(os.pathsep))
        if os.path.isabs(folder)
        and os.path.isdir(folder)
        and not any(within(os.path.realpath(folder), place) for place in passing)
    ]
    return os.pathsep.join(kept) or _STANDARD


def problems(home: str, root: str, *, platform: str = sys.platform) -> tuple[str, ...]:
    """What `heal` would mend, and what a person has to: one line each, none when all is well."""
    found: list[str] = []
    launcher = paths.launcher_path(home, platform)
    if not os.path.isfile(launcher):
        found.append(f"the launcher {launcher} is missing: hooks and servers do nothing")
    elif platform != "win32" and not os.access(launcher, os.X_OK):
        found.append(f"the launcher {launcher} may not be executed")
    elif platform != "win32" and _shape(private.read(launcher) or b"") != _shape(rendered(root, {}, platform)):
        found.append(f"the launcher {launcher} is not the one of version {__version__}")
    name = versions.current(root)
    if name is None:
        found.append("no version is in use: hooks do nothing")
    else:
        found += _version_problems(root, name)
    for folder, pin in pins(root):
        if not versions.is_whole(root, pin):
            found.append(f"{folder} is pinned to version {pin}, which is not installed: version {name} is used there")
    return tuple(found)


def pins(root: str) -> tuple[tuple[str, str], ...]:
    """(folder, version) of every pin."""
    data = private.read(paths.pins(root)) or b""
    rows = (line.partition("\t") for line in data.decode("utf-8", "surrogateescape").splitlines())
    return tuple((folder, version) for folder, tab, version in rows if tab and folder)


def _version_problems(root: str, name: str) -> list[str]:
    if not versions.is_whole(root, name):
        return [f"version {name} is in use, but it is not whole: hooks do nothing"]
    found: list[str] = []
    python = versions.first_line(paths.version_python(root, name))
    tools = versions.first_line(paths.version_tools(root, name))
    if not os.access(python, os.X_OK):
        found.append(f"the interpreter for hooks is gone: {python or 'none is named'}")
    else:
        needs = private.read(os.path.join(paths.version_folder(root, name), "needs")) or b""
        lost = [path for path in needs.decode("utf-8", "surrogateescape").splitlines() if not os.path.exists(path)]
        found += [f"the interpreter for hooks cannot start: {path} is gone" for path in lost]
    if not os.access(tools, os.X_OK):
        found.append(f"the interpreter of the command line is gone: {tools or 'none is named'}")
    return found


def _put(launcher: str, data: bytes, platform: str) -> bool:
    """The launcher is there with these bytes, and may be executed; False when it was."""
    if private.read(launcher) == data and (platform == "win32" or os.access(launcher, os.X_OK)):
        return False
    if platform == "win32" and os.path.exists(launcher):
        os.replace(launcher, launcher + ".old")  # a program that runs cannot be overwritten, but it can be renamed
    private.write(launcher, data, private.PROGRAM)
    return True


def _shape(script: bytes) -> list[bytes]:
    """A launcher without the lines that hold the PATH, which differs from one install to the next."""
    return [line for line in script.splitlines() if b"PATH-" not in line and not line.startswith(b"*:")]


def _neutral() -> dict[str, str]:
    """What each host takes for "nothing to say", by "<host> <event>" where it is not the same everywhere, then by host."""
    told: dict[str, str] = {}
    for host, facet in ((host, query.hooks(host)) for host in query.hosts()):
        if facet is not None:
            told |= {f"{host} {event}": text for event, text in getattr(facet, "NEUTRAL_AT", {}).items()}
            told[host] = facet.NEUTRAL
    return told


def _case(host: str, event: str, text: str) -> str:
    """A branch of the launcher's `case "<host> <event>"`."""
    return f"    '{host} '{shlex.quote(event) if event else '*'}) printf %s {shlex.quote(text)} ;;"


def _template(name: str) -> str:
    return resources.files("agent_connector.runtime.launchers").joinpath(name).read_text(encoding="utf-8")


def _quoted(text: str) -> str:
    """Always in quotes: it also stands in a pattern."""
    return "'" + text.replace("'", "'\\''") + "'"
