"""Which of several sightings of one unit is the unit: the same answer in whatever order they were met.

A unit is seen again where a session was resumed, forked, copied, archived or compacted. The original owns it: a
session that no other sighting's session descends from, then the earliest, then the lesser name. The counts are merged as the
host's facet says, so that a copy that was made while the answer was still streaming takes nothing away.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

COUNTS = 7  # input, cache_read, cache_write_5m, cache_write_1h, output, reasoning, requests


class Sighting(NamedTuple):
    """One unit as one file has it."""

    session: str
    parent: str
    context: int
    time: int
    counts: tuple[int, ...]
    cost: float | None
    credits: float | None
    path: str


class Unit(NamedTuple):
    """What all sightings of one unit come to."""

    context: int
    time: int
    counts: tuple[int, ...]
    cost: float | None
    credits: float | None


def settle(sightings: Sequence[Sighting], merge: str) -> Unit:
    """The one unit behind `sightings`; `merge` is "max" (of each count) or "last" (the counts of the latest)."""
    depth = depths((seen.session, seen.parent) for seen in sightings)
    owner = min(sightings, key=lambda seen: (depth[seen.session], seen.time, seen.session, seen.path, seen.counts))
    if merge == "last":
        latest = max(sightings, key=_lateness)
        return Unit(owner.context, owner.time, latest.counts, latest.cost, latest.credits)
    counts = tuple(map(max, zip(*(seen.counts for seen in sightings), strict=True)))
    cost = _most([seen.cost for seen in sightings])
    return Unit(owner.context, owner.time, counts, cost, _most([seen.credits for seen in sightings]))


def depths(sessions: Iterable[tuple[str, str]]) -> dict[str, int]:
    """How many of the others each session descends from; given are (session, parent)."""
    parents = dict(sorted(sessions, key=lambda pair: pair[1]))
    found: dict[str, int] = {}
    for session, parent in parents.items():
        met, here = {session}, parent
        while here in parents and here not in met:
            met.add(here)
            here = parents[here]
        found[session] = len(met) - 1
    return found


def _lateness(seen: Sighting) -> tuple[int, int, tuple[int, ...], float, float]:
    return seen.time, sum(seen.counts), seen.counts, seen.cost or 0.0, seen.credits or 0.0


def _most(values: Sequence[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)
