"""Tables of a host's own database, whose columns differ by the age of the program that made it.

What is asked for by name and not there is None; a table that is not there, or a file that is broken, is an unknown
format. Only "busy" goes on to the caller, who comes again later.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_values import count, mapping
from agent_connector.hosts.records import UnknownFormat

BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

Row = dict[str, Any]


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns of `table`; empty when there is no such table. A view of that name is none: it could run for ever."""
    real = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
    if not _all(connection, real, (table,))[0][0]:
        return frozenset()
    return frozenset(str(row[1]) for row in _all(connection, f'PRAGMA table_info("{table}")'))


def need(connection: sqlite3.Connection, table: str, *names: str) -> frozenset[str]:
    """The columns of `table`, which has to have `names`; UnknownFormat else."""
    found = columns(connection, table)
    if missing := [each for each in names if each not in found]:
        what = f"table {table} without {', '.join(missing)}" if found else f"no table {table}"
        raise UnknownFormat(what, version(connection))
    return found


def version(connection: sqlite3.Connection) -> str:
    """The number by which the program knows its own schema; "" when it sets none."""
    number = _all(connection, "PRAGMA user_version")[0][0]
    return str(number or "")


def rows(
    connection: sqlite3.Connection, table: str, names: Sequence[str], rest: str = "", values: Sequence[Any] = ()
) -> Iterator[Row]:
    """Each row of `table` as a dict of `names` (`rowid` may be one), narrowed by `rest`, a WHERE or ORDER of ours."""
    there = columns(connection, table) | {"rowid"}
    picked = ", ".join(f'"{each}"' if each in there else f'NULL AS "{each}"' for each in names)
    query = f'SELECT {picked} FROM "{table}" {rest}'  # noqa: S608  (names of ours; what is looked for is bound)
    for row in _each(connection, query, values):
        yield dict(zip(names, row, strict=True))


def fresh(
    connection: sqlite3.Connection, table: str, names: Sequence[str], state: dict[str, Any], stamp: str
) -> Iterator[Row]:
    """The rows of `table` that came since `state`, which remembers the last one's row id and `stamp`, a time column.

    A migration puts old rows in with new row ids, and a table that lost its last rows gives their ids again: so a row
    is new when either is. A table that is shorter than it was is read from its start. The last row is given twice.
    """
    mark, since = count(mapping(state.get(table)).get("row")), mapping(state.get(table)).get("stamp")
    last = next(rows(connection, table, ("rowid",), "ORDER BY rowid DESC LIMIT 1"), {"rowid": 0})
    known = 0 < mark <= count(last["rowid"]) and stamp in columns(connection, table)
    seen: dict[str, Any] = {"row": mark, "stamp": since} if known else {"row": 0, "stamp": None}
    state[table] = seen
    narrowed = f'WHERE rowid > ? OR "{stamp}" >= ?' if known else ""
    for row in rows(connection, table, ("rowid", stamp, *names), narrowed, (mark, since) if known else ()):
        seen["row"] = max(seen["row"], count(row["rowid"]))
        if _later(row[stamp], seen["stamp"]):
            seen["stamp"] = row[stamp]
        yield row


def _later(one: Any, other: Any) -> bool:
    if isinstance(one, str):
        return not isinstance(other, str) or one > other
    return isinstance(one, int | float) and (other is None or (isinstance(other, int | float) and one > other))


def _all(connection: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> list[Any]:
    return list(_each(connection, query, values))


def _each(connection: sqlite3.Connection, query: str, values: Sequence[Any] = ()) -> Iterator[Any]:
    connection.text_factory = _text
    try:
        yield from connection.execute(query, values)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in BUSY:
            raise
        raise UnknownFormat("a database that SQLite cannot read") from error


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
