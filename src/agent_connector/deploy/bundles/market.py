"""`install --method marketplace`: a bundle goes into a host by the host's own commands, out of a catalog in our home.

A connector is in a host by one method only: two would register it twice. What the host's program is not here for is
said as the exact commands. What was done is remembered, and `uninstall` undoes it by the host's own commands.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from agent_connector.connector.load import Loaded
from agent_connector.deploy.bundles import build
from agent_connector.deploy.bundles.package import write
from agent_connector.errors import DeployError
from agent_connector.home import ledger, paths, private, progress
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine

PATIENCE = 300.0  # seconds for one command of a host
_SAID = 2000  # characters of what a failing command said


@dataclass(frozen=True, slots=True)
class Step:
    """One host: the commands, and what came of them: "done", "failed" (with what was said), "to do" (no program here).

    `notes` say what of the connector is not in the host's bundle.
    """

    host: str
    commands: Sequence[Sequence[str]]
    outcome: str
    said: str = ""
    notes: tuple[str, ...] = ()


def able() -> tuple[str, ...]:
    """The hosts whose own commands install a bundle."""
    return tuple(host for host in query.hosts() if getattr(query.facet(host, "bundle"), "INSTALL", None))


def installed(root: str, connector: str) -> tuple[str, ...]:
    """The hosts into which the connector went by their own commands."""
    return tuple(_read(root, connector))


def connectors(root: str) -> tuple[str, ...]:
    """The connectors that went into any host by its own commands."""
    try:
        names = os.listdir(os.path.dirname(paths.bundles_folder(root, "x")))
    except OSError:
        return ()
    return tuple(name for name in names if installed(root, name))


def refuse_both(root: str, connector: str, hosts: Sequence[str]) -> None:
    """Raises DeployError when the connector is in one of `hosts` by its own commands: files would double it."""
    both = [host for host in installed(root, connector) if host in hosts]
    if both:
        raise DeployError(
            f"{connector} is in {', '.join(both)} by the host's own commands already",
            remedy=f"Take it out first: agent-connector uninstall -c {connector} -t {','.join(both)}",
        )


def install(loaded: Loaded, hosts: Sequence[str], machine: Machine, root: str, *, dry: bool = False) -> list[Step]:
    """Build the bundle of each host, list it in a catalog, and run the host's commands. `dry` runs nothing."""
    model = loaded.model
    known = ledger.load(root)
    by_files = [host for host in hosts if any(True for _ in known.rows(model.id, host))]
    if by_files:
        raise DeployError(
            f"{model.id} is in {', '.join(by_files)} by files already",
            remedy=f"Take it out first: agent-connector uninstall -c {model.id} -t {','.join(by_files)}",
        )
    steps: list[Step] = []
    for host in hosts:
        facet = query.facet(host, "bundle")
        if not getattr(facet, "INSTALL", None):
            raise DeployError(
                f"{host} has no command that installs a bundle", remedy="These have one: " + ", ".join(able())
            )
        commands = _filled(facet.INSTALL, facet, root, model.id)
        try:
            parcel = build.build(loaded, facet.FORMAT, host, here=True)
        except build.EmptyBundle as error:  # the other hosts go on
            steps.append(Step(host, (), "failed", f"{error.what}: {error.remedy}"))
            continue
        if not dry:
            _prepare(loaded, parcel, facet, root)
        step = replace(_run(host, commands, machine, dry), notes=parcel.notes)
        steps.append(step)
        if step.outcome == "done":
            _write(root, model.id, {**_read(root, model.id), host: facet.FORMAT})
    return steps


def uninstall(
    connector: str, hosts: Sequence[str] | None, machine: Machine, root: str, *, dry: bool = False
) -> list[Step]:
    """Undo what `install` did in `hosts` (None: all), by the hosts' own commands."""
    steps: list[Step] = []
    for host in [host for host in installed(root, connector) if hosts is None or host in hosts]:
        facet = query.facet(host, "bundle")
        step = _run(host, _filled(getattr(facet, "REMOVE", ()), facet, root, connector), machine, dry)
        steps.append(step)
        if step.outcome == "done":
            left = {name: form for name, form in _read(root, connector).items() if name != host}
            _write(root, connector, left)
            if not left:
                shutil.rmtree(_folder(root, connector), ignore_errors=True)
    return steps


def _prepare(loaded: Loaded, parcel: build.Parcel, facet: Any, root: str) -> None:
    """The bundle, and beside it the catalog that the host reads."""
    model = loaded.model
    folder = _catalog(root, model.id, facet)
    shutil.rmtree(folder, ignore_errors=True)
    write(loaded, parcel, os.path.join(folder, model.id))
    catalog: str | None = getattr(facet, "CATALOG", None)
    if catalog:
        listed = facet.catalog(_market(model.id), build.about(model), f"./{model.id}")
        path = os.path.join(folder, *catalog.split("/"))
        private.make_folder(os.path.dirname(path))
        private.write(path, json.dumps(listed, indent=2, ensure_ascii=False) + "\n")


def _run(host: str, commands: Sequence[Sequence[str]], machine: Machine, dry: bool) -> Step:
    if not commands:
        return Step(host, commands, "to do", getattr(query.facet(host, "bundle"), "KEPT", "it has no command for this"))
    if dry or machine.which(commands[0][0]) is None:
        return Step(host, commands, "to do", "" if dry else f"{commands[0][0]} is not on the PATH")
    asks: str = getattr(query.facet(host, "bundle"), "ASKS", "")
    if asks and not sys.stdin.isatty():
        return Step(host, commands, "to do", asks)
    for command in commands:
        shown: Any = {} if asks else {"stdin": subprocess.DEVNULL, "capture_output": True}
        try:
            with progress.during(f"running {' '.join(command[:4])}"):
                done = subprocess.run(command, text=True, timeout=PATIENCE, check=False, **shown)
        except (OSError, subprocess.TimeoutExpired) as error:
            return Step(host, commands, "failed", str(error))
        if done.returncode:
            said = ((done.stderr or "").strip() or (done.stdout or "").strip())[-_SAID:]
            return Step(host, commands, "failed", f"`{' '.join(command)}` ended with {done.returncode}: {said}")
    return Step(host, commands, "done")


def _filled(lines: Sequence[Sequence[str]], facet: Any, root: str, connector: str) -> list[list[str]]:
    folder = _catalog(root, connector, facet)
    words = {
        "folder": folder,
        "bundle": os.path.join(folder, connector),
        "name": connector,
        "market": _market(connector),
    }
    return [[word.format(**words) for word in line] for line in lines]


def _market(connector: str) -> str:
    return f"{connector}-local"


def _catalog(root: str, connector: str, facet: Any) -> str:
    """The folder of the catalog and the bundle. Some hosts call a catalog what its folder is called."""
    return os.path.join(_folder(root, connector), facet.FORMAT, _market(connector))


def _folder(root: str, connector: str) -> str:
    return paths.bundles_folder(root, connector)


def _record(root: str, connector: str) -> str:
    return os.path.join(_folder(root, connector), "installed.json")


def _read(root: str, connector: str) -> Mapping[str, str]:
    """Host -> format; {} when there is nothing, or nothing that can be read."""
    data = private.read(_record(root, connector))
    try:
        value: Any = json.loads(data) if data is not None else {}
    except ValueError:
        return {}
    table = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return {host: form for host, form in table.items() if isinstance(form, str)}


def _write(root: str, connector: str, value: Mapping[str, str]) -> None:
    private.write(_record(root, connector), json.dumps(value, indent=1) + "\n")
