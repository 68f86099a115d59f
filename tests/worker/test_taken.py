"""Which tasks are taken, and when again: every order of what people, the worker and restarts do, against the contract's words."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from agent_connector.board.values import Comment, Task
from agent_connector.errors import BoardWrong
from agent_connector.testing.boards import MemoryBoard
from agent_connector.worker import taken
from agent_connector.worker.clock import SystemClock, earlier, later
from agent_connector.worker.config import Config, Ergonomics, Hitl
from agent_connector.worker.reconcile import Pool
from agent_connector.worker.state import State, Waiting

CONFIG = Config("/w", "/s", Ergonomics("/k"), running_status="doing", hitl=Hitl(resume_status="again"))


def task(status: str, updated_at: str = "2026-01-01T00:00:05Z", *comments: Comment, **more: Any) -> Task:
    told: dict[str, Any] = {"role": None, "run_id": None, "priority": 0, "status_by": None}
    return Task("t", "b", "x", "", status, created_at="", updated_at=updated_at, comments=comments, **(told | more))


def test_times_are_compared_as_times_however_they_are_spelled() -> None:
    assert later("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00Z") and not later("2026-01-01T00:00:00Z", "2026-01-01")
    assert later("2026-01-01T01:00:00+00:00", "2026-01-01T01:30:00+01:00")
    assert earlier("2026-01-01T01:00:30+01:00", 60) == "2025-12-31T23:59:30.000000Z"
    with pytest.raises(BoardWrong):
        later("yesterday", "2026-01-01")


def test_a_task_that_waits_is_taken_in_the_resume_status_alone_once_it_was_touched() -> None:
    waiting = Waiting("marker", "?", "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", None)
    assert taken.why(task("again"), CONFIG, None, waiting) == "answered"
    assert taken.why(task("again", "2026-01-01T00:00:02Z"), CONFIG, None, waiting) is None
    assert taken.why(task("todo"), CONFIG, None, waiting) is None
    assert taken.why(task("again"), CONFIG, None, None) is None


def test_a_result_that_is_the_last_word_is_found_and_nothing_else_is_taken_for_one() -> None:
    told = Comment("c", "w", f"Done.\n\n{taken.mark('r1', 'succeeded', 'letter=x-1')}", "2026-01-01T00:00:05Z")
    assert taken.outcome(task("todo", told.created_at, told, run_id="r1")) == "succeeded"
    assert taken.outcome(task("todo", told.created_at, told, run_id="r2")) is None
    assert taken.outcome(task("todo", "2026-01-01T00:00:06Z", told, run_id="r1")) is None  # somebody touched it since
    quoted = Comment("d", "ada", f"> {told.body}\nWhat is that?", "2026-01-01T00:00:05Z")
    assert taken.outcome(task("todo", told.created_at, told, quoted, run_id="r1")) is None


class Taking(RuleBasedStateMachine):
    """One task, moved about between polls: what is seen decides, and a move out and back between two polls is not seen."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.state = State(str(Path(self.folder.name) / "s.db"))
        self.board = MemoryBoard()
        self.config = Config("/w", "/s", Ergonomics("/k"), poll_status=("todo", "more"))
        self.make = lambda: Pool(self.config, self.board, self.state, SystemClock(), lambda task: False)
        self.pool = self.make()
        self.done = False  # it was done, and has not been let in again
        self.left = False  # it was seen outside of the poll set since

    def teardown(self) -> None:
        self.state.close()
        self.folder.cleanup()

    @initialize(status=st.sampled_from(["todo", "more", "later"]))
    def begin(self, status: str) -> None:
        self.task = self.board.add("x", status=status).id
        self.poll()

    @rule(status=st.sampled_from(["todo", "more", "later", "done"]))
    def move(self, status: str) -> None:
        self.board.move(self.task, status)

    @rule()
    def say(self) -> None:
        self.board.say(self.task, "hm")

    @rule()
    def poll(self) -> None:
        asyncio.run(self.pool.poll())
        wanted = self.board.now(self.task).status in self.config.poll_status
        self.left = self.left or not wanted
        assert bool(self.candidates()) == (wanted and (not self.done or self.left))

    @rule()
    def restart(self) -> None:
        """The first poll sees whether it is in the poll set, whatever it was before."""
        self.pool = self.make()
        self.poll()

    @rule(status=st.sampled_from(["done", None]))
    def work(self, status: str | None) -> None:
        """It is done if it may be taken; None: the status is left alone."""
        self.poll()
        if self.candidates():
            now = self.board.move(self.task, status) if status else self.board.now(self.task)
            self.state.settle(self.task, now.updated_at, now.status not in self.config.poll_status)
            self.done, self.left = True, now.status not in self.config.poll_status

    def candidates(self) -> list[Task]:
        return list(self.pool.candidates())


TestTaking = Taking.TestCase
TestTaking.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_no_poll_can_look_back_from_is_the_boards_fault(text: str) -> None:
    with pytest.raises(BoardWrong, match="out of range"):
        earlier(text, 60.0)
