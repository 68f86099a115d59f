"""What the board says about tasks: which may be taken, and which were moved away from under a run.

The first poll asks for the poll set; later ones for what changed since, so that a task is also seen leaving it.
"""

from collections.abc import Callable, Iterator

from agent_connector.board.port import Board
from agent_connector.board.values import Task
from agent_connector.worker import taken
from agent_connector.worker.clock import Clock, earlier, later
from agent_connector.worker.config import Config
from agent_connector.worker.state import State

TRAIL = 60.0  # seconds by which polls look back behind the newest change that was seen


class Pool:
    """The tasks that may be taken, as they were last seen. `running(task)` gives every task seen to who runs it; True: it is."""

    def __init__(
        self, config: Config, board: Board, state: State, clock: Clock, running: Callable[[Task], bool]
    ) -> None:
        self._config, self._board, self._state, self._clock, self._running = config, board, state, clock, running
        self._known: dict[str, Task] = {}
        self._later: dict[str, float] = {}
        self.polled = float("-inf")  # when
        self._order: list[Task] | None = None
        self._water: str | None = None

    async def poll(self) -> None:
        config = self._config
        if self._water is None:
            wanted = tuple(dict.fromkeys((*config.poll_status, config.hitl.resume_status)))
            found = await self._board.tasks(board=config.board, status=wanted, limit=config.poll_limit)
            self._look_back(found)
        else:
            since = earlier(self._water, TRAIL)
            found = await self._board.tasks(board=config.board, updated_after=since, limit=config.poll_limit)
        self.polled = self._clock.now()
        for task in found:
            self.see(task)
            if self._water is None or later(task.updated_at, self._water):
                self._water = task.updated_at

    def _look_back(self, found: list[Task]) -> None:
        """Tasks that were done and are not in the poll set now have left it while nobody was looking."""
        there = {task.id for task in found if task.status in self._config.poll_status}
        for task in self._state.all_settled():
            if task not in there:
                self._state.went_away(task)

    def see(self, task: Task) -> None:
        """One task as it is now."""
        if task.status not in self._config.poll_status:
            self._state.went_away(task.id)
        if self._running(task):
            return
        before = self._known.pop(task.id, None)
        if before is not None and before.updated_at != task.updated_at:
            self._later.pop(task.id, None)  # something happened: it may be free
        self._order = None
        if self._wanted(task):
            self._known[task.id] = task
        else:
            self._later.pop(task.id, None)

    def candidates(self) -> Iterator[Task]:
        """The most urgent first, then the longest untouched; without those that are another's for now."""
        if self._order is None:
            self._order = sorted(self._known.values(), key=lambda task: (-task.priority, task.updated_at, task.id))
        for task in self._order:
            if self._known.get(task.id) is not task or self._later.get(task.id, float("-inf")) > self._clock.now():
                continue
            if not self._state.is_posting(task.id):  # else its last run is not told yet
                if self._wanted(task):
                    yield task
                else:
                    self.drop(task.id)

    def _wanted(self, task: Task) -> bool:
        return taken.why(task, self._config, self._state.settled(task.id), self._state.waiting(task.id)) is not None

    def let_be(self, task: str, seconds: float) -> None:
        """Not to be asked for again for so long."""
        self._later[task] = self._clock.now() + seconds

    def drop(self, task: str) -> None:
        """Not to be taken, as it is now."""
        self._known.pop(task, None)
        self._later.pop(task, None)
