"""Install a connector into a scratch home, with a witness before its server and one around the launcher."""

import json
import os
import shutil
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent_connector.connector.interpolation import references
from agent_connector.connector.load import Loaded
from agent_connector.connector.manifest import server_fields
from agent_connector.connector.model import ConnectorModel, Server
from agent_connector.deploy import install as deploying
from agent_connector.deploy.surfaces import Options
from agent_connector.home import paths
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.rehearse import witness
from agent_connector.rehearse.evidence import LAUNCHER_FOLDER, SERVER_LOG
from agent_connector.rehearse.findings import Finding
from agent_connector.rehearse.scratch import Scratch

_TEMPLATE = Path(__file__).parent / "templates" / "launcher.sh"
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
REAL = ".real"  # what the launcher itself is called while it is watched


@dataclass(frozen=True, slots=True)
class Installed:
    """A connector in a scratch home. `surfaces` are those that the host took."""

    model: ConnectorModel
    surfaces: tuple[str, ...]
    findings: tuple[Finding, ...]
    steps: tuple[tuple[str, str], ...]  # (surface, text)
    notes: tuple[tuple[str, str], ...]


def install(loaded: Loaded, host: str, scope: str, place: Scratch, *, trust: bool = False) -> Installed:
    """The real install, into `place`."""
    model, notes = watched_server(loaded.model, place)
    root = paths.data_root(place.environment, place.home)
    outcome = deploying.install(
        replace(loaded, model=model),
        machine=machine(place, scope),
        root=root,
        hosts=[host],
        scope=scope,
        options=Options(trust=trust),
    )
    refused = [change for change in outcome.report.changes if change.op == "!"]
    taken = {change.surface for change in outcome.report.changes if change.op in "+~="}
    findings = [Finding(f"install {change.surface}", "failed", f"{change.file}: {change.note}") for change in refused]
    if not refused:
        findings = [Finding("install", "ok", ", ".join(s for s in query.SURFACES if s in taken) or "nothing")]
    launcher = paths.launcher_path(place.home)
    if sys.platform == "win32":
        notes.append(("hooks", "the launcher is a program on Windows and cannot be watched: hooks are not seen"))
    elif os.path.exists(launcher):
        watch_launcher(launcher, place.records)
    said = [remark for remark in outcome.remarks if remark.kind in ("skip", "note")]
    notes += [(remark.surface, remark.text) for remark in said]
    steps = tuple((remark.surface, remark.text) for remark in outcome.remarks if remark.kind == "step")
    return Installed(model, tuple(s for s in query.SURFACES if s in taken), tuple(findings), steps, tuple(notes))


def machine(place: Scratch, scope: str) -> Machine:
    """The scratch home as the hosts' rules look at it."""
    return Machine(
        home=place.home,
        platform=sys.platform,
        variables=place.environment,
        project=place.project if scope == "project" else None,
        exists=os.path.exists,
        which=lambda name: shutil.which(name, path=place.environment.get("PATH")),
    )


def watched_server(model: ConnectorModel, place: Scratch) -> tuple[ConnectorModel, list[tuple[str, str]]]:
    """`model` with the witness in front of its server; a server elsewhere is left out, for nothing leaves the machine."""
    server = model.server
    if server is None:
        return model, []
    if server.transport != "stdio":
        if urlsplit(server.url).hostname in _LOOPBACK:
            return model, [("server", "not started by the host: what reaches it cannot be seen")]
        return replace(model, server=None), [("server", f"left out, since it is elsewhere: {server.url}")]
    log = os.path.join(place.records, SERVER_LOG)
    args = ("-I", witness.__file__, log, "--", server.command, *server.args)
    return replace(model, server=replace(server, command=sys.executable, args=args)), []


def dummies(server: Server | None, variables: Mapping[str, str]) -> dict[str, str]:
    """A stand-in value for every variable that the server refers to and nobody hands over."""
    wanted = references(server_fields(server)) if server else ()
    return {name: "rehearsal" for name, default in wanted if default is None and name not in variables}


def watch_launcher(launcher: str, records: str) -> None:
    """Put a script in the launcher's place that writes down every hook call below `records` and runs the launcher."""
    folder = os.path.join(records, LAUNCHER_FOLDER)
    os.makedirs(folder, exist_ok=True)
    os.rename(launcher, launcher + REAL)
    script = _TEMPLATE.read_text(encoding="utf-8").replace("@REAL@", launcher + REAL).replace("@LOG@", folder)
    Path(launcher).write_text(script, encoding="utf-8", newline="\n")
    os.chmod(launcher, stat.S_IRWXU)


def rows(root: str) -> list[Mapping[str, Any]]:
    """The telemetry rows of a scratch home, as they were appended."""
    found: list[Mapping[str, Any]] = []
    for segment in sorted(Path(paths.segments_folder(root)).glob("*.jsonl")):
        found += [json.loads(line) for line in segment.read_text(encoding="utf-8").splitlines() if line]
    return found
