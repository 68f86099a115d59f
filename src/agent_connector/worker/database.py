"""One SQLite file that one process at a time may use; whatever goes wrong with it is a WorkerError that says what to do.

What is written is there at once or not at all, and a crash leaves what was written before it. Only the thread that opened it calls.
"""

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from importlib import resources
from typing import Any, Self

from filelock import FileLock, Timeout

from agent_connector.errors import WorkerError
from agent_connector.home import private

VERSION = 2
_LATER = {1: "CREATE TABLE movers (task TEXT PRIMARY KEY, who TEXT NOT NULL) WITHOUT ROWID;"}  # what a version lacks
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")


class Unkeepable(WorkerError):
    """A value that no database holds: trying again does not help."""


class Database:
    """`with Database(path) as database:`; the file is made when it is new."""

    def __init__(self, path: str) -> None:
        self.path = path
        private.make_folder(os.path.dirname(path))
        self._lock = FileLock(path + ".lock", mode=private.FILE)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise WorkerError(
                "another worker works with this state",
                where=path,
                remedy="Stop it first, or give this one a `statePath` (and a `connectorId`) of its own.",
            ) from None
        except (OSError, NotImplementedError) as error:
            raise WorkerError(
                f"the state cannot be locked: {error}",
                where=path,
                remedy="Put `statePath` on a local disk that you may write to.",
            ) from error
        try:
            self._db = self._opened()
        except BaseException:  # whatever it was goes on; the lock does not stay
            self._lock.release()
            raise

    def close(self) -> None:
        self._db.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def at_once(self) -> Generator[None]:
        """All or nothing. Inside another one it is a part of that."""
        if self._db.in_transaction:
            yield
            return
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        except BaseException:  # whatever it was goes on, and nothing of it is kept
            if self._db.in_transaction:  # a full disk has ended it already
                self._db.execute("ROLLBACK")
            raise

    def run(self, query: str, *values: Any) -> sqlite3.Cursor:
        """Half a surrogate pair, which no file can hold, becomes a question mark."""
        try:
            return self._db.execute(query, [_writable(value) for value in values])
        except sqlite3.Error as error:
            raise self._wrong(error) from error
        except (ValueError, OverflowError) as error:
            raise Unkeepable(f"the state cannot hold a value: {error}", where=self.path) from error

    def one(self, query: str, *values: Any) -> tuple[Any, ...] | None:
        return next(iter(self.rows(query, *values)), None)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        cursor = self.run(query, *values)
        try:
            return cursor.fetchall()
        except sqlite3.Error as error:
            raise self._wrong(error) from error

    def _opened(self) -> sqlite3.Connection:
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, private.FILE))
            db = sqlite3.connect(self.path, isolation_level=None, timeout=10.0)
        except (OSError, sqlite3.Error) as error:
            raise self._wrong(error) from error
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            self._made(db)
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise sqlite3.DatabaseError(found)
        except sqlite3.Error as error:
            db.close()
            raise self._wrong(error) from error
        except BaseException:  # whatever it was goes on
            db.close()
            raise
        return db

    def _made(self, db: sqlite3.Connection) -> None:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            schema = resources.files(__package__ or "").joinpath("schema.sql").read_text(encoding="utf-8")
            db.executescript(f"BEGIN IMMEDIATE; {schema} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version in _LATER:
            db.executescript(f"BEGIN IMMEDIATE; {_LATER[version]} PRAGMA user_version = {VERSION}; COMMIT;")
        elif version != VERSION:
            raise WorkerError(
                f"this state is of another version of agent-connector ({version}, this one knows {VERSION})",
                where=self.path,
                remedy="Use that version, or name another `statePath`.",
            )

    def _wrong(self, error: OSError | sqlite3.Error) -> WorkerError:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith("SQLITE_FULL"):
            return WorkerError(
                "no space is left for the worker's state",
                where=self.path,
                remedy="Make room on that disk; nothing is lost meanwhile, and no task is begun.",
            )
        if name.startswith(_DAMAGED) or type(error) is sqlite3.DatabaseError:
            return WorkerError(
                f"the state cannot be used: {error}",
                where=self.path,
                remedy="The file is damaged: move it away. Tasks that stand in `pollStatus` are then taken, also those that were done.",
            )
        return WorkerError(
            f"the state cannot be used: {error}",
            where=self.path,
            remedy="See that the disk has room and that you may write there.",
        )


def _writable(value: Any) -> Any:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
