"""Take a whole board into another, empty database: from SQLite to PostgreSQL, or wherever `open_store` leads.

What was read is one moment of the source, what is written is there as a whole or not at all. Keys, passwords, fences and times
are the same afterwards, so workers and people go on as before. No table counts by itself: there is no sequence to set.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Table, delete, func, insert, select, text
from sqlalchemy.exc import DBAPIError

from agent_connector.board import engine as engines
from agent_connector.board import migrate, schema
from agent_connector.board.store import Store
from agent_connector.errors import BoardError

ROWS = 500  # in one statement
_MADE = (schema.clock, schema.lease_clock)  # have their one row from the start
_TABLES = tuple(schema.metadata.sorted_tables)  # whatever a row refers to is in a table before its own


def copy(source: Store, target: Store) -> Mapping[str, int]:
    """The rows of each table that are in the target now. BoardError where they are not, and then none of them is."""
    try:
        with _moment(source) as old:
            _is_of_this_version(old)
            target.upgrade()
            with _writing(target) as new:
                _is_empty(new)
                return {table.name: _rows(table, old, new) for table in _TABLES}
    except DBAPIError as error:
        first = next(iter(str(error.orig or "").strip().splitlines()), type(error).__name__)  # behind it stand values
        why = first[:300]
        raise BoardError(f"the board was not copied: {why}", remedy="Nothing of it is in the target.") from error


@contextmanager
def _moment(store: Store) -> Generator[Connection]:
    """All reads see what was there at the first; nobody has to wait for it."""
    postgres = store.engine.dialect.name == "postgresql"
    with store.engine.connect() as connection:
        if postgres:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            if postgres:  # between two reads the other database writes, for as long as it needs
                connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            yield connection


@contextmanager
def _writing(store: Store) -> Generator[Connection]:
    """One transaction, and nobody else writes in it: a board that is served already is not mixed with another."""
    with store.engine.connect().execution_options(**{engines.WRITES: True}) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
            connection.execute(text(f"LOCK TABLE {', '.join(table.name for table in _TABLES)} IN EXCLUSIVE MODE"))
        yield connection


def _is_of_this_version(connection: Connection) -> None:
    found, head = migrate.version(connection), migrate.versions()[-1]
    if found is None:
        raise BoardError("there is no board in the source", remedy="Which one does `board serve` use?")
    if found != head:
        raise BoardError(
            f"that board is of version {found}, and this agent-connector copies version {head}",
            remedy="Back it up, then: agent-connector board migrate --db URL",
        )


def _is_empty(connection: Connection) -> None:
    found = [
        table.name for table in _TABLES if table not in _MADE and connection.scalar(select(table).limit(1)) is not None
    ]
    if found:
        raise BoardError(
            f"the target is not empty: there are rows in {', '.join(found)}",
            remedy="Give a new database, which no board has been served from.",
        )


def _rows(table: Table, old: Connection, new: Connection) -> int:
    if table in _MADE:
        new.execute(delete(table))
    with old.execution_options(stream_results=True, max_row_buffer=ROWS).execute(select(table)) as found:
        while rows := found.mappings().fetchmany(ROWS):
            new.execute(insert(table), [_plain(row) for row in rows])
    read, written = (one.scalar(select(func.count()).select_from(table)) or 0 for one in (old, new))
    if read != written:
        raise BoardError(f"{table.name} has {read} rows, and {written} of them arrived", remedy="Nothing was kept.")
    return int(written)


def _plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): value for name, value in row.items()}
