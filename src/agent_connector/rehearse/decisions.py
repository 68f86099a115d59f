"""Which decisions stand in a reply that a hook gave its host.

A reply is in the host's own words. Rather than to know all of them, every decision that could be meant is rendered by
the host's facet and looked for in the reply: what a facet can say, can be read back.
"""

import json
from collections.abc import Iterator
from typing import cast

from agent_connector.connector.light import Decision, Event, allow, ask, context, deny, modify, replace_output
from agent_connector.hosts.contract import Hooks
from agent_connector.rehearse.evidence import HookSeen
from agent_connector.rehearse.model.shape import Object, leaves, obj

_RANK = {"honoured": 0, "degraded": 1, "dropped": 2}


def decisions(seen: HookSeen, facet: Hooks) -> tuple[Decision, ...]:
    """The decisions in what `seen` put out; none when it said nothing (or nothing that the facet could have said)."""
    if seen.event is None:
        return ()
    output = _value(seen.output)
    found: list[Decision] = []
    told: list[object] = []  # what the found ones say
    for decision in _ranked(seen.event, output, facet):
        said = facet.reply(seen.event, decision)
        if said.output is None or not _within(said.output, output):
            continue
        if any(_within(said.output, other) for other in told):
            continue  # a part of what another decision says, such as the grant beside Codex' changed arguments
        told.append(said.output)
        found.append(decision)
    if not found and seen.code == 2:
        return (deny(seen.stderr.strip()),)
    return tuple(found)


def _value(output: str) -> object:
    try:
        return json.loads(output)
    except ValueError:
        return output


def _ranked(event: Event, output: object, facet: Hooks) -> list[Decision]:
    """Where two decisions look the same, the one that the host honours is meant; longer replies go first."""
    every = list(_possible(output))
    return sorted(
        every,
        key=lambda decision: (
            -len(json.dumps(facet.reply(event, decision).output, default=str)),
            _RANK.get(facet.honours(event.name, decision.kind)[0], 3),
        ),
    )


def _possible(output: object) -> Iterator[Decision]:
    """Every decision that could be made of the texts and objects in `output`."""
    for said in dict.fromkeys(said for said in leaves(output) if said):
        yield from (context(said), replace_output(said), deny(said), ask(said))
    for inner in _objects(output):
        yield modify(inner)
    yield allow()


def _objects(value: object) -> Iterator[Object]:
    """Every object inside an object."""
    for inner in obj(value).values():
        if isinstance(inner, dict):
            yield obj(cast("object", inner))
            yield from _objects(cast("object", inner))


def _within(part: object, whole: object) -> bool:
    """Is `part` in `whole`: the same, or an object whose every field is within the other's?"""
    if isinstance(part, dict) and isinstance(whole, dict):
        fields = obj(cast("object", whole))
        wanted = obj(cast("object", part))
        return all(key in fields and _within(value, fields[key]) for key, value in wanted.items())
    return part == whole
