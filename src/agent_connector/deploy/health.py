"""How what is in the hosts' files compares with what belongs there, node by node, in six words.

ok         as it should be
missing    it is not there
drifted    somebody changed it since we wrote it
stale      ours as we wrote it, but today we would write something else
foreign    somebody else's value stands in our place
duplicate  ours is there more than once
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.deploy import record, wanted
from agent_connector.deploy.apply import apply
from agent_connector.deploy.change import Change
from agent_connector.deploy.identity import is_ours
from agent_connector.deploy.plan import Remark, plan
from agent_connector.deploy.record import Install, Record
from agent_connector.deploy.surfaces import Options
from agent_connector.documents.formats import FORMATS
from agent_connector.errors import AgentConnectorError, DocumentError, HomeError
from agent_connector.home import files, ledger, paths
from agent_connector.home.recover import follow_moves
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Item, Key

WORDS = ("ok", "missing", "drifted", "stale", "foreign", "duplicate")


@dataclass(frozen=True, slots=True)
class Finding:
    """One node, in one word. `note` says more, `remedy` what to do."""

    connector: str
    host: str
    surface: str
    scope: str
    project: str | None
    file: str
    word: str
    note: str = ""
    remedy: str = ""


def check(kept: Record, machine: Machine, root: str) -> tuple[list[Finding], list[Remark]]:
    """Every node of the connector in every host that was chosen, and what a person must still do there."""
    model = kept.loaded(query.nameable()).model
    known = follow_moves(ledger.load(root))
    findings: list[Finding] = []
    remarks: list[Remark] = []
    for install in kept.installs:
        there = with_project(machine, install.project)
        launcher = paths.launcher_path(machine.home, machine.platform)
        options = Options(install.measure_remote, install.trust)
        planned = plan(model, install.hosts, install.scope, there, launcher, known=known, options=options)
        report = apply(planned.changes, root=root, dry=True)
        findings += [_finding(kept.id, change, install) for change in report.changes if change.node is not None]
        remarks += [Remark("refused", c.host, c.surface, c.note) for c in report.changes if c.node is None]
        findings += _duplicates(kept.id, report.changes, install)
        remarks += planned.remarks
    return findings, remarks


def with_project(machine: Machine, project: str | None) -> Machine:
    """The same machine, seen from the folder of `project`."""
    return Machine(
        machine.home, machine.platform, machine.variables, project or machine.project, machine.exists, machine.which
    )


def _finding(connector: str, change: Change, install: Install) -> Finding:
    word = _WORDS.get(change.op) or _refused(change)
    if change.note == wanted.NOT_RUN:
        word = "drifted"
    note = "we would not write it any more" if change.op == "-" else change.note
    remedy = change.remedy or _REMEDIES.get(change.op, "")
    return Finding(
        connector, change.host, change.surface, change.scope, install.project, change.file, word, note, remedy
    )


_WORDS = {"=": "ok", "+": "missing", "~": "stale", "-": "stale"}  # what would be done, and what that says
_REMEDIES = {
    "+": "agent-connector upgrade puts it back",
    "~": "agent-connector upgrade writes it anew",
    "-": "agent-connector upgrade writes it anew",
}


def _refused(change: Change) -> str:
    """Another connector's value, or another host's of this one, is as little ours here as a person's."""
    foreign = change.note in (wanted.FOREIGN, wanted.PERSONS) or wanted.is_shared(change.note)
    return "foreign" if foreign else "drifted"


def _duplicates(connector: str, changes: tuple[Change, ...], install: Install) -> Iterator[Finding]:
    """Ours under another name in the same map, or once more in the same list."""
    lists: dict[tuple[str, tuple[str, ...]], int] = {}
    for change in changes:
        if isinstance(change.node, Item) and change.op != "-":
            spot = (change.file, change.node.path)
            lists[spot] = lists.get(spot, 0) + 1
    seen: set[object] = set()
    for change in changes:
        node = change.node
        if not isinstance(node, Item | Key) or (change.file, node.path) in seen:
            continue
        seen.add((change.file, node.path))
        found = _at(change.file, node.format, node.path[:-1] if isinstance(node, Key) else node.path)
        if isinstance(node, Item) and isinstance(found, list):
            ours = sum(is_ours(element, connector) for element in cast("list[Any]", found))
            extra = ours - lists.get((change.file, node.path), 0)
            note = f"{ours} elements in `{'.'.join(node.path)}` are ours" if extra > 0 else ""
        elif isinstance(node, Key) and isinstance(found, Mapping):
            named = cast("Mapping[str, Any]", found)
            others = [key for key, value in named.items() if key != node.path[-1] and is_ours(value, connector)]
            note = f"also as {', '.join(others)}" if others else ""
        else:
            note = ""
        if note:
            yield Finding(
                connector,
                change.host,
                change.surface,
                change.scope,
                install.project,
                change.file,
                "duplicate",
                note,
                f"delete the other one from {change.file} by hand",
            )


def _at(file: str, form: str, path: tuple[str, ...]) -> Any:
    try:
        data = files.read(file).data
        return None if data is None else FORMATS[form].get(data.decode(), path)
    except (HomeError, UnicodeDecodeError, DocumentError):
        return None  # said already, as the reason why the node itself cannot be looked at


@dataclass(frozen=True, slots=True)
class Checked:
    """One connector. `steps` are (host, surface, what a person must still do); `error` says why nothing could be seen."""

    connector: str
    findings: tuple[Finding, ...] = ()
    steps: tuple[tuple[str, str, str], ...] = ()
    error: str = ""


def check_all(root: str, machine: Machine, connectors: tuple[str, ...]) -> Iterator[Checked]:
    """Each connector; a record that cannot be read is an error of its own, not an end."""
    for connector in connectors:
        try:
            kept = record.load(root, connector)
            findings, remarks = check(kept, machine, root) if kept else ([], [])
        except AgentConnectorError as error:
            yield Checked(connector, error=str(error))
        else:
            yield Checked(connector, tuple(findings), steps_of(remarks))


def steps_of(remarks: Iterable[Remark]) -> tuple[tuple[str, str, str], ...]:
    """What a person must still do, each once."""
    return tuple(dict.fromkeys((r.host, r.surface, r.text) for r in remarks if r.kind == "step"))
