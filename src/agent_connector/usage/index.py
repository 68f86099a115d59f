"""The index of usage: one SQLite file below our home, made and opened here, with what reports are built on.

    with open_index(root) as index:
        index.execute("SELECT host, sum(output) FROM units GROUP BY host")

`units` is a view with one row for each unit, names in clear. Sums over millions of rows are faster over `facts`,
grouped by its `context` and joined with the few `contexts` afterwards.

Who keeps sums of their own need not sum again: `generation` grows with every change, and the table `hours` says for
each hour of time (ms / 3 600 000, UTC) in which generation its units last changed. Sums that were made in generation g
are right but for the hours with `generation > g`; `facts_time` finds the units of an hour.
"""

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager

from agent_connector.errors import UsageError
from agent_connector.home import paths

SCHEMA = 1
HOUR = 3_600_000
RECENT = 86_400_000  # ms: a session that was used since then has a summary
_SQL = os.path.join(os.path.dirname(__file__), "schema.sql")
_TOKENS = "{0}input + {0}cache_read + {0}cache_write_5m + {0}cache_write_1h + {0}output"
# Nothing but names of columns and words of this module is put into these statements.
_TOTALS = f"""
INSERT INTO totals
SELECT host, count(*), sum({_TOKENS.format("")}) FROM facts JOIN contexts ON contexts.id = context GROUP BY host
"""  # noqa: S608
_MORE = f"""
INSERT INTO totals SELECT host, 1, {_TOKENS.format("new.")} FROM contexts WHERE id = new.context
ON CONFLICT (host) DO UPDATE SET units = units + 1, tokens = tokens + excluded.tokens;
"""  # noqa: S608
_LESS = f"""
UPDATE totals SET units = units - 1, tokens = tokens - ({_TOKENS.format("old.")})
WHERE host = (SELECT host FROM contexts WHERE id = old.context);
"""  # noqa: S608
_UNLIKE = f"(old.context, {_TOKENS.format('old.')}) <> (new.context, {_TOKENS.format('new.')})"
_COUNTING = {  # triggers that keep `totals`; without them it is out of date
    "counted": f"AFTER INSERT ON facts BEGIN {_MORE} END",
    "uncounted": f"AFTER DELETE ON facts BEGIN {_LESS} END",
    "recounted": f"AFTER UPDATE ON facts WHEN {_UNLIKE} BEGIN {_LESS} {_MORE} END",
}
_KEY = "facts_key"
_INDEXES = {  # those of `facts`, in the words of schema.sql
    _KEY: "UNIQUE INDEX IF NOT EXISTS {} ON facts (key)",
    "facts_time": "INDEX IF NOT EXISTS {} ON facts (time)",
    "facts_file": "INDEX IF NOT EXISTS {} ON facts (file)",
}
_HOURS = """
INSERT INTO hours SELECT DISTINCT time / 3600000, (SELECT value FROM meta WHERE name = 'generation') FROM facts
WHERE true ON CONFLICT DO UPDATE SET generation = excluded.generation
"""
_MUCH = 4 << 20  # bytes of logs for which it pays to make the indexes afterwards
_WAIT = 30.0  # seconds for another one's transaction, which takes a fraction of one
_CACHE = -8_000  # KB of pages


@contextmanager
def open_index(root: str) -> Generator[sqlite3.Connection]:
    """The index for reading; an empty one where nothing was ever read."""
    path = paths.usage_index(root)
    try:
        with closing(_reading(path)) as connection:
            yield connection
    except sqlite3.DatabaseError as error:
        raise _damaged(path, error) from error


def _reading(path: str) -> sqlite3.Connection:
    if not os.path.exists(path):
        connection = sqlite3.connect(":memory:", isolation_level=None)
        _create(connection)
        return connection
    connection = _connect(path)
    if _version(connection) != SCHEMA:
        connection.close()
        return _reading("")  # of an older or newer program: the next scan makes it again
    connection.execute("PRAGMA query_only = 1")
    return connection


@contextmanager
def writing(root: str) -> Generator[sqlite3.Connection]:
    """The index for the one who scans; one of an older version is made again."""
    path = paths.usage_index(root)
    try:
        with closing(_connect(path)) as connection:
            version = _version(connection)
            if version > SCHEMA:
                raise UsageError(
                    f"the index of usage was made by a newer agent-connector (its version is {version})",
                    where=path,
                    remedy="Use that one, or run `agent-connector usage rebuild`.",
                )
            if version < SCHEMA:
                from agent_connector.home import lock

                with lock.held(
                    paths.usage_folder(root), _WAIT
                ):  # two that change its journal do not wait for one another
                    _create(connection)
            yield connection
    except sqlite3.DatabaseError as error:
        raise _damaged(path, error) from error


def clear(root: str) -> None:
    """Forget everything that was read."""
    path = paths.usage_index(root)
    try:
        with closing(_connect(path)) as connection:
            _create(connection, anew=True)
    except sqlite3.DatabaseError:  # damaged beyond that
        from agent_connector.home import private

        for name in (path, path + "-wal", path + "-shm"):
            private.remove(name)


def generation(connection: sqlite3.Connection) -> int:
    """A number that grows whenever a unit appears or changes."""
    return connection.execute("SELECT value FROM meta WHERE name = 'generation'").fetchone()[0]


def latest(connection: sqlite3.Connection, since: int) -> int:
    """The last hour (ms) whose units changed after generation `since`; 0 when none did."""
    (hour,) = connection.execute("SELECT max(hour) FROM hours WHERE generation > ?", (since,)).fetchone()
    return (hour or 0) * HOUR


def unmerged(connection: sqlite3.Connection) -> bool:
    """True when a scan was killed before it was through."""
    return not complete(connection) or connection.execute("SELECT 1 FROM incoming LIMIT 1").fetchone() is not None


def complete(connection: sqlite3.Connection) -> bool:
    """False while an empty index is filled, and after that was killed."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'facts_key'").fetchone() is not None


def filling(connection: sqlite3.Connection, size: int) -> bool:
    """Prepare for logs of `size` bytes. True when the index is empty and will get much: `filled` is to be called then."""
    if size < _MUCH or connection.execute("SELECT 1 FROM facts UNION ALL SELECT 1 FROM incoming LIMIT 1").fetchone():
        return False
    with transaction(connection):
        for name in _INDEXES:
            connection.execute(f"DROP INDEX IF EXISTS {name}")
        for name in _COUNTING:
            connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    return True


def keyed(connection: sqlite3.Connection) -> None:
    """Make the index that finds units, before `filled` makes the others: what is changed between costs less so."""
    connection.execute(f"CREATE {_INDEXES[_KEY].format(_KEY)}")


def filled(connection: sqlite3.Connection) -> None:
    """Make the indexes that `filling` left out, and say that all is new. Within a transaction, by the one who scans."""
    connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")
    connection.execute(_HOURS)
    for name, made in _INDEXES.items():
        connection.execute(f"CREATE {made.format(name)}")


def totals(connection: sqlite3.Connection) -> dict[str, tuple[int, int]]:
    """Units and tokens of each host: summed the first time, kept by triggers from then on."""
    kept = "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'counted'"
    if connection.execute(kept).fetchone() is None:
        with transaction(connection):
            connection.execute("DELETE FROM totals")
            connection.execute(_TOTALS)
            for name, counting in _COUNTING.items():
                connection.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {counting}")
    return {host: (units, tokens) for host, units, tokens in connection.execute("SELECT * FROM totals")}


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:  # an interrupt must not leave the index locked either; it goes on
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _connect(path: str) -> sqlite3.Connection:
    if not os.path.exists(path):
        from agent_connector.home import private

        private.make_folder(os.path.dirname(path))
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, private.FILE))
    connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    connection.execute(f"PRAGMA cache_size = {_CACHE}")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


def _create(connection: sqlite3.Connection, anew: bool = False) -> None:
    """An empty index in place of what is there, unless another process has made it meanwhile."""
    connection.execute("PRAGMA journal_mode = WAL")
    with transaction(connection):
        if not anew and _version(connection) >= SCHEMA:
            return
        for kind, name in connection.execute(
            "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view')"
        ).fetchall():
            if not name.startswith("sqlite_"):
                connection.execute(f'DROP {kind} "{name}"')
        with open(_SQL, encoding="utf-8") as script:
            for statement in _statements(script.read()):
                connection.execute(statement)
        connection.execute("INSERT INTO meta VALUES ('generation', 0)")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _statements(text: str) -> Generator[str]:
    """The statements of a script; those of a trigger are parts of one."""
    so_far = ""
    for line in text.splitlines(keepends=True):
        so_far += line
        if sqlite3.complete_statement(so_far):
            yield so_far
            so_far = ""


def _version(connection: sqlite3.Connection) -> int:
    return connection.execute("PRAGMA user_version").fetchone()[0]


def _damaged(path: str, error: sqlite3.DatabaseError) -> UsageError:
    """A rebuild forgets what hosts have cleaned up since, so only a damaged file is worth one."""
    spoilt = getattr(error, "sqlite_errorname", "") in ("SQLITE_CORRUPT", "SQLITE_NOTADB")
    return UsageError(
        f"the index of usage cannot be used: {error}",
        where=path,
        remedy="Run `agent-connector usage rebuild`: it is made again from the logs that the hosts still have."
        if spoilt
        else "Is the disk full, or the folder not yours to write? Nothing is lost: run it again once there is room.",
    )
