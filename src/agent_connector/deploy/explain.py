"""What a connector becomes, host by host and surface by surface, before anything is installed."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent_connector.connector.light import SURFACES
from agent_connector.connector.model import ConnectorModel
from agent_connector.deploy.plan import plan
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine


@dataclass(frozen=True, slots=True)
class Cell:
    """One surface in one host: `support` as the host's facts say it, or `off`, `refused`; and how, or why not."""

    support: str
    sure: str
    how: str


@dataclass(frozen=True, slots=True)
class Honoured:
    """What the host does with each kind of decision at one event that the connector handles."""

    event: str
    host_event: str | None
    decisions: dict[str, query.Honour]


@dataclass(frozen=True, slots=True)
class Explained:
    """One host: its cells by surface, its events, and what a person must still do."""

    host: str
    name: str
    cells: dict[str, Cell]
    events: tuple[Honoured, ...]
    steps: tuple[str, ...]


def explain(
    model: ConnectorModel, hosts: Sequence[str], scope: str, machine: Machine, launcher: str
) -> tuple[Explained, ...]:
    """The matrix for every surface that the connector uses anywhere."""
    used = [s for s in SURFACES if any(s in model.surfaces(host) or s in model.platform(host).off for host in hosts)]
    return tuple(_host(model, host, used, scope, machine, launcher) for host in hosts)


def _host(
    model: ConnectorModel, host: str, used: Sequence[str], scope: str, machine: Machine, launcher: str
) -> Explained:
    planned = plan(model, [host], scope, machine, launcher)
    skipped = {remark.surface: remark.text for remark in planned.remarks if remark.kind == "skip"}
    refused = {change.surface: change.note for change in planned.changes if change.op == "!"}
    written = {change.surface for change in planned.changes if change.node is not None}
    if written & {"hooks", "native_hooks"}:
        written |= {"hooks", "native_hooks"} - skipped.keys()  # some hosts take both in one module
    cells: dict[str, Cell] = {}
    for surface in used:
        support = query.surface_support(host, surface)
        if surface in model.platform(host).off:
            cells[surface] = Cell("off", "documented", "switched off for this host by the connector")
        elif surface not in model.surfaces(host):
            cells[surface] = Cell("unused", "documented", "the connector has none for this host")
        elif surface in refused:
            cells[surface] = Cell("refused", support.sure, refused[surface])
        elif surface in written:
            how = skipped.get(surface)
            cells[surface] = Cell(support.support, support.sure, support.how + (f"; {how}" if how else ""))
        else:
            why = skipped.get(surface) or skipped.get("") or support.how
            cells[surface] = Cell("skip-warn" if support.support == "native" else support.support, support.sure, why)
    steps = tuple(f"{remark.surface}: {remark.text}" for remark in planned.remarks if remark.kind == "step")
    return Explained(host, query.facts(host).NAME, cells, _events(model, host), steps)


def _events(model: ConnectorModel, host: str) -> tuple[Honoured, ...]:
    facet = query.hooks(host)
    if facet is None or "hooks" not in model.surfaces(host):
        return ()
    events = dict.fromkeys(hook.event for hook in model.hooks_for(host))
    return tuple(
        Honoured(
            event,
            facet.EVENTS.get(event),
            {kind: query.Honour(*facet.honours(event, kind)) for kind in query.DECISIONS},
        )
        for event in events
    )
