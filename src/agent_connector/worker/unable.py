"""Tasks whose run could not begin, through no fault of theirs: when each is tried again, and when any task is.

A worker without its key or its host hands every task back. It asks for the same ones less and less often, and after a few
in a row for one task at a time, so that the board is not kept busy by a worker that does nothing.
"""

from collections.abc import Sequence

from agent_connector.worker.clock import Clock

FIRST, MOST = 30.0, 600.0  # seconds until one task is tried again: at first, and at most
IN_A_ROW = 3
PAUSE = 60.0  # seconds without any new task after so many in a row


class Unable:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._why: dict[str, str] = {}  # by task
        self._tries: dict[str, int] = {}
        self._until: dict[str, float] = {}
        self._row = 0
        self._pause = float("-inf")

    def note(self, task: str, why: str) -> None:
        """Its run could not begin."""
        tries = self._tries[task] = self._tries.get(task, 0) + 1
        self._why[task] = why
        self._until[task] = self._clock.now() + min(FIRST * 2 ** min(tries - 1, 10), MOST)
        self._row += 1
        if self._row >= IN_A_ROW:
            self._pause = self._clock.now() + PAUSE

    def began(self, task: str) -> None:
        """A run began: the worker can work."""
        for known in (self._why, self._tries, self._until):
            known.pop(task, None)
        self._row, self._pause = 0, float("-inf")

    def waits(self, task: str) -> bool:
        return self._until.get(task, float("-inf")) > self._clock.now()

    @property
    def pausing(self) -> bool:
        return self._pause > self._clock.now()

    def words(self, tasks: Sequence[str] | None = None) -> str | None:
        """Which tasks could not begin, each reason once; None when there are none. Without `tasks` they are all meant."""
        met: dict[str, list[str]] = {}
        for task in self._why if tasks is None else dict.fromkeys(tasks):
            if task in self._why:
                met.setdefault(self._why[task], []).append(task)
        told = [f"{', '.join(which)} could not begin: {why}" for why, which in met.items()]
        return "; ".join(told) or None
