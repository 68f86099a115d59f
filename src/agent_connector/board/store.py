"""The board's database: runs functions in transactions, survives its restarts, and wakes who waits for a change.

    store = open_store("sqlite:///board.db")
    store.write(tasks.add, title="Mend the gate", by="ada@example.com")     # from any thread
    await store.reading(readers.columns, board=None)                        # from a loop: in a thread

Every function takes a `Tx` first. What it writes is there as a whole or not at all.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError, OperationalError, TimeoutError

from agent_connector.board import engine as engines
from agent_connector.board import migrate
from agent_connector.board.batch import Batch
from agent_connector.board.engine import Clock, Tx
from agent_connector.board.wake import Wake
from agent_connector.errors import BoardError, BoardUnreachable

P = ParamSpec("P")
T = TypeVar("T")
_TRIES = 3
_AGAIN = 2.0  # seconds to ask again in


class Store:
    """Of one process. Several may have one database open: PostgreSQL from many machines, SQLite on one."""

    def __init__(self, engine: Engine, clock: Clock | None = None) -> None:
        self.engine = engine
        self.wake = Wake(None if engine.dialect.name == "sqlite" else _conninfo(engine))
        self.real = clock is None  # the time is the real one
        self._clock = clock
        self._sqlite = engine.dialect.name == "sqlite"
        self._batch = Batch(engine, clock, lambda work: self._run(work, writes=True)) if self._sqlite else None
        self._readers = ThreadPoolExecutor(engines.POOL, "board-reads")
        self._writers = ThreadPoolExecutor(engines.POOL, "board-writes")

    def read(self, work: Callable[Concatenate[Tx, P], T], *args: P.args, **named: P.kwargs) -> T:
        return self._run(lambda tx: work(tx, *args, **named), writes=False, alone=not self._sqlite)

    def write(self, work: Callable[Concatenate[Tx, P], T], *args: P.args, **named: P.kwargs) -> T:
        if self._batch is None:
            alone = engines.stands_alone(work)
            return self._run(lambda tx: work(tx, *args, **named), writes=True, alone=alone)
        answer, topics = self._batch.write(lambda tx: work(tx, *args, **named))
        self.wake.tell(topics)
        return answer

    async def reading(self, work: Callable[Concatenate[Tx, P], T], *args: P.args, **named: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, partial(self.read, work, *args, **named))

    async def writing(self, work: Callable[Concatenate[Tx, P], T], *args: P.args, **named: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._writers, partial(self.write, work, *args, **named))

    def upgrade(self) -> tuple[str | None, str | None]:
        """The tables as this version wants them; the version before and after."""
        try:
            return self.write(lambda tx: migrate.upgrade(tx.connection))
        except (BoardUnreachable, DBAPIError) as error:
            raise _unusable(error) from error

    def listen(self) -> None:
        """Hear what the other processes of the board change, where the database can tell."""
        self.wake.listen()

    def close(self) -> None:
        self.wake.close()
        self._readers.shutdown(wait=True)
        self._writers.shutdown(wait=True)
        self.engine.dispose()

    def _run(self, work: Callable[[Tx], T], writes: bool, alone: bool = False) -> T:
        """In one transaction. One that was lost before its commit is done again: nothing of it stayed.

        `alone` does every statement by itself, which spares PostgreSQL two more messages. A reader there loses nothing by
        that: each statement sees what is committed when it begins, in a transaction too.
        """
        options: dict[str, Any] = {"isolation_level": "AUTOCOMMIT"} if alone else {engines.WRITES: writes}
        for attempt in range(1, _TRIES + 1):
            ends = _Ends()
            try:
                return self._once(work, options, ends)
            except (DBAPIError, TimeoutError) as error:
                if not _may_pass(error):
                    raise
                if (ends.committing and writes and not alone) or attempt == _TRIES:
                    raise BoardUnreachable("the board's database does not answer", retry_after=_AGAIN) from error
        raise AssertionError("unreachable")

    def _once(self, work: Callable[[Tx], T], options: dict[str, Any], ends: "_Ends") -> T:
        with self.engine.connect().execution_options(**options) as connection:
            tx = Tx(connection, self._clock)
            with connection.begin() as transaction:
                answer = work(tx)
                ends.committing = True
                transaction.commit()
        if tx.topics:
            self.wake.tell(tx.topics)
        return answer


def _conninfo(engine: Engine) -> str:
    return engine.url.set(drivername="postgresql").render_as_string(hide_password=False)


class _Ends:
    """How far a transaction came: once the commit was sent, nobody knows whether it happened."""

    committing = False


def _may_pass(error: Exception) -> bool:
    """True where asking again may help: no connection, a restart, a deadlock, a lock that took too long."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OperationalError | TimeoutError)


def open_store(url: str, clock: Clock | None = None, *, upgrade: bool = True) -> Store:
    """The database behind `url`, with the tables of this version. `clock` takes the place of the real time in tests."""
    store = Store(engines.open_engine(url), clock)
    try:
        if upgrade:
            store.upgrade()
    except BaseException:  # whatever it was goes on; no connection stays open
        store.close()
        raise
    return store


def _unusable(error: BoardUnreachable | DBAPIError) -> BoardError:
    """What the database says itself: a wrong password, no rights, a file that is none. It holds no value and no password."""
    fault = error.__cause__ if isinstance(error, BoardUnreachable) else error
    why = " ".join(str(getattr(fault, "orig", None) or fault).split())[:300]
    if isinstance(error, BoardUnreachable):
        return BoardUnreachable(f"{error.what}: {why}", retry_after=error.retry_after)
    return BoardError(
        f"the board's database cannot be used: {why}", remedy="Is it the right one? Else restore a backup."
    )
