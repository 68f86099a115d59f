"""The plan of an install: from values to changes. It reads nothing and writes nothing.

For each host and each surface that the connector uses there: nodes that are wanted, what the host lacks (a skip,
said and not counted), what was refused (`!`), and what the ledger says is ours but is wanted no more (`-`).
Memory comes last, so that a host never reads of tools that are not there yet.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_connector.connector.model import ConnectorModel
from agent_connector.deploy import sharing, surfaces
from agent_connector.deploy.change import Change
from agent_connector.deploy.identity import identity
from agent_connector.deploy.surfaces import Found, Note, Options, Place, Skip
from agent_connector.deploy.undo import releases
from agent_connector.home.ledger import Ledger
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Refusal

ORDER = (
    "server",
    "hooks",
    "native_hooks",
    "commands",
    "skills",
    "subagents",
    "statusline",
    "actions",
    "config_patch",
    "memory",
)
TRUST = "trust"


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said beside the changes: `skip` (the host lacks it), `note`, or `step` (what a person must still do)."""

    kind: str
    host: str
    surface: str
    text: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to happen, in order, and what there is to say."""

    changes: tuple[Change, ...]
    remarks: tuple[Remark, ...]
    hosts: tuple[str, ...]  # that take part
    shares_hooks: tuple[str, ...] = ()  # hosts of which one loads the hook files of another


def plan(
    model: ConnectorModel,
    hosts: Sequence[str],
    scope: str,
    machine: Machine,
    launcher: str,
    *,
    known: Ledger | None = None,
    options: Options | None = None,
    others: Sequence[str] = (),
) -> Plan:
    """The plan for `model` in `hosts`. `known` is the ledger; `others` are hosts of earlier installs."""
    options = options or Options()
    places = [
        Place(model, host, _scope(model, host, scope), machine, launcher, options)
        for host in hosts
        if model.targets is None or host in model.targets
    ]
    known = known or Ledger()
    places = sharing.mark(places, known)
    wanted: list[Change] = []
    remarks: list[Remark] = []
    taking_part: list[str] = []
    for place in places:
        here = list(_host(place))
        changes = [found for found in here if isinstance(found, Change)]
        wanted += changes
        remarks += [found for found in here if isinstance(found, Remark)]
        if any(change.node is not None for change in changes):
            taking_part.append(place.host)
    shares = _shares_hooks({*taking_part, *others})
    for host in shares:
        loads = [other for other in query.facts(host).LOADS_HOOKS_OF if other in shares]
        if loads and any(change.host == host and change.surface == "hooks" for change in wanted):
            text = f"it loads the hooks of {', '.join(loads)} too: one event is answered once"
            remarks.append(Remark("note", host, "hooks", text))
    wanted = sharing.one_block(sharing.one_entry(wanted, places, known), places, known)
    changes = [*_released(places, wanted, known), *_in_order(wanted)]
    return Plan(tuple(changes), tuple(remarks), tuple(taking_part), shares)


def _scope(model: ConnectorModel, host: str, scope: str) -> str:
    forced = model.platform(host).scope
    return forced.word if forced is not None else scope


def _shares_hooks(hosts: set[str]) -> tuple[str, ...]:
    shared: set[str] = set()
    for host in hosts:
        loaded = hosts & set(query.facts(host).LOADS_HOOKS_OF)
        shared |= loaded | ({host} if loaded else set())
    return tuple(host for host in query.hosts() if host in shared)


def _host(place: Place) -> Iterator[Change | Remark]:
    used = place.model.surfaces(place.host)
    if place.scope not in query.places(place.host).SCOPES or not place.files:
        has = ", ".join(query.places(place.host).SCOPES)
        yield Remark("skip", place.host, "", f"it has no {place.scope} scope (it has {has})")
        return
    hooked = [surface for surface in ("hooks", "native_hooks") if surface in used and _takes(place, surface)]
    written: set[str] = set()
    for surface in ORDER:
        if surface not in used:
            continue
        lack = _lack(place, surface)
        if lack is not None:
            yield Remark("skip", place.host, surface, lack)
            continue
        if surface in ("hooks", "native_hooks"):
            found = surfaces.hooks(place, tuple(hooked)) if surface == hooked[0] else iter(())
        else:
            found = surfaces.RENDER[surface](place)
        for one in found:
            said = _said(place, surface, one)
            if isinstance(said, Change) and said.node is not None:
                written.add(surface)
            yield said
    for surface, scope, text in query.facts(place.host).STEPS:
        if surface in written and scope in ("", place.scope):
            yield Remark("step", place.host, surface, text)


def _takes(place: Place, surface: str) -> bool:
    return _lack(place, surface) is None


def _lack(place: Place, surface: str) -> str | None:
    """Why the host cannot take `surface` in this scope, None when it can."""
    support = query.surface_support(place.host, surface)
    if support.support != "native":
        return support.how
    if surface != "memory" and ("hooks" if surface == "native_hooks" else surface) not in place.files:
        return f"it has no place for it in {place.scope} scope"
    return None


def _said(place: Place, surface: str, found: Found) -> Change | Remark:
    if isinstance(found, Skip):
        return Remark("skip", place.host, found.surface or surface, found.reason)
    if isinstance(found, Note):
        return Remark("note", place.host, surface, found.text)
    project = place.machine.project if place.scope == "project" else None
    owner = (place.model.id, place.host)
    if isinstance(found, Refusal):
        file = place.files.get(surface, "")
        return Change("!", place.host, surface, place.scope, file, None, owner, found.reason, found.remedy, project)
    return Change("+", place.host, surface, place.scope, found.file, found, owner, project=project)


def _in_order(changes: list[Change]) -> list[Change]:
    """Memory last; within a surface hosts as they came. A node that a host wants twice stands once."""
    kept: dict[object, Change] = {}
    for change in changes:
        key = (change.owner, change.file, identity(change.node)) if change.node else len(kept) + 0.5
        kept.setdefault(key, change)
    return sorted(kept.values(), key=lambda change: change.surface == "memory")


def _released(places: Sequence[Place], wanted: Sequence[Change], known: Ledger) -> list[Change]:
    """What an earlier install put for these hosts, in their scopes, and this one does not want.

    Trust is not looked at: it is settled after the files that it is about.
    """
    kept = {_spot(change) for change in wanted if change.node is not None}
    gone: list[Change] = []
    for scope in dict.fromkeys(place.scope for place in places):
        here = [place for place in places if place.scope == scope]
        project = here[0].machine.project if scope == "project" else None
        hosts = [place.host for place in here]
        owned = releases(known, connector=here[0].model.id, hosts=hosts, scope=scope, project=project)
        gone += [change for change in owned if change.surface != TRUST and _spot(change) not in kept]
    return gone


def _spot(change: Change) -> object:
    """The node's place, and for whom."""
    return (os.path.realpath(change.file), change.owner, identity(change.node) if change.node else None)
