"""PostgreSQL, for an app of several processes: a message sent in one wakes the poll that another holds.

Work runs in a few threads with a connection each; rings leave with their transaction (`NOTIFY`), and one asynchronous
connection hears those of every process (`LISTEN`).
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import LiteralString, cast

import psycopg

from agent_connector.byoa.app.store.base import Row, T, Tx, migrate
from agent_connector.byoa.app.store.bell import Bell

CHANNEL = "byoa"
THREADS = 4
AGAIN = 1.0  # seconds before a lost ear listens again
LONGEST_WAIT = 15.0  # for a lock, or to connect


@cache
def spelled(sql: str) -> LiteralString:
    """Values are marked as psycopg marks them. No statement has a question mark or a per cent sign of its own."""
    return cast("LiteralString", sql.replace("?", "%s"))


class PostgresTx:
    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> Sequence[Row]:
        done = self._connection.execute(spelled(sql), values)
        return done.fetchall() if done.description is not None else ()

    def row(self, sql: str, *values: object) -> Row | None:
        return self._connection.execute(spelled(sql), values).fetchone()

    def count(self, sql: str, *values: object) -> int:
        return self._connection.execute(spelled(sql), values).rowcount

    def alone(self, what: str) -> None:
        self.rows("SELECT pg_advisory_xact_lock(hashtextextended(?, 20221))", f"byoa {what}")

    def ring(self, topic: str) -> None:
        self.rows("SELECT pg_notify(?, ?)", CHANNEL, topic)


class PostgresStore:
    """`url`: as psycopg takes it, `postgresql://user@host/database`."""

    def __init__(self, url: str, *, threads: int = THREADS) -> None:
        self.bell = Bell()
        self._url = url
        self._pool = ThreadPoolExecutor(threads, "byoa-postgres")
        self._threads = threads
        self._own = threading.local()
        self._connections: list[psycopg.Connection[Row]] = []
        self._lock = threading.Lock()
        self._migrated = False
        self._ear: asyncio.Task[None] | None = None
        self._hears = asyncio.Event()

    async def run(self, work: Callable[[Tx], T]) -> T:
        loop = asyncio.get_running_loop()
        if self._ear is None or self._ear.done() or self._ear.get_loop() is not loop:
            await self._listen(loop)
        # What was begun is finished, also when the one who asked is gone.
        return await asyncio.shield(loop.run_in_executor(self._pool, self._transact, work))

    # In a thread.

    def _transact(self, work: Callable[[Tx], T]) -> T:
        known, begun = self._known(), False
        if known is not None:
            try:
                with known.transaction():
                    begun = True
                    return work(PostgresTx(known))
            except psycopg.OperationalError:
                if begun:
                    raise
            # The server was restarted since this thread asked last; nothing had begun.
        made = self._connect()
        with made.transaction():
            return work(PostgresTx(made))

    def _known(self) -> psycopg.Connection[Row] | None:
        known: psycopg.Connection[Row] | None = getattr(self._own, "connection", None)
        return None if known is None or known.closed else known

    def _connect(self) -> psycopg.Connection[Row]:
        options = f"-c lock_timeout={LONGEST_WAIT:.0f}s"
        made = psycopg.connect(self._url, autocommit=True, connect_timeout=int(LONGEST_WAIT), options=options)
        with self._lock:
            self._connections = [*(one for one in self._connections if not one.closed), made]
            if not self._migrated:
                with made.transaction():
                    migrate(PostgresTx(made))
                self._migrated = True
        self._own.connection = made
        return made

    # The ear.

    async def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        self._hears = asyncio.Event()
        self._ear = loop.create_task(self._hear(self._hears))
        waiting = loop.create_task(self._hears.wait())
        await asyncio.wait({self._ear, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._ear.done():
            self._ear.result()

    async def _hear(self, hears: asyncio.Event) -> None:
        while True:
            try:
                await self._hear_until_lost(hears)
            except psycopg.OperationalError:
                if not hears.is_set():
                    raise  # it never worked: whoever asked is told
            await asyncio.sleep(AGAIN)

    async def _hear_until_lost(self, hears: asyncio.Event) -> None:
        ear = await psycopg.AsyncConnection.connect(self._url, autocommit=True, connect_timeout=int(LONGEST_WAIT))
        async with ear:
            await ear.execute(f"LISTEN {CHANNEL}")
            hears.set()
            self.bell.ring_all()  # what rang while nobody heard
            async for note in ear.notifies():
                self.bell.ring(note.payload)

    async def close(self) -> None:
        ear, self._ear = self._ear, None
        if ear is not None and ear.get_loop() is asyncio.get_running_loop():
            ear.cancel()
            await asyncio.gather(ear, return_exceptions=True)
        self._pool.shutdown()
        for connection in self._connections:
            connection.close()
        self._connections.clear()
        self._own = threading.local()
        self._pool = ThreadPoolExecutor(self._threads, "byoa-postgres")
