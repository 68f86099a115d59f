"""Connections to the board's database, SQLite or PostgreSQL, and one transaction as the rest of the board sees it."""

import sqlite3
import time
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Engine,
    Update,
    case,
    cast,
    create_engine,
    event,
    func,
    literal,
    make_url,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError

from agent_connector.board import schema
from agent_connector.errors import BoardError

BUSY_SECONDS = 10  # how long a writer waits for another one
POOL = 10  # connections that are kept; as many again may be opened for a while
WRITES = "board_writes"  # the execution option that makes a transaction a writing one

Clock = Callable[[], float]
F = TypeVar("F", bound=Callable[..., Any])


class Tx:
    """A transaction. `tell` names what it changes; who waits for that is woken after the commit."""

    def __init__(self, connection: Connection, clock: Clock | None) -> None:
        self.connection = connection
        self.postgres = connection.dialect.name == "postgresql"
        self.topics: set[str] = set()
        self._clock = clock

    @property
    def now(self) -> ColumnElement[int]:
        """The time, as an expression: of PostgreSQL's clock, since every machine of a board has one of its own."""
        if self.postgres and self._clock is None:
            return cast(func.extract("epoch", func.clock_timestamp()) * 1_000_000, BigInteger)
        return literal(int((self._clock or time.time)() * 1_000_000), BigInteger)

    def time(self) -> int:
        """The same as a number, which costs a question on PostgreSQL."""
        return int(self.connection.scalar(select(self.now)) or 0)

    def tick(self) -> int:
        """A time later than all before it. Whoever has one holds the commit lock, so times become visible in order."""
        return int(self.connection.execute(self.ticking().returning(schema.clock.c.last)).scalar_one())

    def ticking(self) -> Update:
        """The statement that takes that lock and moves the time on."""
        last = schema.clock.c.last
        return update(schema.clock).values(last=case((self.now > last, self.now), else_=last + 1))

    def insert(self, table: Any) -> "sqlite.Insert | postgresql.Insert":
        """An INSERT that knows ON CONFLICT."""
        return postgresql.insert(table) if self.postgres else sqlite.insert(table)

    def inserted(self, statement: "sqlite.Insert | postgresql.Insert") -> bool:
        """Do an INSERT of one row; False where the row was there."""
        counted = statement.on_conflict_do_nothing().execution_options(preserve_rowcount=True)
        return self.connection.execute(counted).rowcount > 0

    def tell(self, *topics: str) -> None:
        self.topics.update(topics)


def by_itself(function: F) -> F:
    """Each statement of `function` stands alone, and may be done twice: it needs no transaction around it."""
    function.__dict__["by_itself"] = True
    return function


def stands_alone(function: Callable[..., Any]) -> bool:
    return getattr(function, "by_itself", False)


def open_engine(url: str) -> Engine:
    """`sqlite:///path`, or `postgresql://...`; BoardError for another one. Nothing is connected yet."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise _unknown() from None
    if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        engine = create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            pool_size=POOL,
            max_overflow=POOL,
            pool_timeout=BUSY_SECONDS,
            hide_parameters=True,  # an error names no value
            connect_args={"connect_timeout": 5},
        )
        event.listen(engine, "connect", _bound)
        return engine
    if parsed.drivername != "sqlite" or parsed.database in (None, "", ":memory:"):
        raise _unknown()
    engine = create_engine(
        parsed,
        pool_size=POOL,
        max_overflow=POOL,
        hide_parameters=True,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False, "isolation_level": None},
    )
    event.listen(engine, "connect", _prepared)
    event.listen(engine, "begin", _begun)
    return engine


def _prepared(connection: sqlite3.Connection, record: object) -> None:
    """Readers beside one writer; an answer that was given survives a power cut."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "cache_size=-16000"):
        connection.execute(f"PRAGMA {pragma}")


def _begun(connection: Connection) -> None:
    """A writer takes its lock at once: one that came to it from reading could not wait for another, only fail."""
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _bound(connection: Any, record: object) -> None:
    """No statement and no lock is waited for for ever."""
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = '30s'")
        cursor.execute("SET lock_timeout = '10s'")
        cursor.execute("SET idle_in_transaction_session_timeout = '60s'")
    connection.autocommit = False


def _unknown() -> BoardError:
    return BoardError(
        "that is no database of a board", where="--db", remedy="Give sqlite:///PATH or postgresql://USER@HOST/NAME."
    )
