"""SQLite, for an app of one process: a file, or memory. One connection, and one thread that alone uses it.

The thread keeps a slow disk from holding up the event loop. In memory nothing is slow, so the work runs in place.
"""

import asyncio
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from agent_connector.byoa.app.store.base import Row, T, Tx, migrate
from agent_connector.byoa.app.store.bell import Bell

MEMORY = ":memory:"
SET_UP = ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", "PRAGMA busy_timeout=5000", "PRAGMA foreign_keys=ON")


class SqliteTx:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.rings: dict[str, None] = {}

    def rows(self, sql: str, *values: object) -> Sequence[Row]:
        return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, *values: object) -> Row | None:
        return self._connection.execute(sql, values).fetchone()

    def count(self, sql: str, *values: object) -> int:
        return self._connection.execute(sql, values).rowcount

    def alone(self, what: str) -> None:
        """Every transaction begins as a writer: it is alone already."""

    def ring(self, topic: str) -> None:
        self.rings[topic] = None


class SqliteStore:
    def __init__(self, path: str = MEMORY) -> None:
        self.bell = Bell()
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._thread = None if path == MEMORY else ThreadPoolExecutor(1, "byoa-sqlite")

    async def run(self, work: Callable[[Tx], T]) -> T:
        if self._thread is None:
            result, rings = self._transact(work)
            self._ring(rings)
            return result
        job = asyncio.get_running_loop().run_in_executor(self._thread, self._transact, work)
        # What was begun is finished and heard of, also when the one who asked is gone.
        job.add_done_callback(self._heard)
        return (await asyncio.shield(job))[0]

    def _heard(self, job: "asyncio.Future[tuple[T, list[str]]]") -> None:
        if not job.cancelled() and job.exception() is None:
            self._ring(job.result()[1])

    def _ring(self, rings: list[str]) -> None:
        for topic in rings:
            self.bell.ring(topic)

    def _transact(self, work: Callable[[Tx], T]) -> tuple[T, list[str]]:
        with self._lock:
            connection = self._connection or self._open()
            return transact(connection, work)

    def _open(self) -> sqlite3.Connection:
        if self._path != MEMORY:
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        for statement in SET_UP:
            connection.execute(statement).fetchall()
        transact(connection, migrate)
        self._connection = connection
        return connection

    async def close(self) -> None:
        if self._thread is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
            self._thread.shutdown()
            self._thread = ThreadPoolExecutor(1, "byoa-sqlite")  # it may be opened again
        else:
            self._close()

    def _close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def transact(connection: sqlite3.Connection, work: Callable[[Tx], T]) -> tuple[T, list[str]]:
    tx = SqliteTx(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(tx)
        connection.execute("COMMIT")
    except BaseException:  # whatever stopped the work goes on; the store is not left locked
        with closing(connection.cursor()) as cursor:
            if connection.in_transaction:
                cursor.execute("ROLLBACK")
        raise
    return result, list(tx.rings)
