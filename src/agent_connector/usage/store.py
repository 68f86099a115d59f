"""Rows into the index, in two steps: batches are put into `incoming` with how far their file was read, then merged.

Merging many rows at once costs a fraction of looking each one up. A key that is met once becomes a row of `facts`; one
that is met again, in another file or in this one, goes into `sightings` from each file, and the unit is what `lineage`
makes of all of them. A scan that is killed between the steps loses nothing: the next one merges what has come in.

While an empty index is filled, a row whose key cannot have been met becomes a fact at once, and only the others are merged,
when all is read.
"""

import functools
import itertools
import json
import operator
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from agent_connector.usage import index, lineage
from agent_connector.usage.batches import Batch, Context, Row
from agent_connector.usage.identify import Identify, hidden, shown
from agent_connector.usage.lineage import COUNTS, Sighting, settle

_COUNTED = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning", "requests")
_MONEY = ("cost", "credits")
_COLUMNS = ("key", "file", "context", "time", *_COUNTED, *_MONEY)
_ALL = ", ".join(_COLUMNS)
_MARKS = ", ".join("?" * len(_COLUMNS))
_LARGER = ", ".join(
    [f"{name} = max({name}, excluded.{name})" for name in _COUNTED]
    + [f"{name} = max(coalesce({name}, excluded.{name}), coalesce(excluded.{name}, {name}))" for name in _MONEY]
)
_LATER = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[2:])
# Nothing but names of columns and words of this module is put into these statements.
_NEW = f"INSERT INTO facts ({_ALL}) VALUES ({_MARKS})"  # noqa: S608
_INCOMING = f"INSERT INTO incoming ({_ALL}) VALUES ({_MARKS})"  # noqa: S608
_TWICE = "INSERT INTO met SELECT key FROM incoming GROUP BY key HAVING count(*) > 1"
_AGAIN = "INSERT OR IGNORE INTO met SELECT key FROM incoming WHERE key IN (SELECT key FROM facts)"
_ONCE = f"INSERT INTO facts ({_ALL}) SELECT {_ALL} FROM incoming WHERE key NOT IN met ORDER BY key"  # noqa: S608
_FORMER = f"INSERT INTO sightings ({_ALL}) SELECT {_ALL} FROM facts WHERE key IN met AND file > 0"  # noqa: S608
_SIGHTINGS = tuple(
    f"INSERT INTO sightings ({_ALL}) SELECT {_ALL} FROM incoming WHERE key IN met"  # noqa: S608
    f" AND file IN (SELECT id FROM files WHERE last = {last}) ORDER BY id ON CONFLICT (key, file) DO UPDATE SET {how}"
    for last, how in enumerate((_LARGER, _LATER))
)
_SEEN = f"""
SELECT {", ".join(f"s.{name}" for name in _COLUMNS)} FROM met CROSS JOIN sightings s ON s.key = met.key
ORDER BY met.key, s.file
"""  # noqa: S608
_FACTS = f"""
SELECT {", ".join(f"f.{name}" for name in ("key", *_COLUMNS[2:]))} FROM met CROSS JOIN facts f ON f.key = met.key
ORDER BY met.key
"""  # noqa: S608
_NO_FACT: tuple[Any, ...] = ()
_UNITS = f"""
INSERT INTO facts ({_ALL}) VALUES ({_MARKS}) ON CONFLICT (key) DO UPDATE SET file = excluded.file, {_LATER}
"""  # noqa: S608
_HOURS = """
INSERT INTO hours SELECT DISTINCT time / 3600000, (SELECT value FROM meta WHERE name = 'generation') FROM incoming
WHERE true ON CONFLICT DO UPDATE SET generation = excluded.generation
"""
_KEY = operator.itemgetter(0)
_SLOTS = (1 << 23) - 1  # what of a key says whether it can have been met
_CONTEXT = f"INSERT OR IGNORE INTO contexts VALUES ({', '.join('?' * 11)})"  # noqa: S608


class Log(NamedTuple):
    """The file of a batch, as it was when it was decided to read it."""

    host: str
    size: int
    modified: int
    inode: int
    former: int  # the row of what stood at its path before, 0 for none
    new: bool  # nothing of it is in the index


class Store:
    """The index as the one that writes it sees it; all but `begin` happens within a transaction."""

    def __init__(self, connection: sqlite3.Connection, identify: Identify) -> None:
        self.connection = connection
        self.identify = functools.cache(identify)  # it may look at the disk
        self.contexts = set[int]()  # those that are known to be there
        self.waiting = 0  # rows that are not merged and soon should be
        self.slots: bytearray | None = None  # while an empty index is filled: which keys can have been met
        self.dropped = False  # something was taken back: what replaces it has to be merged in the same transaction
        connection.execute("CREATE TEMP TABLE IF NOT EXISTS met (key INTEGER PRIMARY KEY)")

    def begin(self) -> None:
        self.connection.execute("BEGIN IMMEDIATE")

    def fill(self) -> None:
        """The index is empty, and much will come."""
        self.slots = bytearray(_SLOTS + 1)

    def add(self, batch: Batch, log: Log) -> None:
        """One batch, and how far it goes."""
        if batch.fresh and not log.new:
            self.drop(batch.file)
        if batch.rows:
            for context in batch.contexts:
                if context[0] not in self.contexts:
                    self._context(log.host, context)
            if log.former:
                self._take_over(log.former, batch.file, [row[0] for row in batch.rows])
            if self.slots is not None:
                self._put(batch.rows, self.slots)
            else:
                self.connection.executemany(_INCOMING, batch.rows)
                self.waiting += len(batch.rows)
        self._progress(batch, log)

    def drop(self, file: int) -> None:
        """Take back what a file gave."""
        run = self.connection.execute
        self._next()
        self.dropped = True
        run("DELETE FROM incoming WHERE file = ?", (file,))
        run("DELETE FROM facts WHERE file = ?", (file,))
        keys = [key for (key,) in run("SELECT key FROM sightings WHERE file = ?", (file,))]
        if keys:
            run("DELETE FROM sightings WHERE file = ?", (file,))
            self._meet(keys)
            self._settle()

    def merge(self) -> None:
        """What has come in becomes units."""
        run = self.connection.execute
        filled = self.slots is not None
        if filled:
            self.slots = None
            index.keyed(self.connection)
        self._next()
        run("DELETE FROM met")
        run(_TWICE)
        run(_AGAIN)
        run(_ONCE)
        run(_FORMER)
        for statement in _SIGHTINGS:
            run(statement)
        self._settle()
        if filled:
            index.filled(self.connection)
        else:
            run(_HOURS)
        run("DELETE FROM incoming")
        self.waiting, self.dropped = 0, False

    # ---- parts

    def _put(self, rows: Iterable[Row], slots: bytearray) -> None:
        """Rows while an empty index is filled."""
        new: list[Row] = []
        perhaps: list[Row] = []
        for row in rows:
            slot = row[0] & _SLOTS
            if slots[slot]:
                perhaps.append(row)
            else:
                slots[slot] = 1
                new.append(row)
        self.connection.executemany(_NEW, new)
        self.connection.executemany(_INCOMING, perhaps)

    def _next(self) -> None:
        """What changes from here on is of another generation."""
        self.connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'generation'")

    def _progress(self, batch: Batch, log: Log) -> None:
        run = self.connection.execute
        if batch.state is not None:
            state = json.dumps(hidden(batch.state, self.identify), separators=(",", ":")) if batch.state else "{}"
            run(
                "UPDATE files SET offset = ?, mark = ?, state = ? WHERE id = ?",
                (batch.offset, batch.mark, state, batch.file),
            )
        if not batch.done:
            return
        if batch.problem and not batch.found:  # it is tried again the next time, changed or not
            run("UPDATE files SET problem = ?, found = '' WHERE id = ?", (batch.problem, batch.file))
        else:
            run(
                "UPDATE files SET problem = ?, found = ?, size = ?, modified = ?, inode = ?, former = 0 WHERE id = ?",
                (batch.problem, batch.found, log.size, log.modified, log.inode, batch.file),
            )

    def _context(self, host: str, context: Context) -> None:
        number, session, parent, model, provider, project, tier, agent, source = context
        names = (session, parent, model, provider, *shown(project, self.identify), tier, agent, source)
        self.connection.execute(_CONTEXT, (number, host, *names))
        self.contexts.add(number)

    def _meet(self, keys: Iterable[int]) -> None:
        self.connection.execute("DELETE FROM met")
        self.connection.executemany("INSERT OR IGNORE INTO met VALUES (?)", ((key,) for key in keys))

    def _settle(self) -> None:
        """Make the units of `met` anew from their sightings."""
        run = self.connection.execute
        units: list[tuple[Any, ...]] = []
        single: list[tuple[int]] = []
        named, facts = _Named(self.connection), run(_FACTS)
        former = next(facts, _NO_FACT)
        for key, group in itertools.groupby(run(_SEEN), key=_KEY):
            seen = list(group)
            unit = seen[0][2:]
            if len(seen) == 1:
                single.append((key,))
            elif not all(row[2:] == unit for row in seen):  # no copies to the word
                unit = named.settled(seen)
            while former and former[0] < key:
                former = next(facts, _NO_FACT)
            if len(seen) == 1 or former[:1] != (key,) or former[1:] != unit:
                units.append((key, seen[0][1] if len(seen) == 1 else 0, *unit))
        facts.close()
        run("DELETE FROM facts WHERE key IN met AND key NOT IN (SELECT key FROM sightings)")
        run("UPDATE facts SET file = 0 WHERE key IN met AND file > 0")
        self.connection.executemany(_UNITS, units)
        self.connection.executemany("DELETE FROM sightings WHERE key = ?", single)

    def _take_over(self, former: int, file: int, keys: list[int]) -> None:
        """What the rewritten file still has is its own now; what it no longer has stays the former's."""
        run = self.connection.execute
        self._meet(keys)
        run("UPDATE facts SET file = ? WHERE file = ? AND key IN met", (file, former))
        run("UPDATE OR IGNORE sightings SET file = ? WHERE file = ? AND key IN met", (file, former))
        run("DELETE FROM sightings WHERE file = ? AND key IN met", (former,))


class _Named:
    """What sightings have to be told apart by, looked up once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.files: dict[int, tuple[str, int]] = {}
        self.contexts: dict[int, tuple[str, str]] = {}
        self.depths: dict[
            frozenset[int], dict[int, tuple[int, str]]
        ] = {}  # contexts that met: depth and session of each

    def settled(self, seen: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        """Context, time, counts and money of the unit behind these rows of `sightings`."""
        counted = seen[0][4:]
        if all(row[4:] == counted for row in seen):  # most copies: only whose they are has to be found out
            return (*self._owner(seen)[2:4], *counted)
        unit = settle([self._sighting(row) for row in seen], "last" if self._file(seen[0][1])[1] else "max")
        return (unit.context, unit.time, *unit.counts, unit.cost, unit.credits)

    def _owner(self, seen: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        """Of rows with the same counts the one that `lineage.settle` takes the context and the time of."""
        met = frozenset([row[2] for row in seen])
        depths = self.depths.get(met)
        if depths is None:
            names = {context: self._names(context) for context in met}
            depth = lineage.depths(names.values())
            depths = self.depths[met] = {context: (depth[session], session) for context, (session, _) in names.items()}
        ranks = [(depths[row[2]][0], row[3]) for row in seen]
        least = min(ranks)
        first = [row for row, rank in zip(seen, ranks, strict=True) if rank == least]
        if len(first) == 1:
            return first[0]
        return min(first, key=lambda row: (depths[row[2]][1], self._file(row[1])[0]))

    def _names(self, context: int) -> tuple[str, str]:
        names = self.contexts.get(context)
        if names is None:
            found = self.connection.execute("SELECT session, parent FROM contexts WHERE id = ?", (context,))
            names = self.contexts[context] = found.fetchone()
        return names

    def _sighting(self, row: Sequence[Any]) -> Sighting:
        _, file, context, time, *counts = row
        session, parent = self._names(context)
        cost, credits = counts[COUNTS:]
        return Sighting(session, parent, context, time, tuple(counts[:COUNTS]), cost, credits, self._file(file)[0])

    def _file(self, file: int) -> tuple[str, int]:
        if file not in self.files:
            found = self.connection.execute("SELECT path, last FROM files WHERE id = ?", (file,))
            self.files[file] = found.fetchone()
        return self.files[file]
