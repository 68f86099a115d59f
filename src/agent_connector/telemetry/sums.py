"""Sums over the book, as SQL: what a report shows, at the cost of the day roll-ups and not of the rows."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_connector.telemetry import store
from agent_connector.telemetry.sizes import class_of

_FETCH = 60_000  # pages of one list of tools come within a minute
_SUMS = """
SELECT {columns}, source, sum(calls), sum(errors), sum(tokens_in), sum(tokens_out), sum(ms), max(ms_most), sum(timed)
"""
_OF_DAYS = """
{sums} FROM {table} WHERE {scopes} AND {hosts} AND day > ? GROUP BY {columns}, source
"""
_OF_ROWS = """
{sums} FROM (
    SELECT ? AS day, scope, connector, host, tool, session, project, source, n AS calls, error * n AS errors,
        tokens_in, tokens_out, coalesce(ms, 0) AS ms, coalesce(ms, 0) AS ms_most, ms IS NOT NULL AS timed
    FROM rows WHERE t >= ? AND t < ? AND {scopes} AND {hosts}
) GROUP BY {columns}, source
"""
_SIZES = """
SELECT connector, tool, tokens_out, count(*) FROM rows WHERE t >= ? AND t < ? AND scope = 'call' AND n = 1 AND {hosts}
GROUP BY connector, tool, tokens_out
"""


@dataclass
class Sum:
    calls: int = 0
    errors: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    ms: float = 0.0
    ms_most: float = 0.0
    timed: int = 0
    sources: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, calls: int, errors: int, given: int, brought: int, ms: float, most: float, timed: int) -> None:
        self.calls += calls
        self.errors += errors
        self.tokens_in += given
        self.tokens_out += brought
        self.ms += ms
        self.ms_most = max(self.ms_most, most)
        self.timed += timed


def gather(
    connection: sqlite3.Connection,
    keys: Sequence[str],
    first: int,
    groups: dict[tuple[str, ...], Sum],
    scopes: Sequence[str] = ("call", "hook"),
    hosts: Sequence[str] = (),
) -> None:
    """Add the sums since `first` to `groups`: of the day it falls into by its rows, of later days by their sums.

    `hosts`: only those; () is every one.

    What models cost (`model_turn`) is another book; definitions are shown apart.
    """
    day = store.day(first) if first else ""
    columns = ", ".join(keys)  # names of ours, never a person's text
    words = {
        "columns": columns,
        "sums": _SUMS.format(columns=columns),
        "table": "sessions" if "session" in keys else "days",
        "scopes": "scope IN ({})".format(", ".join(f"'{scope}'" for scope in scopes)),
        "hosts": _among(hosts),
    }
    found = connection.execute(_OF_DAYS.format(**words), (*hosts, day)).fetchall()
    if first:
        found += connection.execute(_OF_ROWS.format(**words), (day, first, end_of_day(first), *hosts)).fetchall()
    width = len(keys)
    for row in found:
        total = groups.setdefault(tuple(row[:width]), Sum())
        source, *numbers = row[width:]
        total.add(*numbers)
        total.sources[source] = total.sources.get(source, 0) + numbers[2] + numbers[3]


def _among(hosts: Sequence[str]) -> str:
    """SQL that holds for rows of these hosts; for all when none is named."""
    return f"host IN ({', '.join('?' * len(hosts))})" if hosts else "1"


def sizes(
    connection: sqlite3.Connection,
    first: int,
    counts: dict[tuple[str, str], dict[int, int]],
    hosts: Sequence[str] = (),
) -> None:
    """Add to `counts`, by connector and tool, how many calls since `first` brought a result of each class of sizes."""
    day = store.day(first) if first else ""
    found: list[tuple[str, str, int, int]] = connection.execute(
        f"SELECT connector, tool, size, sum(calls) FROM sizes WHERE day > ? AND {_among(hosts)}"  # noqa: S608  # ours
        " GROUP BY connector, tool, size",
        (day, *hosts),
    ).fetchall()
    if first:
        rest = connection.execute(_SIZES.format(hosts=_among(hosts)), (first, end_of_day(first), *hosts))
        found += [(connector, tool, class_of(tokens), calls) for connector, tool, tokens, calls in rest]
    for connector, tool, size, calls in found:
        of_tool = counts.setdefault((connector, tool), {})
        of_tool[size] = of_tool.get(size, 0) + calls


def sessions(connection: sqlite3.Connection, first: int) -> dict[tuple[str, str], tuple[int, int]]:
    """(connector, host) -> the sessions in which its server was called, and the calls."""
    day = store.day(first) if first else ""
    return {
        (connector, host): (count, calls)
        for connector, host, count, calls in connection.execute(
            "SELECT connector, host, count(DISTINCT session), sum(calls) FROM sessions WHERE scope = 'call' AND day >= ?"
            " GROUP BY connector, host",
            (day,),
        )
    }


def end_of_day(t: int) -> int:
    """The first millisecond of the next day in this zone."""
    parts = time.localtime(t / 1000)
    return int(time.mktime((parts.tm_year, parts.tm_mon, parts.tm_mday + 1, 0, 0, 0, 0, 0, -1)) * 1000)


def overhead(connection: sqlite3.Connection, first: int) -> list[tuple[str, str, int, int, dict[str, int]]]:
    """(connector, host, tools, tokens, tokens by source) of the last fetch of each connector in each host."""
    latest = connection.execute(
        "SELECT connector, host, tool, tokens_out, source, max(t) FROM rows WHERE scope = 'tool_defs' AND t >= ?"
        " GROUP BY connector, host, tool",
        (first,),
    ).fetchall()
    fetched: dict[tuple[str, str], int] = {}
    for connector, host, *_, t in latest:
        fetched[(connector, host)] = max(t, fetched.get((connector, host), 0))
    table: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for connector, host, _, tokens, source, t in latest:
        if t > fetched[(connector, host)] - _FETCH:  # a tool that the last fetch no longer had is gone
            table.setdefault((connector, host), []).append((tokens, source))
    return [(*key, len(found), sum(n for n, _ in found), shares(found)) for key, found in table.items()]


def shares(found: Sequence[tuple[int, str]]) -> dict[str, int]:
    """Tokens by source."""
    table: dict[str, int] = {}
    for tokens, source in found:
        table[source] = table.get(source, 0) + tokens
    return table


def projects(connection: sqlite3.Connection) -> dict[str, str]:
    """The name of each project's folder."""
    return dict(connection.execute("SELECT project, name FROM projects"))


def seen(connection: sqlite3.Connection, first: int) -> set[str]:
    """Connectors whose server's traffic is in the book."""
    return {
        name
        for (name,) in connection.execute(
            "SELECT DISTINCT connector FROM days WHERE surface = 'server' AND day >= ?", (store.day(first),)
        )
    }
