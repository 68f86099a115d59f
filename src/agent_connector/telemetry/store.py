"""The book in SQLite: whoever reads folds the segments into it first.

A segment's new lines and how far it was read are one transaction, and transactions of several folders follow one
another; so nothing is folded twice and nothing is missed, wherever a process is killed.
"""

import json
import os
import sqlite3
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from agent_connector.errors import TelemetryError
from agent_connector.home import paths, progress, spare
from agent_connector.telemetry.sizes import class_of

SCHEMA = 2
_SQL = Path(__file__).with_name("schema.sql")
_TAKE = 8 << 20  # bytes of a segment that are folded at once
_REST_DAYS = 2  # a segment is removed when its day is that far back: nobody writes to it any more
_DAY = 86_400_000
_QUARTER = 900_000  # of an hour: no zone's day begins within one
_LAST = 4_102_444_800_000  # the year 2100: a later time is no time
_MOST = 1 << 40  # no one call has more tokens or milliseconds; sums of these still fit into the book
_DAMAGED = "move the file away; the counts of the last two days are folded in again"
_BARRED = "make room on the disk, or give yourself leave to write there, then run this again; nothing is lost meanwhile"
_TEXTS = ("scope", "connector", "host", "surface", "tool", "session", "project", "family")
_START = b'{"v":'

_INSERT = "INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_SUM = """
INSERT INTO {table} VALUES ({places})
ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls, errors = errors + excluded.errors,
    tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out,
    ms = ms + excluded.ms, ms_most = max(ms_most, excluded.ms_most), timed = timed + excluded.timed
"""
_SUM_DAY = _SUM.format(table="days", places=", ".join("?" * 16))
_SUM_SESSION = _SUM.format(table="sessions", places=", ".join("?" * 13))
_SIZE = "INSERT INTO sizes VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls"
_NAME = "INSERT INTO projects VALUES (?, ?) ON CONFLICT DO UPDATE SET name = excluded.name"
_READ = (
    "INSERT INTO segments VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET inode = excluded.inode, offset = excluded.offset"
)


@contextmanager
def book(root: str, keep: Mapping[str, int] | None = None) -> Generator[sqlite3.Connection]:
    """The book below `root` with all segments folded in. `keep` is connector -> days; others keep everything."""
    with _said(paths.telemetry_store(root)), ExitStack() as held:
        try:
            connection = held.enter_context(closing(connect(paths.telemetry_store(root))))
            fold(connection, paths.segments_folder(root))
            forget(connection, keep or {})
        except (OSError, sqlite3.Error) as error:
            if not spare.barred(error):
                raise
            connection = held.enter_context(_copy(root))
        yield connection


@contextmanager
def _copy(root: str) -> Generator[sqlite3.Connection]:
    """A book that is not kept, where the kept one cannot be written to: a copy of it, with the segments folded in."""
    path = paths.telemetry_store(root)
    with spare.folder(spare.database(path, "telemetry.db")) as place:
        progress.remark(f"{path} cannot be written to; this is read from a copy of it, and nothing is kept")
        with closing(connect(os.path.join(place, "telemetry.db"))) as connection:
            fold(connection, paths.segments_folder(root), remove=False)
            yield connection


def is_kept(connection: sqlite3.Connection, root: str) -> bool:
    """False for a book that is gone afterwards."""
    file = connection.execute("PRAGMA database_list").fetchone()[2]
    return os.path.realpath(file) == os.path.realpath(paths.telemetry_store(root))


@contextmanager
def _said(path: str) -> Generator[None]:
    """What the system or SQLite refuses, as an error of ours."""
    try:
        yield
    except OSError as error:
        raise TelemetryError(
            f"the counts cannot be read: {error.strerror or error}",
            where=str(error.filename or path),
            remedy="move away what stands there, or give yourself access to it, then run this again",
        ) from error
    except sqlite3.DatabaseError as error:
        raise TelemetryError(
            f"the book of counts cannot be used: {error}",
            where=path,
            remedy=_DAMAGED
            if getattr(error, "sqlite_errorname", "") in ("SQLITE_CORRUPT", "SQLITE_NOTADB")
            else _BARRED,
        ) from error


def connect(path: str) -> sqlite3.Connection:
    """Open the database, and make it when it is new."""
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    connection = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # segments are removed once this says that they are in
        if _schema(connection) != SCHEMA:
            with transaction(connection):
                _migrate(connection, _schema(connection), path)
        os.chmod(path, 0o600)
    except BaseException:  # whatever it was goes on
        connection.close()
        raise
    return connection


def _schema(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _migrate(connection: sqlite3.Connection, old: int, path: str) -> None:
    """Bring a book of an older schema, or a new one, to ours; its sums are made again from its rows."""
    if old == SCHEMA:
        return  # another process was quicker
    if old > SCHEMA:
        raise TelemetryError(
            f"the book of counts has schema {old}, this version knows {SCHEMA}",
            where=path,
            remedy="It was written by a newer agent-connector: upgrade this one.",
        )
    if old:
        connection.execute("DROP TABLE days")
    for statement in _SQL.read_text(encoding="utf-8").split(";\n"):
        connection.execute(statement)
    if old:
        connection.create_function("class_of", 1, class_of, deterministic=True)
        for statement in _SQL.with_name("sums.sql").read_text(encoding="utf-8").split(";\n"):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All or nothing, one after another between processes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:  # an interrupt must not leave the book locked either; it goes on
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def fold(connection: sqlite3.Connection, folder: str, *, remove: bool = True) -> int:
    """Fold in what segments hold beyond what was read. Returns the number of rows."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))
    except FileNotFoundError:
        return 0
    return sum(fold_segment(connection, folder, name, remove=remove) for name in names)


def fold_segment(connection: sqlite3.Connection, folder: str, name: str, *, remove: bool = True) -> int:
    """Fold in one segment; remove it once it is read to its end and its day is over."""
    path, total, rest = os.path.join(folder, name), 0, True
    try:
        with open(path, "rb") as file:
            while rest:
                with transaction(connection):
                    count, rest = take(connection, file.fileno(), name)
                total += count
            done = remove and over(name) and whole(connection, file.fileno(), name)
        if done:
            os.unlink(path)
    except FileNotFoundError:
        return total  # another folder has removed it
    return total


def take(connection: sqlite3.Connection, file: int, name: str) -> tuple[int, bool]:
    """Fold in the next lines of a segment, inside a transaction. (rows, whether there is more)"""
    known = connection.execute("SELECT inode, offset FROM segments WHERE name = ?", (name,)).fetchone()
    status = os.fstat(file)
    offset = known[1] if known and known[0] == status.st_ino and known[1] <= status.st_size else 0
    os.lseek(file, offset, os.SEEK_SET)
    data = os.read(file, _TAKE)
    end = data.rfind(b"\n") + 1 if not over(name) or len(data) == _TAKE else len(data)
    if not end:
        return 0, False
    rows = [row for row in map(parse, data[:end].split(b"\n")) if row]
    add(connection, rows)
    connection.execute(_READ, (name, status.st_ino, offset + end))
    return len(rows), end < len(data) or len(data) == _TAKE


def parse(line: bytes) -> dict[str, Any] | None:
    """The row of a line. Behind the rest of a torn one it is found by its beginning; what is no row is passed over."""
    for data in (line, line[line.rfind(_START) :] if _START in line else b""):
        try:
            row: Any = json.loads(data)
        except (ValueError, RecursionError):
            continue
        found = cast(dict[str, Any], row) if isinstance(row, dict) else {}
        if isinstance(found.get("t"), int) and 0 <= found["t"] < _LAST:
            return found
    return None


def add(connection: sqlite3.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows and their sums."""
    days: dict[tuple[str, ...], list[float]] = {}
    sessions: dict[tuple[str, ...], list[float]] = {}
    sizes: dict[tuple[str, str, str, str, int], int] = {}
    names: dict[str, str] = {}
    values: list[tuple[Any, ...]] = []
    for row in rows:
        texts = tuple(text(row, key) for key in _TEXTS)
        scope, connector, host, surface, tool, session, project, family = texts
        given, brought, number = whole_number(row, "in"), whole_number(row, "out"), whole_number(row, "n", 1)
        source, error = text(row, "source") or "heuristic", 1 if row.get("error") else 0
        ms = row["ms"] if _is_sane(row.get("ms")) else None
        values.append((row["t"], *texts, given, brought, source, ms, error, number))
        when = day(row["t"])
        numbers = (number, error * number, given, brought, ms)
        _sum(days, (when, scope, connector, host, surface, tool, project, family, source), *numbers)
        _sum(sessions, (when, scope, connector, host, session, source), *numbers)
        if scope == "call" and number == 1:
            size = (when, connector, host, tool, class_of(brought))
            sizes[size] = sizes.get(size, 0) + 1
        if row.get("project") and row.get("project_name"):
            names[project] = text(row, "project_name")
    connection.executemany(_INSERT, values)
    connection.executemany(_SUM_DAY, [(*key, *total) for key, total in days.items()])
    connection.executemany(_SUM_SESSION, [(*key, *total) for key, total in sessions.items()])
    connection.executemany(_SIZE, [(*key, calls) for key, calls in sizes.items()])
    connection.executemany(_NAME, names.items())


def _sum(
    sums: dict[tuple[str, ...], list[float]],
    key: tuple[str, ...],
    calls: int,
    errors: int,
    given: int,
    brought: int,
    ms: float | None,
) -> None:
    total = sums.setdefault(key, [0, 0, 0, 0, 0, 0, 0])
    total[0] += calls
    total[1] += errors
    total[2] += given
    total[3] += brought
    if ms is not None:
        total[4] += ms
        total[5] = max(total[5], ms)
        total[6] += 1


def whole_number(row: Mapping[str, Any], key: str, usual: int = 0) -> int:
    value = row.get(key, usual)
    return int(value) if _is_sane(value) else usual


def text(row: Mapping[str, Any], key: str) -> str:
    """The text of a field. Half a surrogate pair, which JSON allows and the book does not, becomes a question mark."""
    return str(row.get(key) or "").encode("utf-8", "replace").decode()


def _is_sane(value: Any) -> bool:
    """True for a number that can be a count: one such line must not keep all others out of the book."""
    return isinstance(value, int | float) and 0 <= value < _MOST


def day(t: int) -> str:
    """The day of a time, in this machine's zone."""
    return _day(max(t, 0) // _QUARTER)


@lru_cache(1024)
def _day(quarter: int) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(quarter * _QUARTER / 1000))


def over(name: str) -> bool:
    """True when a segment's day is so far back that nobody writes to it."""
    return name[:8] < time.strftime("%Y%m%d", time.gmtime(time.time() - _REST_DAYS * 86400))


def whole(connection: sqlite3.Connection, file: int, name: str) -> bool:
    """True when all of a segment is in the book."""
    known = connection.execute("SELECT inode, offset FROM segments WHERE name = ?", (name,)).fetchone()
    status = os.fstat(file)
    return bool(known) and known == (status.st_ino, status.st_size)


def forget(connection: sqlite3.Connection, keep: Mapping[str, int]) -> None:
    """Remove what is older than a connector's counts are to be kept."""
    now = time.time_ns() // 1_000_000
    connection.execute("DELETE FROM segments WHERE name < ?", (time.strftime("%Y%m%d", time.gmtime(now / 1000 - 2e6)),))
    for connector, days in keep.items():
        last = now - days * _DAY
        if connection.execute("SELECT 1 FROM days WHERE connector = ? AND day < ?", (connector, day(last))).fetchone():
            with transaction(connection):
                connection.execute("DELETE FROM rows WHERE connector = ? AND t < ?", (connector, last))
                for table in ("days", "sessions", "sizes"):
                    connection.execute(
                        f"DELETE FROM {table} WHERE connector = ? AND day < ?",  # noqa: S608  # names of ours
                        (connector, day(last)),
                    )
