"""Sums for a report, as SQL over the roll-ups: whole days, quarters of the days that are cut, units of the cut quarters."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent_connector.home.moments import Zone
from agent_connector.usage import cards, rollups
from agent_connector.usage.cards import Prices
from agent_connector.usage.windows import QUARTER

_ALWAYS, _NEVER = -(1 << 40), 1 << 40  # days and quarters beyond all that there are
_NUMBERS = ("units", "requests", *rollups.COUNTS, "cost", "credits", "costed")
_COLUMNS = f"context, rate, {', '.join(_NUMBERS)}, first, last"
_KEYS = {"day": "p.day", "hour": "p.quarter / 4"}  # all others are columns of contexts


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is summed: from `first` to before `last` (ms; None: to the end), of these hosts, of this project."""

    first: int = 0
    last: int | None = None
    hosts: Sequence[str] = ()
    project: str = ""


@dataclass(frozen=True, slots=True)
class Rated:
    """A rate as a report needs it: the model that it is for, what it rests on, its prices."""

    provider: str
    model: str
    tier: str
    source: str
    version: str
    key: str
    priced_tier: str
    prices: Prices | None


@dataclass(slots=True)
class Sum:
    """Numbers of one group at one rate; `cost` and `credits` are whole 1e-9, None where no unit has any."""

    units: int = 0
    requests: int = 0
    counts: dict[str, int] = field(default_factory=dict[str, int])
    cost: int | None = None
    credits: int | None = None
    costed: int = 0
    first: int = 0
    last: int = 0

    @property
    def tokens(self) -> int:
        return sum(self.counts.values()) - self.counts["reasoning"]

    def atto(self, prices: Prices | None) -> int:
        """What this costs at these prices; nothing where there are none."""
        return cards.cost(prices, {**self.counts, "requests": self.requests}) if prices else 0


def rates(connection: sqlite3.Connection) -> dict[int, Rated]:
    """All rates by their id."""
    found: dict[int, Rated] = {}
    for row in connection.execute(
        "SELECT id, provider, model, tier, source, version, key, priced_tier, input, cache_read, cache_write_5m,"
        " cache_write_1h, output, reasoning, request FROM rates"
    ):
        known = None if row[8] is None else Prices(*row[8:])
        found[row[0]] = Rated(row[1], row[2], row[3], row[4], row[5], row[6], row[7], known)
    return found


def gather(
    connection: sqlite3.Connection, keys: Sequence[str], wanted: Wanted, zone: Zone, local: Zone
) -> Iterator[tuple[tuple[str | int, ...], int, Sum]]:
    """(group, rate, sum) of everything wanted. A key is a column of `contexts`, `day` (number) or `hour` (UTC)."""
    columns = [_KEYS.get(key, f"c.{key}") for key in keys]
    selects = _selects(rollups.day_of(connection, zone))
    cuts = _cuts(wanted, local if zone.name == local.name and "hour" not in keys else None)
    values: list[str | int] = [value for _, *ends in cuts for value in ends]
    where: list[str] = []
    if wanted.hosts:
        where.append(f"c.host IN ({', '.join('?' * len(wanted.hosts))})")
        values += wanted.hosts
    if wanted.project:
        where.append("c.project = ?")
        values.append(wanted.project)
    group = ", ".join([*columns, "p.rate"])
    numbers = ", ".join(f"sum(p.{name})" for name in _NUMBERS)
    rows = " UNION ALL ".join(selects[kind] for kind, *_ in cuts)
    query = (
        f"SELECT {group}, {numbers}, min(p.first), max(p.last) FROM ({rows}) p JOIN contexts c ON c.id = p.context"  # noqa: S608
        + (f" WHERE {' AND '.join(where)}" if where else "")
        + f" GROUP BY {group}"
    )
    width = len(columns)
    for row in connection.execute(query, values):
        yield row[:width], row[width], summed(row[width + 1 :])


def summed(row: Sequence[int]) -> Sum:
    """A row of units, requests, counts, cost, credits, costed, first, last."""
    return Sum(row[0], row[1], dict(zip(rollups.COUNTS, row[2:8], strict=True)), *row[8:])


def _selects(day: str) -> dict[str, str]:
    """How rows of each kind are read; each takes where to begin and where to end."""
    priced = f"SELECT f.time / {QUARTER} AS quarter, f.context, r.id AS rate, {rollups.SUMS} FROM {rollups.PRICED}"  # noqa: S608
    return {
        "days": f"SELECT day, 0 AS quarter, {_COLUMNS} FROM days WHERE day >= ? AND day < ?",  # noqa: S608
        "quarters": f"SELECT {day} AS day, quarter, {_COLUMNS} FROM sums WHERE quarter >= ? AND quarter < ?",  # noqa: S608
        "units": f"SELECT {day} AS day, * FROM ({priced} WHERE f.time >= ? AND f.time < ?"  # noqa: S608
        " GROUP BY quarter, f.context, r.id)",
    }


def _cuts(wanted: Wanted, by_days: Zone | None) -> list[tuple[str, int, int]]:
    """(kind, begin, end) of what is read, so that each unit is read once and most of them in the largest pieces."""
    first = -(-wanted.first // QUARTER) if wanted.first > 0 else _ALWAYS
    last = _NEVER if wanted.last is None else wanted.last // QUARTER
    if first > last:
        return [("units", wanted.first, wanted.last or 0)]
    cuts = [("units", wanted.last - wanted.last % QUARTER, wanted.last)] if wanted.last is not None else []
    if first > _ALWAYS:
        cuts.append(("units", wanted.first, first * QUARTER))
    cuts += _whole_days(by_days, first, last) if by_days else [("quarters", first, last)]
    return [cut for cut in cuts if cut[1] < cut[2]] or [("quarters", 0, 0)]


def _whole_days(zone: Zone, first: int, last: int) -> list[tuple[str, int, int]]:
    """The quarters from `first` to before `last` as days, and the quarters before and after them."""
    begin, end = first, last
    day, until = _ALWAYS, _NEVER
    if first > _ALWAYS:
        day = zone.day(first * QUARTER)
        day += zone.midnight(day) < first * QUARTER
        begin = zone.midnight(day) // QUARTER
    if last < _NEVER:
        until = zone.day(last * QUARTER)
        end = zone.midnight(until) // QUARTER
    if day > until or begin > end:
        return [("quarters", first, last)]
    return [("days", day, until), ("quarters", first, begin), ("quarters", end, last)]
