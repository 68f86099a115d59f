"""Sums of the units, kept beside the index: a report costs what these cost, not what the units cost.

`sums` has quarters of an hour, since every zone's days begin at one; `days` has the days of this machine's zone. What
changed in the index since the last time is summed again, hour by hour; when a price may have changed, everything.
Tokens are summed, not money: prices are multiplied in where a report is made, so that money is exact.
"""

import itertools
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from agent_connector.home import moments
from agent_connector.home.moments import Zone
from agent_connector.usage import cards, index, prices, windows
from agent_connector.usage.windows import DAY_QUARTERS

_SQL = Path(__file__).with_name("rollups.sql")
_FORMAT = "1"  # of the tables
_HOUR = 3_600_000
_QUARTERS = 4
_MANY = 400  # hours; from here on summing everything again is faster

_RATE = f"INSERT INTO rates VALUES (NULL{', ?' * 20})"  # noqa: S608  # only question marks are put in
_TRIPLES = "SELECT DISTINCT provider, model, tier FROM contexts EXCEPT SELECT provider, model, tier FROM rates"
COUNTS = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning")

# A unit's rate: that of its model, at its time and hour of the day, for the context of one request.
PRICED = """
facts f JOIN contexts c ON c.id = f.context
JOIN rates r ON r.provider = c.provider AND r.model = c.model AND r.tier = c.tier
    AND f.time >= r.begins AND f.time < r.ends
    AND f.time % 86400000 >= r.day_from AND f.time % 86400000 < r.day_to
    AND (f.input + f.cache_read + f.cache_write_5m + f.cache_write_1h) / max(f.requests, 1) > r.over
    AND (f.input + f.cache_read + f.cache_write_5m + f.cache_write_1h) / max(f.requests, 1) <= r.upto
"""
SUMS = """
count(*) AS units, sum(f.requests) AS requests, sum(f.input) AS input, sum(f.cache_read) AS cache_read,
sum(f.cache_write_5m) AS cache_write_5m, sum(f.cache_write_1h) AS cache_write_1h, sum(f.output) AS output,
sum(min(f.reasoning, f.output)) AS reasoning, sum(CAST(round(f.cost * 1e9) AS INTEGER)) AS cost,
sum(CAST(round(f.credits * 1e9) AS INTEGER)) AS credits, count(f.cost) AS costed,
min(f.time) AS first, max(f.time) AS last
"""
_ROLL = f"""
INSERT INTO sums SELECT f.time / 900000 AS quarter, f.context, r.id, {SUMS} FROM {PRICED}
WHERE {{where}} GROUP BY quarter, f.context, r.id
"""  # noqa: S608  # texts of this module


_ADDED = (
    ", ".join(f"sum({name}) AS {name}" for name in ("units", "requests", *COUNTS, "cost", "credits", "costed"))
    + ", min(first) AS first, max(last) AS last"
)
_DAYS = f"""
INSERT INTO days SELECT {{day}} AS day, context, rate, {_ADDED} FROM sums WHERE {{where}} GROUP BY 1, context, rate
"""  # noqa: S608  # texts of this module


@contextmanager
def rolled(root: str) -> Generator[sqlite3.Connection]:
    """The index with its sums up to date; an empty one where nothing was ever read. It is written to only when stale."""
    local = moments.zone()
    with index.open_index(root) as reading:
        if not reading.execute("PRAGMA database_list").fetchone()[2]:  # in memory: there is none that we can read
            refresh(reading, root, local)
        if _fresh(reading, _stamp(root), local):
            yield reading
            return
    with index.writing(root) as connection:
        refresh(connection, root, local)
        yield connection


def refresh(connection: sqlite3.Connection, root: str, local: Zone) -> bool:
    """Bring the sums up to date with the index, the prices and this machine's zone. True when anything was summed."""
    stamp = _stamp(root)
    if _fresh(connection, stamp, local):
        return False
    with _transaction(connection):
        if _read(connection, "stamp") != stamp:
            _drop(connection)
        generation = _generation(connection)
        seen = int(_read(connection, "generation") or -1)
        _price(connection, root)
        hours = _changed(connection, seen) if 0 <= seen <= generation else None
        _roll(connection, hours)
        _roll_days(connection, local, hours if _read(connection, "zone") == local.name else None)
        told = {"stamp": stamp, "generation": str(generation), "zone": local.name}
        connection.executemany("INSERT OR REPLACE INTO rolled VALUES (?, ?)", told.items())
    return True


def _stamp(root: str) -> str:
    return f"{_FORMAT}:{prices.stamp(root)}"


def scanned(connection: sqlite3.Connection) -> int:
    """When logs were read last (ms), 0 for never."""
    found = connection.execute("SELECT value FROM meta WHERE name = 'scanned'").fetchone()
    return found[0] if found else 0


def _fresh(connection: sqlite3.Connection, stamp: str, local: Zone) -> bool:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'rolled'").fetchone()
    return (
        known is not None
        and _read(connection, "stamp") == stamp
        and _read(connection, "zone") == local.name
        and _read(connection, "generation") == str(_generation(connection))
    )


def _read(connection: sqlite3.Connection, name: str) -> str:
    found = connection.execute("SELECT value FROM rolled WHERE name = ?", (name,)).fetchone()
    return found[0] if found else ""


def _generation(connection: sqlite3.Connection) -> int:
    found = connection.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()
    return found[0] if found else 0


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All or nothing; the tables are made where they are missing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in _SQL.read_text(encoding="utf-8").split(";"):
            connection.execute(statement)
        yield
    except BaseException:  # an interrupt must not leave the index locked; it goes on
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _drop(connection: sqlite3.Connection) -> None:
    for table in ("rates", "sums", "days", "rolled"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608  # a table of ours


def _price(connection: sqlite3.Connection, root: str) -> None:
    """A card for each model that has none yet. Only this loads the list of prices."""
    for provider, model, tier in connection.execute(_TRIPLES).fetchall():
        for rate in prices.card(provider, model, tier, root=root):
            amounts = rate.prices or (None,) * len(cards.Prices._fields)
            connection.execute(_RATE, (provider, model, tier, *rate[:-1], *amounts))


def _changed(connection: sqlite3.Connection, seen: int) -> list[int] | None:
    """The hours that changed after the generation `seen`; None when they are so many that all may be summed again."""
    hours = [hour for (hour,) in connection.execute("SELECT hour FROM hours WHERE generation > ?", (seen,))]
    return hours if len(hours) <= _MANY else None


def _roll(connection: sqlite3.Connection, hours: list[int] | None) -> None:
    """Sum these hours again; all of them for None."""
    if hours is None:
        connection.execute("DELETE FROM sums")
        connection.execute(_ROLL.format(where="1"))
    for hour in hours or ():
        connection.execute(
            "DELETE FROM sums WHERE quarter >= ? AND quarter < ?", (hour * _QUARTERS, (hour + 1) * _QUARTERS)
        )
        connection.execute(_ROLL.format(where="f.time >= ? AND f.time < ?"), (hour * _HOUR, (hour + 1) * _HOUR))


def _roll_days(connection: sqlite3.Connection, local: Zone, hours: list[int] | None) -> None:
    """Sum the days of these hours again; all of them for None."""
    day = day_of(connection, local)
    if hours is None:
        connection.execute("DELETE FROM days")
        connection.execute(_DAYS.format(day=day, where="1"))
    quarters = (hour * _QUARTERS + part for hour in hours or () for part in range(_QUARTERS))
    for number in sorted({windows.day_of_quarter(local, quarter) for quarter in quarters}):
        around = ((number - 1) * DAY_QUARTERS, (number + 2) * DAY_QUARTERS, number)  # zones are at most a day off
        connection.execute("DELETE FROM days WHERE day = ?", (number,))
        connection.execute(_DAYS.format(day=day, where=f"quarter >= ? AND quarter < ? AND {day} = ?"), around)


def day_of(connection: sqlite3.Connection, zone: Zone) -> str:
    """SQL for the number of the day that `quarter` falls into."""
    first, last = connection.execute("SELECT min(quarter), max(quarter) FROM sums").fetchone()
    spans = windows.spans(zone, first or 0, last or 0)
    cases = [f"WHEN quarter < {after.begins} THEN {span.ahead}" for span, after in itertools.pairwise(spans)]
    ahead = f"CASE {' '.join(cases)} ELSE {spans[-1].ahead} END" if cases else str(spans[-1].ahead)
    return f"((quarter + {ahead}) / {DAY_QUARTERS})"
