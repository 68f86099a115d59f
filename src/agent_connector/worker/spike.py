"""A first look at a board: does the key open it, what can be read there, and what the worker has to do without."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent_connector.board.port import Board
from agent_connector.worker.outbox import weaker

NEEDED = ("ping", "tasks_tasks_list", "tasks_task_get", "tasks_comment_add", "tasks_task_set_status")
ALONE = {  # what `weaker` leaves to the moment when it is met
    "agentops_connect": "this board serves no bundle and no roles: tasks are done by the configured adapter",
    "agentops_run_create": "this board makes no runs: a task that it gave none is told in comments alone",
}


@dataclass(frozen=True, slots=True)
class Spike:
    """`waiting` counts the tasks that could be taken, by status; `missing` are needed tools, `weaker` what is lacking."""

    time: str
    seconds: float
    tools: tuple[str, ...]
    missing: tuple[str, ...]
    weaker: tuple[str, ...]
    waiting: Mapping[str, int]

    @property
    def works(self) -> bool:
        return not self.missing


async def look(board: Board, board_id: str | None, status: Sequence[str]) -> Spike:
    """Read, and change nothing."""
    await board.ping()  # makes the connection, which is not what is timed
    began = time.monotonic()
    now = await board.ping()
    seconds = time.monotonic() - began
    missing = tuple(name for name in NEEDED if name not in board.offers)
    tasks = [] if "tasks_tasks_list" in missing else await board.tasks(board=board_id, status=status)
    alone = tuple(line for tool, line in ALONE.items() if tool not in board.offers)
    counted = Counter(task.status for task in tasks)
    return Spike(now, seconds, tuple(sorted(board.offers)), missing, (*weaker(board), *alone), dict(counted))
