"""What is to be read: each log as it is now, beside what the index knows of it.

same        nothing to do; it is not even opened
grown       what was read still stands there (a hash of its head and of the last bytes that were read says so)
replaced    rewritten, truncated or rotated: read from its beginning under a new row; the former row is `gone`
older       read by an older reader: what it gave is dropped, and it is read again
"""

import json
import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agent_connector.usage.walk import Found

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Usage
    from agent_connector.usage.reading import Task
    from agent_connector.usage.store import Store

_KNOWN = """
SELECT path, id, kind, version, size, modified, inode, offset, mark, state, problem, found, former
FROM files WHERE host = ? AND NOT gone
"""


class Known(NamedTuple):
    """A log as the index knows it."""

    path: str
    id: int
    kind: str
    version: int
    size: int
    modified: int
    inode: int
    offset: int
    mark: bytes
    state: str
    problem: str
    found: str
    former: int


class Changed(NamedTuple):
    """A log that is to be read."""

    now: Found
    known: Known | None


def known(connection: sqlite3.Connection, host: str) -> dict[str, Known]:
    """The living logs of a host, by path."""
    return {row[0]: Known(*row) for row in connection.execute(_KNOWN, (host,))}


def with_log(found: Found) -> Found:
    """A database counts as changed when its write-ahead log did."""
    with suppress(OSError):
        log = os.stat(found.path + "-wal")
        return found._replace(size=found.size + log.st_size, modified=max(found.modified, log.st_mtime_ns))
    return found


def differing(before: dict[str, Known], now: Iterable[Found], facet: "Usage") -> list[Changed]:
    """Those that are new or not as they were."""
    changed: list[Changed] = []
    for found in now:
        reader = facet.READERS[found.kind]
        if reader.shape == "database":
            found = with_log(found)
        former = before.get(found.path)
        if former is None or former[2:7] != (found.kind, reader.version, *found[2:]):
            changed.append(Changed(found, former))
    return changed


def task(store: "Store", host: str, change: Changed, facet: "Usage") -> "Task":
    """How a changed log is to be read, written down before it is."""
    from agent_connector.usage.batches import Job
    from agent_connector.usage.reading import Task
    from agent_connector.usage.store import Log

    now, before = change
    reader = facet.READERS[now.kind]
    if before is not None and before.kind == now.kind and before.version != reader.version:
        _again(store, before.id)
        before = before._replace(offset=0, state="{}", mark=b"", version=reader.version)
    row, offset, state, former = 0, 0, dict[str, Any](), 0
    if before is not None:
        row, former = before.id, before.former
        if before.kind != now.kind or _replaced(before, now, reader.shape):
            row, former = 0, before.id
        elif reader.shape != "document":
            offset, state = before.offset, json.loads(before.state)
    file = _note(store.connection, host, now, (reader.version, facet.MERGE == "last"), row, former)
    mark = before.mark if offset and before is not None else b""
    job = Job(file, host, now.kind, now.path, now.modified, offset, mark, state)
    return Task(job, Log(host, *now[2:], former, not row), max(0, now.size - offset))


def _replaced(before: Known, now: Found, shape: str) -> bool:
    """True when what was read of it does not stand there any more."""
    moved = bool(before.inode and now.inode and before.inode != now.inode)
    if shape == "document":
        return False
    if shape == "database":
        return moved and before.size >= 0
    if not before.offset:
        return False
    if moved or now.size < before.offset or now.path.endswith(".zst"):
        return True
    from agent_connector.usage import batches

    try:
        with open(now.path, "rb", buffering=0) as stream:
            return batches.mark(stream, before.offset) != before.mark
    except OSError:
        return False  # said when it is read


def _note(
    connection: sqlite3.Connection, host: str, now: Found, reader: tuple[int, bool], row: int, former: int
) -> int:
    """Write down what the log looks like now; its size counts as read when its last batch is."""
    if row:
        connection.execute("UPDATE files SET version = ?, last = ?, size = -1 WHERE id = ?", (*reader, row))
        return row
    if former:
        connection.execute("UPDATE files SET gone = 1 WHERE id = ?", (former,))
    done = connection.execute(
        "INSERT INTO files (path, host, kind, version, last, size, modified, inode, offset, mark, state, problem,"
        " found, former, gone) VALUES (?, ?, ?, ?, ?, -1, 0, ?, 0, x'', '{}', '', '', ?, 0)",
        (now.path, host, now.kind, *reader, now.inode, former),
    )
    return cast(int, done.lastrowid)


def _again(store: "Store", file: int) -> None:
    """Take back what an older reader made of a log, which will be read from its beginning."""
    store.drop(file)
    store.connection.execute("UPDATE files SET offset = 0, state = '{}', mark = x'' WHERE id = ?", (file,))
