"""Which of the board's runs a run of ours is: the one that it gave the task and that nobody has used yet, else a new one."""

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_connector.board.values import Task
from agent_connector.worker.clock import iso
from agent_connector.worker.forwarder import FIRST
from agent_connector.worker.outbox import creation
from agent_connector.worker.state import Run

if TYPE_CHECKING:
    from agent_connector.worker.loop import Worker

CREATE, LOGS = "agentops_run_create", "agentops_run_log_append"


async def board_run(worker: "Worker", task: Task, run: Run) -> tuple[Run, int]:
    """The run with the board's id, where the board has runs; and the number of the first event of its log."""
    state, given = worker.state, task.run_id
    known = given is not None and state.next_number(given) is not None
    fresh = given is not None and not known and run.fence in (None, 1)  # else it may be an earlier holder's
    first = FIRST
    if CREATE in worker.board.offers and not fresh:
        state.update(run.run, own=True)  # should we not live to hear its id
        made = await worker.board.run_create(
            task.id, connector_id=worker.config.holder, fence=run.fence, request_id=creation(run.run)
        )
        run = replace(run, board_run=made, own=True)
    elif given is not None:
        run = replace(run, board_run=given)
        first = first if fresh else await _following(worker, given, run.fence)
    if run.board_run is not None:
        with state.at_once():
            state.update(run.run, board_run=run.board_run)
            state.numbered(run.board_run, first)
    return run, first


async def _following(worker: "Worker", board_run: str, fence: int | None) -> int:
    """The log goes on behind what the run has: the board says where that is, and drops what it holds already."""
    first = worker.state.next_number(board_run) or FIRST
    if LOGS not in worker.board.offers:
        return first
    event = {
        "seq": first,
        "ts": iso(worker.clock.wall()),
        "type": "status",
        "channel": "worker",
        "payload": {"text": f"{worker.config.holder} takes it up again"},
    }
    return max(first + 1, await worker.board.log_append(board_run, [event], fence=fence))
