"""Files that several hosts read: one server entry that all of them take, and one memory block where one is enough.

Hosts of this plan count, and hosts of earlier installs by what the ledger says is theirs.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from agent_connector.deploy import surfaces
from agent_connector.deploy.change import Change
from agent_connector.deploy.surfaces import Place
from agent_connector.home.ledger import Ledger
from agent_connector.hosts import query
from agent_connector.hosts.nodes import Block, Key


def mark(places: Sequence[Place], known: Ledger) -> list[Place]:
    """Two hosts that read one server file get one entry, which names neither."""
    files = [place.files.get("server") for place in places]
    return [
        replace(place, shared=file is not None and (files.count(file) > 1 or any(_neighbours(place, known))))
        for place, file in zip(places, files, strict=True)
    ]


def one_entry(changes: Sequence[Change], places: Sequence[Place], known: Ledger) -> list[Change]:
    """`changes`, where the entries of a file that several hosts read say the same: all that any of them says.

    Where two say something in the same place, the first host of the plan counts.
    """
    together: dict[object, dict[str, Any]] = {}
    for change in changes:
        if isinstance(change.node, Key) and change.surface == "server":
            said = cast("dict[str, Any]", change.node.value)
            together[_spot(change)] = {**said, **together.get(_spot(change), {})}
    for place in (place for place in places if place.shared):
        for neighbour in _neighbours(place, known):
            for node in surfaces.server(replace(place, host=neighbour)):
                spot = (os.path.realpath(place.files["server"]), getattr(node, "path", None))
                if isinstance(node, Key) and spot in together:
                    together[spot] = {**cast("dict[str, Any]", node.value), **together[spot]}
    return [_with(change, together.get(_spot(change))) if change.surface == "server" else change for change in changes]


def one_block(changes: Sequence[Change], places: Sequence[Place], known: Ledger) -> list[Change]:
    """`changes`, where the block of a host that reads another's memory file too stands there and not once more."""
    moved: list[Change] = []
    for change in changes:
        node = change.node
        if isinstance(node, Block) and (file := _read_elsewhere(change, changes, places, known)):
            change = replace(change, file=file, node=Block(file, node.name, node.text, node.unless))
        moved.append(change)
    return moved


def _read_elsewhere(change: Change, changes: Sequence[Change], places: Sequence[Place], known: Ledger) -> str | None:
    """The file of another host with the same block that this one reads too; None when its own is wanted anyway."""
    place = next(place for place in places if place.host == change.host)
    reads = getattr(query.facet(place.host, "content"), "reads", None)
    if reads is None or not isinstance(change.node, Block):
        return None
    name = change.node.name
    others = [c.file for c in changes if isinstance(c.node, Block) and c.node.name == name and c.host != place.host]
    for record, row in known.rows(place.model.id):
        if row.kind == "block" and row.path == (name,) and any(host != place.host for _, host in row.owners):
            others.append(record.path)
    if change.file in others:
        return None
    return next((file for file in reads(place.scope, place.machine) if file in others), None)


def _neighbours(place: Place, known: Ledger) -> Iterator[str]:
    """Hosts of earlier installs that have a share in this connector's entry in the same file."""
    file = place.files.get("server")
    record = known.files.get(os.path.realpath(file)) if file else None
    for row in record.rows if record else ():
        if row.surface == "server":
            yield from (host for owner, host in row.owners if owner == place.model.id and host != place.host)


def _spot(change: Change) -> object:
    return (os.path.realpath(change.file), getattr(change.node, "path", None))


def _with(change: Change, value: dict[str, Any] | None) -> Change:
    node = change.node
    if value is None or not isinstance(node, Key) or node.value == value:
        return change
    return replace(change, node=Key(node.file, node.format, node.path, value))
