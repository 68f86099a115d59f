"""What all hosts used and what it cost: sums by host, model, project, session, day, week, month or block of five hours.

The list price of what was used (`usd`), and what a host itself wrote down (`host_usd`), are two columns: never added.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent_connector.errors import UsageError
from agent_connector.home import moments
from agent_connector.home.moments import Zone
from agent_connector.usage import cards, report_sums, rollups, windows
from agent_connector.usage.report_sums import Rated, Sum, Wanted

BY = ("host", "model", "project", "session", "day", "week", "month", "hour-block")
BLOCK_HOURS = 5
RECENT_DAYS = 30
HOUR = 3_600_000
_NANO = 10**9
_KEYS: Mapping[str, tuple[str, ...]] = {
    "host": ("host",),
    "model": ("model",),
    "project": ("project",),
    "session": ("host", "session"),
    "day": ("day",),
    "week": ("day",),
    "month": ("day",),
    "hour-block": ("host", "hour"),
}
_NAMES: Mapping[str, Callable[[int], str]] = {
    "day": windows.day_name,
    "week": windows.week_name,
    "month": windows.month_name,
}

Key = Mapping[str, str | int]


@dataclass(slots=True)
class Priced:
    """What one entry of a list of prices came to."""

    source: str
    version: str
    key: str
    tier: str
    tokens: int = 0
    atto: int = 0

    @property
    def usd(self) -> float:
        return self.atto / cards.SCALE


@dataclass(slots=True)
class Line:
    """One group. `usd` is None where nothing has a price; `unpriced` counts the tokens that have none."""

    key: Key
    units: int = 0
    requests: int = 0
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(rollups.COUNTS, 0))
    unpriced: int = 0
    host_nano: int | None = None
    host_units: int = 0
    credit_nano: int | None = None
    first: int = 0
    last: int = 0
    sources: dict[str, int] = field(default_factory=dict[str, int])
    prices: dict[tuple[str, ...], Priced] = field(default_factory=dict[tuple[str, ...], Priced])

    @property
    def tokens(self) -> int:
        return sum(self.counts.values()) - self.counts["reasoning"]

    @property
    def atto(self) -> int:
        return sum(one.atto for one in self.prices.values())

    @property
    def usd(self) -> float | None:
        return self.atto / cards.SCALE if self.prices or not self.unpriced else None

    @property
    def at_least(self) -> bool:
        return self.unpriced > 0

    @property
    def host_usd(self) -> float | None:
        return None if self.host_nano is None else self.host_nano / _NANO

    @property
    def credits(self) -> float | None:
        return None if self.credit_nano is None else self.credit_nano / _NANO

    def add(self, source: str, rated: Rated, found: Sum, tokens: int, atto: int) -> None:
        """Add the numbers of one rate; `tokens` and `atto` are what they come to."""
        self.first = min(self.first, found.first) if self.units else found.first
        self.last = max(self.last, found.last)
        self.units += found.units
        self.requests += found.requests
        for name, count in found.counts.items():
            self.counts[name] += count
        self.sources[source] = self.sources.get(source, 0) + tokens
        if found.cost is not None:
            self.host_nano = (self.host_nano or 0) + found.cost
            self.host_units += found.costed
        if found.credits is not None:
            self.credit_nano = (self.credit_nano or 0) + found.credits
        if rated.prices is None:
            self.unpriced += tokens
            return
        name = (rated.source, rated.version, rated.key, rated.priced_tier)
        if (priced := self.prices.get(name)) is None:
            priced = self.prices[name] = Priced(*name)
        priced.tokens += tokens
        priced.atto += atto


@dataclass(frozen=True, slots=True)
class Unpriced:
    """A model that nobody has a price for."""

    provider: str
    model: str
    tokens: int
    requests: int


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that `usage report` says. `trend` is (day, the day's money in USD) where lines are no times."""

    by: str
    zone: Zone
    wanted: Wanted
    made: int
    lines: Sequence[Line]
    total: Line
    unpriced: Sequence[Unpriced]
    trend: Sequence[tuple[str, float]]
    notes: Sequence[str]


def make(
    connection: sqlite3.Connection, by: str = "day", wanted: Wanted | None = None, zone: Zone | None = None
) -> Report:
    """The report over an index whose roll-ups are up to date (see `rollups.rolled`)."""
    if by not in BY:
        raise UsageError(f"cannot group by {by!r}", remedy="one of: " + ", ".join(BY))
    wanted, local = wanted or Wanted(), moments.zone()
    zone = zone or local
    rates = report_sums.rates(connection)
    name = _namer(connection, by, zone, wanted)
    lines: dict[tuple[str | int, ...], Line] = {}
    total, unknown, standard = Line({}), dict[tuple[str, str], list[int]](), dict[tuple[str, str], int]()
    for group, rate, found in report_sums.gather(connection, (*_KEYS[by], "source"), wanted, zone, local):
        rated, key = rates[rate], name(group[:-1])
        if (line := lines.get(tuple(key.values()))) is None:
            line = lines[tuple(key.values())] = Line(key)
        tokens, atto = found.tokens, found.atto(rated.prices)
        for one in (line, total):
            one.add(str(group[-1]), rated, found, tokens, atto)
        _remark(rated, found, unknown, standard)
    unpriced = [Unpriced(*model, *numbers) for model, numbers in unknown.items()]
    return Report(
        by, zone, wanted, time.time_ns() // 1_000_000, _sorted(by, lines.values()), total,
        sorted(unpriced, key=lambda one: (-one.tokens, one.model)),
        _trend(connection, by, wanted, zone, local, rates), _notes(connection, total, standard),
    )  # fmt: skip


def _remark(
    rated: Rated, found: Sum, unknown: dict[tuple[str, str], list[int]], standard: dict[tuple[str, str], int]
) -> None:
    """Keep what has to be said of a rate: that it is none, or that it is not the tier's own."""
    tokens = found.tokens
    if rated.prices is None and tokens:
        held = unknown.setdefault((rated.provider, rated.model), [0, 0])
        held[0] += tokens
        held[1] += found.requests
    elif rated.tier and not rated.priced_tier and tokens:
        standard[(rated.tier, rated.model)] = standard.get((rated.tier, rated.model), 0) + tokens


def _namer(
    connection: sqlite3.Connection, by: str, zone: Zone, wanted: Wanted
) -> Callable[[tuple[str | int, ...]], Key]:
    """What turns the numbers of a group into the key that a line shows."""
    if by in _NAMES:
        named = _NAMES[by]
        return lambda group: {by: named(int(group[0]))}
    if by == "project":
        names = dict(connection.execute("SELECT project, max(project_name) FROM contexts GROUP BY project"))
        return lambda group: {"project": group[0], "name": names.get(group[0], "")}
    if by == "hour-block":
        begins = blocks(connection, wanted.hosts)
        return lambda group: _block(str(group[0]), begins[str(group[0]), int(group[1])], zone)
    return lambda group: dict(zip(_KEYS[by], group, strict=True))


def _block(host: str, hour: int, zone: Zone) -> Key:
    begin = hour * HOUR
    return {"block": zone.told(begin), "host": host, "begins": begin, "ends": begin + BLOCK_HOURS * HOUR}


def blocks(connection: sqlite3.Connection, hosts: Sequence[str] = ()) -> dict[tuple[str, int], int]:
    """The first hour of the block that each hour with usage belongs to, by (host, hour), in UTC hours.

    A block begins with the full hour of a host's first request and lasts five hours; the next begins with the first
    request after its end. Earlier usage is looked at also where a report begins later: a block does not depend on that.
    """
    where = f" WHERE c.host IN ({', '.join('?' * len(hosts))})" if hosts else ""
    query = (
        "SELECT DISTINCT c.host, s.quarter / 4 FROM sums s JOIN contexts c ON c.id = s.context"  # noqa: S608
        f"{where} ORDER BY 1, 2"
    )
    found: dict[tuple[str, int], int] = {}
    now: tuple[str, int] | None = None
    for host, hour in connection.execute(query, list(hosts)):
        if now is None or now[0] != host or hour >= now[1] + BLOCK_HOURS:
            now = (host, hour)
        found[host, hour] = now[1]
    return found


def _sorted(by: str, lines: Iterable[Line]) -> list[Line]:
    held = list(lines)
    if by in _NAMES:
        return sorted(held, key=lambda line: str(line.key[by]))
    if by == "hour-block":
        return sorted(held, key=lambda line: (line.key["begins"], line.key["host"]))
    return sorted(held, key=lambda line: (-line.atto, -line.tokens, tuple(map(str, line.key.values()))))


def _trend(
    connection: sqlite3.Connection, by: str, wanted: Wanted, zone: Zone, local: Zone, rates: Mapping[int, Rated]
) -> list[tuple[str, float]]:
    """Money by day of the last weeks, where the lines themselves are no times."""
    if by in (*_NAMES, "hour-block"):
        return []
    end = wanted.last if wanted.last is not None else time.time_ns() // 1_000_000
    recent = zone.midnight(zone.day(end) - RECENT_DAYS)
    wanted = replace(wanted, first=max(wanted.first, recent, 0))
    days: dict[int, int] = {}
    for (day,), rate, found in report_sums.gather(connection, ("day",), wanted, zone, local):
        days[int(day)] = days.get(int(day), 0) + found.atto(rates[rate].prices)
    if not days:
        return []
    return [(windows.day_name(day), days.get(day, 0) / cards.SCALE) for day in range(min(days), max(days) + 1)]


def _notes(connection: sqlite3.Connection, total: Line, standard: Mapping[tuple[str, str], int]) -> list[str]:
    notes = [
        f"{tier} requests of {model} are priced as standard ones: no {tier} price is known for their time"
        for tier, model in sorted(standard)
    ]
    guessed = sum(tokens for source, tokens in total.sources.items() if source != "host-reported")
    if guessed and total.tokens:
        notes.append(f"{guessed * 100 / total.tokens:.0f}% of the tokens are estimates of the hosts themselves")
    (unread,) = connection.execute("SELECT count(*) FROM files WHERE NOT gone AND problem <> ''").fetchone()
    if unread:
        logs = "1 log is" if unread == 1 else f"{unread:,} logs are"
        notes.append(f"{logs} not read to the end; agent-connector usage scan says which and why")
    return notes
