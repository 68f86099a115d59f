"""What the board is still to be told, in order and once: each letter stays in the outbox until the board has it.

A retry is safe where the board takes `requestId`: the letter's own number is in it. Where it does not, the task is read before
a letter is sent again: each comment ends with a hidden mark that names its letter.

A worker that has lost its task writes nothing more about it. What its own run said is still told, to that run alone.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from agent_connector.board.port import Board
from agent_connector.errors import BoardRefused
from agent_connector.worker import taken
from agent_connector.worker.state import Letter, Run, State

LATER = ("unauthorized", "forbidden")  # a key that was taken away may come back: nothing is thrown away for that
_OF_THE_TASK = ("comment", "status", "close", "unborn")


@dataclass(frozen=True, slots=True)
class Outbox:
    """`holder` is our name as the board knows it; `say` is for people; `on_lost(run)` when another worker has the task."""

    state: State
    board: Board
    holder: str
    say: Callable[[str], None]
    on_lost: Callable[[str], None]

    async def deliver(self, run: str) -> None:
        """All letters of the run. A BoardError means: try again later; what was not told is still there."""
        while letter := self.state.next_letter(run):
            held = self.state.held(run)
            if held is None:
                self.state.forget(run)
                return
            try:
                await self._send(letter, held)
            except BoardRefused as error:
                if error.code in LATER:
                    raise
                if error.code == "stale_fence" and held.fence is not None:
                    self._lost(held)
                    continue
                self.say(f"the board refused a {letter.kind} of task {letter.task}: {error.what}")
                with self.state.at_once():
                    self.state.delivered(letter.n)
                    if letter.kind == "close":
                        self.state.forget(run)

    async def _send(self, letter: Letter, run: Run) -> None:
        request = f"{letter.run}-{letter.n}"
        body, fence = letter.body, run.fence
        match letter.kind:
            case "log":
                await self.board.log_append(body["run"], body["events"], fence=fence, request_id=request)
                self.state.delivered(letter.n)
            case "update":
                await self.board.run_update(body["run"], **body["fields"], fence=fence, request_id=request)
                self.state.delivered(letter.n)
            case "status":
                await self._status(letter, run, request)
            case "comment":
                await self._comment(letter, run, request)
            case "unborn":
                await self._unborn(letter, run)
            case "close":
                await self._close(letter, run)
            case _:
                self.state.forget(letter.run)

    async def _status(self, letter: Letter, run: Run, request: str) -> None:
        """Only from where the run left the task: who has moved it meanwhile meant it."""
        body = letter.body
        told = await self.board.task(letter.task)
        if told.status in body["only_from"]:
            told = await self.board.set_status(letter.task, body["status"], fence=run.fence, request_id=request)
        with self.state.at_once():
            if body["then"] == "settle":
                self.state.settle(letter.task, told.updated_at, told.status not in body["poll"])
            elif body["then"] == "park":
                self.state.parked(letter.task, told.updated_at)
            self.state.delivered(letter.n)

    async def _comment(self, letter: Letter, run: Run, request: str) -> None:
        named = f"letter={request}"
        made = None
        if not self.board.knows("tasks_comment_add", "requestId"):
            if letter.tried:
                told = await self.board.task(letter.task)
                made = next((one for one in told.comments if named in one.body), None)
            self.state.trying(letter.n)
        if made is None:
            text = f"{letter.body['text']}\n\n{taken.mark(run.board_run, letter.body['outcome'], named)}"
            made = await self.board.comment(letter.task, text, fence=run.fence, request_id=request)
        with self.state.at_once():
            self.state.wrote(made.id)
            if letter.body["asks"]:
                self.state.asked(letter.task, made.created_at)
            self.state.update(letter.run, state="told")
            self.state.delivered(letter.n)

    async def _unborn(self, letter: Letter, run: Run) -> None:
        """A run that was asked for, by a worker that did not live to hear its id: the same request tells it again."""
        if self.board.knows("agentops_run_create", "requestId"):
            made = await self.board.run_create(
                letter.task, connector_id=self.holder, fence=run.fence, request_id=creation(letter.run)
            )
            told = cut_off(made, letter.body["why"])
            await self.board.run_update(made, **told["fields"], request_id=f"{letter.run}-{letter.n}")
        self.state.delivered(letter.n)

    async def _close(self, letter: Letter, run: Run) -> None:
        """The last letter: see how the board stands where no status said so, and give the task back."""
        told = await self.board.task(letter.task) if letter.body["settle"] else None
        if run.fence is not None and "agentops_task_release" in self.board.offers:
            with suppress(BoardRefused):  # then it is another's, or gone
                await self.board.release(
                    letter.task, connector_id=self.holder, instance_id=run.instance, fence=run.fence
                )
        with self.state.at_once():
            if told is not None:
                self.state.settle(letter.task, told.updated_at, told.status not in letter.body["poll"])
            self.state.forget(letter.run)

    def _lost(self, run: Run) -> None:
        """Another worker has the task. A result that already stands there as a comment is still the run's result."""
        told = run.state == "told"
        with self.state.at_once():
            kept = () if run.own else ("log",)  # in a run that others write to, numbers would collide
            self.state.unsay(run.run, (*_OF_THE_TASK, *kept, *(() if told else ("update",))))
            if run.own and run.board_run is not None and not told:
                self.state.post(run.run, run.task, "update", cut_off(run.board_run, "another worker took the task"))
            if run.state != "open":
                self.state.post(run.run, run.task, "end", {})
            self.state.update(run.run, fence=None, state="lost")
        self.on_lost(run.run)


def creation(run: str) -> str:
    """The id of the request for the board's run."""
    return f"{run}-create"


def cut_off(board_run: str, why: str) -> dict[str, Any]:
    """The letter for a run that came to nothing."""
    return {"run": board_run, "fields": {"status": "cancelled", "result": {"reason": why}}}


def weaker(board: Board) -> tuple[str, ...]:
    """What is weaker on a board that lacks optional parts of the contract, one line each."""
    said = {
        "agentops_task_claim": "this board has no leases: another worker may take the same task",
        "agentops_heartbeat": "this board shows no presence of workers",
        "agentops_run_log_append": "this board takes no logs: they stay in the worker's own state",
        "agentops_run_update": "this board has no runs: results go into comments alone",
    }
    lines = [line for tool, line in said.items() if tool not in board.offers]
    if not board.knows("tasks_comment_add", "requestId"):
        lines.append(
            "this board takes no request ids: after a lost answer an effect may be there twice (at least once)"
        )
    if "agentops_task_claim" in board.offers and not board.knows("tasks_task_set_status", "fence"):
        lines.append("this board checks no fences: a worker that lost its lease may still write")
    return tuple(lines)
