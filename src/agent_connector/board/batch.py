"""Writes that wait for each other are committed together: one wait for the disk serves them all.

For SQLite, which has one writer. Whoever gets the turn does what all the others wait for, each in a savepoint of its own:
one that is refused leaves nothing and spoils nothing. Nobody has an answer before the commit.
"""

import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from agent_connector.board import engine as engines
from agent_connector.board.engine import Clock, Tx

MOST = 64  # writes of one commit


class Job:
    """A write and how it ended."""

    def __init__(self, work: Callable[[Tx], Any]) -> None:
        self.work = work
        self.done = False
        self.answer: Any = None
        self.error: Exception | None = None
        self.topics: set[str] = set()

    def result(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.answer


class Batch:
    """`alone` does one write in a transaction of its own, with all that can go wrong with one."""

    def __init__(self, engine: Engine, clock: Clock | None, alone: Callable[[Callable[[Tx], Any]], Any]) -> None:
        self._engine = engine
        self._clock = clock
        self._alone = alone
        self._turn = threading.Lock()
        self._waiting: deque[Job] = deque()

    def write(self, work: Callable[[Tx], Any]) -> tuple[Any, set[str]]:
        """The answer, and the topics to tell that were not told yet."""
        job = Job(work)
        self._waiting.append(job)
        with self._turn:
            if not job.done:
                jobs = [self._waiting.popleft() for _ in range(min(MOST, len(self._waiting)))]
                self._do(jobs if job in jobs else [*jobs, job])
        return job.result(), job.topics

    def _do(self, jobs: list[Job]) -> None:
        if len(jobs) == 1 or not self._together(jobs):
            for job in jobs:
                _keep(job, lambda job=job: self._alone(job.work))
        for job in jobs:
            job.done = True

    def _together(self, jobs: list[Job]) -> bool:
        """False where the database stood in the way: then nothing was done, and each is tried alone."""
        try:
            with self._engine.connect().execution_options(**{engines.WRITES: True}) as connection, connection.begin():
                for job in jobs:
                    tx = Tx(connection, self._clock)
                    _keep(job, lambda job=job, tx=tx: _in_savepoint(tx, job.work))
                    if isinstance(job.error, SQLAlchemyError):
                        raise job.error
                    job.topics = tx.topics if job.error is None else set()
        except SQLAlchemyError:
            return _forget(jobs)
        return True


def _in_savepoint(tx: Tx, work: Callable[[Tx], Any]) -> Any:
    with tx.connection.begin_nested():
        return work(tx)


def _keep(job: Job, act: Callable[[], Any]) -> None:
    try:
        job.answer = act()
    except Exception as error:  # noqa: BLE001  # it is raised in the thread whose write it was
        job.error = error


def _forget(jobs: list[Job]) -> bool:
    for job in jobs:
        job.answer, job.error, job.topics = None, None, set()
    return False
