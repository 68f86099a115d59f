"""Reading many logs: by this process and a second one, the largest first, each taking the next when it is free.

Only this process writes. Between two batches of its own it writes what the other one has sent.
"""

import gc
import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from agent_connector.usage import batches
from agent_connector.usage.batches import Batch, Job
from agent_connector.usage.store import Log, Store

if TYPE_CHECKING:
    from agent_connector.usage.worker import Worker

WORTH_TWO = 8 << 20  # bytes; a second process takes as long to start as it takes to read this
_AHEAD = 48  # jobs that the second process has before it, to have enough while this one merges
_COMMIT_ROWS, _COMMIT_SECONDS, _MERGE_ROWS = 5_000, 0.5, 12_000  # merged while the other process still reads


class Task(NamedTuple):
    """A log that is to be read."""

    job: Job
    log: Log
    size: int  # bytes that are to be read


Done = Callable[[Task, int], None]  # a task, and how many of its bytes are read now


class Writer:
    """Batches into the index, several to a transaction."""

    def __init__(self, store: Store, tasks: Iterable[Task], done: Done) -> None:
        self.store = store
        self.tasks = {task.job.file: task for task in tasks}
        self.done = done
        self.rows = 0
        self.since = 0.0

    def write(self, batch: Batch) -> None:
        connection = self.store.connection
        if not connection.in_transaction:
            self.store.begin()
            self.rows, self.since = 0, time.monotonic()
        task = self.tasks[batch.file]
        self.store.add(batch, task.log)
        self.done(task, task.size if batch.done else batch.offset - task.job.offset)
        self.rows += len(batch.rows)
        if self.rows > _COMMIT_ROWS or time.monotonic() - self.since > _COMMIT_SECONDS:
            self._commit(self.store.dropped or self.store.waiting > _MERGE_ROWS)

    def end(self) -> None:
        if not self.store.connection.in_transaction:
            self.store.begin()
        self._commit(merge=True)

    def _commit(self, merge: bool) -> None:
        if merge:
            self.store.merge()
        self.store.connection.execute("COMMIT")


def read(store: Store, tasks: list[Task], done: Done) -> None:
    """Read all of them into the index."""
    waiting = deque(sorted(tasks, key=lambda task: -task.size))
    writer = Writer(store, tasks, done)
    collected = gc.isenabled()
    gc.disable()  # rows do not refer to themselves
    try:
        if len(tasks) > 1 and sum(task.size for task in tasks) >= WORTH_TWO and (os.cpu_count() or 1) > 1:
            from agent_connector.usage.worker import started

            with started() as worker:
                _Pair(worker, waiting, writer).run()
        for task in waiting:
            for batch in batches.read(task.job):
                writer.write(batch)
        writer.end()
    except BaseException:  # an interrupt must not leave the index locked either; it goes on
        if store.connection.in_transaction:
            store.connection.execute("ROLLBACK")
        raise
    finally:
        if collected:
            gc.enable()


class _Pair:
    """This process and the second one, over the same logs."""

    def __init__(self, worker: "Worker", waiting: deque[Task], writer: Writer) -> None:
        self.worker, self.waiting, self.writer = worker, waiting, writer
        self.ahead: dict[int, Task] = {}
        self.alive = True

    def run(self) -> None:
        self._feed()
        while self.waiting:
            for batch in batches.read(self.waiting.popleft().job):
                self.writer.write(batch)
                while self.alive and not self.worker.batches.empty():
                    self._take()
            self._feed()
        while self.alive and self.ahead:
            self._take()

    def _feed(self) -> None:
        while self.alive and len(self.ahead) < min(_AHEAD, len(self.waiting)):
            task = self.waiting.popleft()
            self.ahead[task.job.file] = task
            self.alive = self.worker.send(task.job)
        if not self.alive:
            self._lost()

    def _take(self) -> None:
        """Write what the second process sent."""
        batch = self.worker.receive()
        if batch is None:
            self._lost()
            return
        self.writer.write(batch)
        if batch.done:
            del self.ahead[batch.file]
            self._feed()

    def _lost(self) -> None:
        """It is gone: what it had is read again here from where it began; its rows replace themselves."""
        self.alive = False
        self.waiting.extend(self.ahead.values())
        self.ahead.clear()
