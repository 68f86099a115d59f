"""Doctor: everything that could be wrong, looked at and said, and nothing mended unasked.

Our home, each connector's code and manifest, every node in the hosts' files, what failed open in hooks, what a
person must still do, and (`probe`) the servers themselves.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent_connector.connector.freeze import slow_matchers
from agent_connector.connector.load import SLOW_IMPORT
from agent_connector.deploy import declaration, launcher, record, versions
from agent_connector.deploy.detect import detect
from agent_connector.deploy.health import Finding, check, steps_of
from agent_connector.deploy.plan import Remark
from agent_connector.deploy.probe import Probed, probe
from agent_connector.deploy.record import Record
from agent_connector.errors import AgentConnectorError
from agent_connector.home import ledger, paths, private
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.runtime import log

Level = Literal["ok", "note", "bad"]
RECENT = 7 * 24 * 3600  # seconds of the log that are looked at


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at. `note` is worth knowing, `bad` is to be mended."""

    level: Level
    about: str
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    lines: tuple[Line, ...]
    findings: tuple[Finding, ...]
    steps: tuple[tuple[str, str, str], ...]  # host, surface, what a person must still do
    probes: tuple[Probed, ...]

    @property
    def failed(self) -> bool:
        return (
            any(line.level == "bad" for line in self.lines)
            or any(finding.word != "ok" for finding in self.findings)
            or any(probed.error for probed in self.probes)
        )


def diagnose(machine: Machine, root: str, *, connectors: Sequence[str] | None = None, live: bool = False) -> Diagnosis:
    """Look at `connectors` (None: every one) and at our own home."""
    known = record.connectors(root)
    chosen = known if connectors is None else tuple(connectors)
    lines = [*_home(machine, root, bool(known)), *_retired(machine)]
    findings: list[Finding] = []
    said: list[Remark] = []
    probes: list[Probed] = []
    for connector in chosen:
        try:
            kept = record.load(root, connector)
            if kept is None:
                lines.append(Line("bad", connector, "it is not installed", "agent-connector install"))
                continue
            found, remarks = check(kept, machine, root)
            lines += _connector(kept, root)
        except AgentConnectorError as error:
            lines += [line for line in [_error(connector, error)] if line.text not in {x.text for x in lines}]
            continue
        findings += found
        said += remarks
        lines += [
            Line("note", f"{connector} in {r.host}", f"{r.surface}: {r.text}") for r in remarks if r.kind == "refused"
        ]
        if live:
            place = paths.launcher_path(machine.home, machine.platform)
            probes.append(probe(kept.loaded(query.nameable()).model, place, machine.variables))
    if connectors is None:
        lines += _left(root, known)
    lines += _log(root, chosen)
    return Diagnosis(tuple(lines), tuple(findings), steps_of(said), tuple(probes))


def _error(about: str, error: AgentConnectorError) -> Line:
    return Line("bad", about, f"{error.where}: {error.what}".lstrip(": "), error.remedy)


def _home(machine: Machine, root: str, used: bool) -> list[Line]:
    if not used and not os.path.exists(paths.versions_folder(root)):
        return [Line("note", "home", "nothing is installed yet", "agent-connector install")]
    heal = "agent-connector upgrade mends it"
    lines = [
        Line("bad", "home", text, heal) for text in launcher.problems(machine.home, root, platform=machine.platform)
    ]
    try:
        pending = ledger.load(root).pending
    except AgentConnectorError as error:
        lines.append(_error("home", error))
    else:
        if pending:
            text = f"{len(pending)} write(s) were cut off; the next install, upgrade or uninstall settles them"
            lines.append(Line("bad", "home", text, heal))
    if not lines:
        lines.append(Line("ok", "home", f"the launcher runs version {_current(root)}"))
    if os.path.exists(paths.telemetry_off(root)):
        lines.append(Line("note", "telemetry", "it is switched off", "agent-connector telemetry on"))
    return lines


def _retired(machine: Machine) -> list[Line]:
    """Hosts that are here and that something else has replaced."""
    return [
        Line("note", found.host, f"replaced by {found.replaced_by}")
        for found in detect(machine)
        if found.sure and found.replaced_by
    ]


def _left(root: str, known: Sequence[str]) -> list[Line]:
    """Entries of connectors that are uninstalled: somebody had changed them, so they stayed."""
    try:
        rows = [(file.path, owner) for file, row in ledger.load(root).rows() for owner, _ in row.owners]
    except AgentConnectorError:  # said with our home
        return []
    files: dict[str, dict[str, None]] = {}
    for path, owner in rows:
        if owner not in known:
            files.setdefault(owner, {})[path] = None
    return [
        Line(
            "note",
            owner,
            f"it is uninstalled, but changed entries of it were left in {', '.join(places)}",
            f"agent-connector uninstall --connector {owner} --force",
        )
        for owner, places in files.items()
    ]


def _current(root: str) -> str:
    return versions.current(root) or "?"


def _connector(kept: Record, root: str) -> list[Line]:
    loaded = kept.loaded(query.nameable())
    model, lines = loaded.model, list[Line]()
    again = f"agent-connector install --connector {model.source.path}" if model.source.path else "install it again"
    manifest = _manifest(root, kept.id)
    if manifest is None:
        lines.append(
            Line("bad", kept.id, "its manifest is missing or damaged: its hooks do nothing", "agent-connector upgrade")
        )
    if model.source.has_code:
        folder = paths.declaration_folder(root, kept.id)
        if not os.path.isdir(folder):
            lines.append(Line("bad", kept.id, "the copy of its code is gone: its hooks do nothing", again))
        elif declaration.changed(root, kept.id, model.source):
            lines.append(Line("note", kept.id, f"{model.source.path} has changed since it was installed", again))
    python = versions.first_line(paths.connector_python(root, kept.id))
    if not os.access(python, os.X_OK):
        lines.append(
            Line("bad", kept.id, f"its interpreter is gone: {python or 'none is named'}", "agent-connector upgrade")
        )
    if model.source.requires and not os.path.isdir(paths.connector_packages(root, kept.id)):
        lines.append(Line("bad", kept.id, f"its packages are gone: {', '.join(model.source.requires)}", again))
    for pattern in slow_matchers(model):
        lines.append(Line("note", kept.id, f"the matcher {pattern!r} needs `re` at each call, beyond the hook budget"))
    if model.source.import_seconds > SLOW_IMPORT:
        text = f"importing it took {model.source.import_seconds:.1f} s: each hook that matches pays it"
        lines.append(Line("note", kept.id, text))
    if any(hook.handler.is_async for hook in model.hooks):
        lines.append(Line("note", kept.id, "an async handler loads asyncio at each match, beyond the hook budget"))
    return lines or [Line("ok", kept.id, f"version {model.version or '0'}, in {', '.join(kept.hosts) or 'no host'}")]


def _manifest(root: str, connector: str) -> Mapping[str, Any] | None:
    data = private.read(paths.manifest(root, connector))
    try:
        content = json.loads(data) if data is not None else None
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None  # pyright: ignore[reportUnknownVariableType]


def _log(root: str, connectors: Sequence[str]) -> list[Line]:
    """What failed open lately, one line per kind of failure with how often and when last."""
    now = time.time() * 1000
    kinds: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in log.entries(root):
        if _is_recent(row.get("t"), now) and row.get("connector", "") in ("", *connectors):
            what = " ".join(str(row[k]) for k in ("handler", "what", "error") if row.get(k))
            kinds.setdefault((str(row.get("connector") or "runtime"), what), []).append(row)
    lines: list[Line] = []
    for (about, what), rows in kinds.items():
        last = time.strftime("%Y-%m-%d %H:%M", time.localtime(rows[-1]["t"] / 1000))
        where = " ".join(str(rows[-1][k]) for k in ("host", "event") if rows[-1].get(k))
        text = f"{what} ({len(rows)}x, last {last}{', ' + where if where else ''})"
        lines.append(Line("bad", about, text, f"see {paths.hooks_log(root)}"))
    return lines


def _is_recent(moment: object, now: float) -> bool:
    """True for a time of the log, in ms, that a clock may have shown; a day ahead is one that was set back since."""
    day = 24 * 3600 * 1000
    return isinstance(moment, int | float) and now - RECENT * 1000 <= moment <= now + day
