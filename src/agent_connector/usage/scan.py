"""`usage scan`: what the hosts' logs say since the last time, into the index.

walk the hosts' places -> what differs from the index -> read it, in two processes where that pays -> batches, several to
a transaction. The logs are only read. A scan that is killed goes on where it stopped; two at once wait for one another.
"""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from agent_connector.hosts.machine import Machine
from agent_connector.usage import changes, facets, index, listed
from agent_connector.usage.changes import Changed, Known
from agent_connector.usage.identify import Identify, by_path
from agent_connector.usage.walk import walk

if TYPE_CHECKING:
    import sqlite3

    from agent_connector.hosts.contract import Usage
    from agent_connector.usage.reading import Task

PATIENCE = 600.0  # seconds that another scan may take before this one gives up


class Problem(NamedTuple):
    """A log that is not read, or not to its end. `version` is said where its format is not known."""

    path: str
    what: str
    version: str = ""


class HostResult(NamedTuple):
    """What a scan found of one host; `units` and `tokens` are all that the index has of it."""

    host: str
    files: int  # logs that are there now
    read: int  # of them, those that were read this time
    units: int
    tokens: int
    counts: bool  # False: this host keeps none on this machine, and `note` says why
    note: str
    problems: tuple[Problem, ...] = ()


class Result(NamedTuple):
    """What a scan found, host by host. `read` bytes were new; `latest` is the last hour (ms) in which a unit changed."""

    hosts: tuple[HostResult, ...]
    read: int = 0
    latest: int = 0

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(problem for host in self.hosts for problem in host.problems)


Listener = Callable[[str, int, int], None]  # host, bytes that are read by now, bytes that there are to read


class _Seen(NamedTuple):
    """A host's logs as they are now."""

    host: str
    facet: "Usage"
    known: dict[str, Known]
    files: int
    missing: tuple[str, ...]
    changed: list[Changed]


def scan(
    root: str,
    machine: Machine,
    hosts: Sequence[str] = (),
    identify: Identify = by_path,
    listener: Listener | None = None,
    *,
    sums: bool = True,
) -> Result:
    """Read what is new of `hosts`, or of every one that keeps logs.

    `identify` gives a project's hash and name; whoever scans the same index gives the same one. Without `sums` the
    result leaves `units` and `tokens` at 0, which saves looking at every unit.
    """
    with index.writing(root) as connection:
        seen = _look(connection, machine, hosts)
        if not any(each.changed or each.missing for each in seen) and not index.unmerged(connection):
            return _result(connection, seen, sums)
        from agent_connector.home import lock, paths

        with lock.held(paths.usage_folder(root), PATIENCE):
            seen = _look(connection, machine, hosts)  # another one may have read it meanwhile
            before = index.generation(connection)
            size = _read(connection, seen, identify, listener)
            return _result(connection, seen, sums, size, index.latest(connection, before))


def rebuild(root: str, machine: Machine, identify: Identify = by_path, listener: Listener | None = None) -> Result:
    """Forget everything and read all logs again. What only the index still knew is lost."""
    from agent_connector.home import lock, paths

    with lock.held(paths.usage_folder(root), PATIENCE):
        index.clear(root)
        return scan(root, machine, (), identify, listener)


def _look(connection: "sqlite3.Connection", machine: Machine, hosts: Sequence[str]) -> list[_Seen]:
    seen: list[_Seen] = []
    for host in hosts or facets.names():
        facet = facets.load(host)
        known = changes.known(connection, host)
        found = list(walk(listed.places(facet, machine))) if facet.READERS else []
        missing = tuple(set(known) - {each.path for each in found})
        seen.append(_Seen(host, facet, known, len(found), missing, changes.differing(known, found, facet)))
    return seen


def _read(connection: "sqlite3.Connection", seen: list[_Seen], identify: Identify, listener: Listener | None) -> int:
    from agent_connector.usage import reading
    from agent_connector.usage.store import Store

    store = Store(connection, identify)
    with index.transaction(connection):
        if not index.complete(connection):
            index.filled(connection)
        for each in seen:
            gone = [(each.known[path].id,) for path in each.missing]
            connection.executemany("UPDATE files SET gone = 1 WHERE id = ?", gone)
        tasks = [changes.task(store, each.host, change, each.facet) for each in seen for change in each.changed]
    whole = sum(task.size for task in tasks)
    so_far: dict[int, int] = {}

    def done(task: "Task", size: int) -> None:
        so_far[task.job.file] = size
        if listener:
            listener(task.job.host, sum(so_far.values()), whole)

    if index.filling(connection, whole):
        store.fill()
    reading.read(store, tasks, done)
    return whole


def _result(connection: "sqlite3.Connection", seen: list[_Seen], sums: bool, size: int = 0, latest: int = 0) -> Result:
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('scanned', ?)", (time.time_ns() // 1_000_000,))
    totals = index.totals(connection) if sums else {}
    problems: dict[str, list[Problem]] = {}
    for host, *row in connection.execute(
        "SELECT host, path, problem, found FROM files WHERE NOT gone AND problem <> ''"
    ):
        problems.setdefault(host, []).append(Problem(*row))
    return Result(
        tuple(
            HostResult(
                each.host,
                each.files,
                len(each.changed),
                *totals.get(each.host, (0, 0)),
                bool(each.facet.READERS),
                each.facet.NOTE,
                tuple(problems.get(each.host, ())),
            )
            for each in seen
        ),
        size,
        latest,
    )
