"""One SQLite file, used by one statement at a time."""

import os
import sqlite3
import threading
from collections.abc import Sequence
from typing import Any

SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY, account TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, changed REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, salt BLOB NOT NULL, hash BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS sign_ins (id TEXT PRIMARY KEY, account TEXT NOT NULL, until REAL NOT NULL);
CREATE TABLE IF NOT EXISTS secret (value BLOB NOT NULL);
"""


class Database:
    def __init__(self, path: str) -> None:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._lock = threading.Lock()
        self._connection.execute("PRAGMA journal_mode=WAL").fetchall()
        self._connection.execute("PRAGMA busy_timeout=5000").fetchall()
        self._connection.executescript(SCHEMA)

    def rows(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()

    def row(self, sql: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self.rows(sql, *values)), None)
