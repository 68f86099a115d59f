"""The loop against a board in memory: which tasks are taken and when again, who is asked, what is told, and what survives."""

import asyncio
import contextlib
import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.worker.stage import DONE, Quick, Runner, Stage

from agent_connector.board.values import Role
from agent_connector.drive.events import Usage
from agent_connector.errors import BoardRefused, BoardUnreachable, WorkerError
from agent_connector.testing.boards import MemoryBoard
from agent_connector.worker.config import Hitl, Log
from agent_connector.worker.state import State
from agent_connector.worker.values import Assignment, Emit, Escalation, Result, Session, Stop


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_a_task_is_done_and_told(stage: Stage) -> None:
    task = stage.board.add("Mend the gate", description="It squeaks.")
    result = replace(DONE, usage=Usage(10, output=5), cost_source="host-reported", branch="b", diff_stat="1 file")
    assert stage.rounds(Runner(result)) == [task.id]
    now = stage.board.now(task.id)
    (run,) = stage.board.runs(task.id)
    assert (now.status, run.status, run.held["cost"]) == ("done", "succeeded", 0.5)
    assert run.held["result"]["usage"]["input"] == 10 and run.held["result"]["model"] == "m"
    (comment,) = now.comments
    assert comment.body.startswith("Done.") and "I did it." in comment.body and "`b`" in comment.body
    (event,) = stage.board.log(run.id)
    assert (event["seq"], event["payload"]["text"]) == (1, "working on Mend the gate")
    assert stage.board.lease(task.id).holder is None


def test_nothing_leaves_unredacted(stage: Stage) -> None:
    task = stage.board.add("x")

    async def leaks(given: Assignment, emit: Emit, stop: Stop) -> Result:
        emit("line", "stdout", {"text": "the key is a-very-se"})
        emit("called", "host", {"arguments": {"header": "a-very-secret-key"}})
        return replace(DONE, summary="a-very-secret-key", reason="a-very-secret-key", diff_stat="a-very-secret-key")

    stage.rounds(Runner(leaks))
    (run,) = stage.board.runs(task.id)
    told = repr((stage.board.now(task.id).comments, run.held, stage.board.log(run.id)))
    assert "a-very-secret-key" not in told and "[redacted:" in told


def test_a_done_task_is_taken_again_only_when_a_person_moves_it_back(stage: Stage) -> None:
    task = stage.board.add("x")
    runner = Runner()
    assert stage.rounds(runner, 2) == [task.id]
    stage.board.say(task.id, "thank you")
    assert stage.rounds(runner) == []
    stage.board.move(task.id, "todo")
    assert stage.rounds(runner) == [task.id]


def test_where_no_status_is_set_a_comment_does_not_start_the_task_again(tmp_path: Path) -> None:
    stage = Stage(tmp_path, running_status=None, done_status=None, failed_status=None)
    task = stage.board.add("x")
    assert stage.rounds(Runner(), 2) == [task.id]
    stage.board.say(task.id, "thank you")
    assert stage.rounds(Runner(), 2) == []
    stage.board.move(task.id, "review")
    assert stage.rounds(Runner(), 1) == []
    stage.board.move(task.id, "todo")
    assert stage.rounds(Runner(), 1) == [task.id]


def test_a_question_parks_the_task_and_the_answer_resumes_its_session(stage: Stage) -> None:
    task = stage.board.add("x")
    session = Session("claude-code", "s-1", Usage(3))
    asks = Result("awaiting_human", "", "which one?", Escalation("marker", "which one?"), session=session)
    runner = Runner(asks)
    assert stage.rounds(runner, 2) == [task.id]
    parked = stage.board.now(task.id)
    assert parked.status == "blocked" and "which one?" in parked.comments[-1].body
    assert "move the task to `todo`" in parked.comments[-1].body
    assert [run.status for run in stage.board.runs(task.id)] == ["awaiting_human"]
    stage.board.say(task.id, "The left one.")
    assert stage.rounds(runner) == []  # not moved: parked tasks are left alone
    stage.board.move(task.id, "todo")
    assert stage.rounds(runner) == [task.id]
    assert (runner.given[-1].answer, runner.given[-1].session) == ("The left one.", session)
    assert stage.board.now(task.id).status == "done"
    assert stage.rounds(runner, 2) == []


def test_only_those_who_may_answer_are_heard(tmp_path: Path) -> None:
    stage = Stage(tmp_path, hitl=Hitl(answerers=("boss@example.com",)))
    task = stage.board.add("x")
    runner = Runner(Result("awaiting_human", "", "?", Escalation("guard", "?")))
    stage.rounds(runner)
    stage.board.say(task.id, "Do as you like.", by="guest@example.com")
    stage.board.say(task.id, "No.", by="boss@example.com")
    stage.board.move(task.id, "todo", by="guest@example.com")
    stage.rounds(runner)
    assert runner.given[-1].answer == "No."


def test_without_names_the_one_who_moved_it_answers(stage: Stage) -> None:
    task = stage.board.add("x")
    runner = Runner(Result("awaiting_human", "", "?", Escalation("guard", "?")))
    stage.rounds(runner)
    stage.board.say(task.id, "Noise.", by="guest@example.com")
    stage.board.say(task.id, "Yes.", by="ada@example.com")
    stage.board.move(task.id, "todo", by="ada@example.com")
    stage.rounds(runner)
    assert runner.given[-1].answer == "Yes."


def test_a_risky_task_is_asked_about_before_it_runs_and_done_after_the_answer(stage: Stage) -> None:
    task = stage.board.add("Please drop table users")
    runner = Runner()
    stage.rounds(runner)
    assert not runner.given and stage.board.now(task.id).status == "blocked"
    stage.board.say(task.id, "Go on.")
    stage.board.move(task.id, "todo")
    stage.rounds(runner)
    assert runner.given[0].answer == "Go on." and stage.board.now(task.id).status == "done"


def test_money_is_reserved_and_the_cap_asks_once(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ergonomics={"spend_cap_per_day_usd": 3.0, "run_reserve_usd": 2.0})
    tasks = [stage.board.add(f"task {number}") for number in range(4)]
    runner = Runner(replace(DONE, cost_usd=None))  # unknown: settled at the reserve
    stage.rounds(runner)
    statuses = [stage.board.now(task.id).status for task in tasks]
    assert len(runner.given) == 1
    assert sorted(statuses) == ["blocked", "done", "todo", "todo"]
    asked = stage.board.now(tasks[statuses.index("blocked")].id).comments[0].body
    assert "raise it first in the worker's connector.yml" in asked and "the answer is handed" not in asked.casefold()


def test_a_task_that_is_moved_away_stops_its_run(stage: Stage) -> None:
    task = stage.board.add("x")

    async def long(given: Assignment, emit: Emit, stop: Stop) -> Result:
        stage.board.move(task.id, "cancelled")
        await asyncio.wait_for(stop.wait(), 10)
        return Result("cancelled", "", stop.reason)

    async def go() -> None:
        stage.config = replace(stage.config, poll_interval_ms=50)
        with State(stage.config.state_path) as state:
            worker, end = stage.worker(Runner(long), state), asyncio.Event()
            running = asyncio.create_task(worker.run_forever(end))
            while not stage.board.runs(task.id) or stage.board.runs(task.id)[0].status != "cancelled":
                await asyncio.sleep(0.02)
            end.set()
            await running

    asyncio.run(asyncio.wait_for(go(), 20))
    assert stage.board.now(task.id).status == "cancelled"


def test_the_kill_switch_stops_runs_and_its_removal_resumes(stage: Stage) -> None:
    task = stage.board.add("x")
    switch = Path(stage.config.ergonomics.kill_switch_file)

    async def long(given: Assignment, emit: Emit, stop: Stop) -> Result:
        switch.touch()
        await asyncio.wait_for(stop.wait(), 10)
        return Result("cancelled", "", stop.reason)

    runner = Runner(long)
    stage.rounds(runner)
    assert stage.board.now(task.id).status == "todo"
    assert stage.rounds(runner) == []
    switch.unlink()
    assert stage.rounds(runner) == [task.id]
    assert stage.board.now(task.id).status == "done"


def test_no_more_than_allowed_run_at_once(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ergonomics={"max_concurrency": 3})
    for number in range(7):
        stage.board.add(f"task {number}")
    busy = [0, 0]

    async def some(given: Assignment, emit: Emit, stop: Stop) -> Result:
        busy[0] += 1
        busy[1] = max(busy)
        await asyncio.sleep(0.05)
        busy[0] -= 1
        return DONE

    async def go() -> int:
        with State(stage.config.state_path) as state:
            made = await stage.worker(Runner(*[some] * 7), state).run_once()
            assert len(made.taken) == 7
            return made.peak_concurrency

    assert (asyncio.run(asyncio.wait_for(go(), 20)), busy[1]) == (3, 3)


def test_urgent_tasks_come_first(stage: Stage) -> None:
    low, high = stage.board.add("low"), stage.board.add("high", priority=5)
    assert stage.rounds(Runner()) == [high.id, low.id]


def test_a_task_of_another_worker_is_left_to_it(stage: Stage) -> None:
    task = stage.board.add("x")
    asyncio.run(stage.board.claim(task.id, connector_id="other", instance_id="i", lease_seconds=60))
    assert stage.rounds(Runner()) == []


def test_a_lease_that_cannot_be_renewed_stops_the_run_in_time(tmp_path: Path) -> None:
    stage = Stage(tmp_path, lease_seconds=1, kill_grace_ms=200)
    task = stage.board.add("x")
    left: list[float] = []

    async def long(given: Assignment, emit: Emit, stop: Stop) -> Result:
        stage.board.fail("agentops_task_claim", BoardUnreachable("gone"), times=1000)
        await asyncio.wait_for(stop.wait(), 10)
        left.append(stage.board.lease(task.id).until - stage.board.world.clock())
        return Result("cancelled", "", stop.reason)

    stage.rounds(Runner(long))
    assert left and left[0] > 0.1
    assert stage.board.now(task.id).status == "todo"


def test_a_lost_lease_writes_nothing_more(stage: Stage) -> None:
    task = stage.board.add("x")

    async def slow(given: Assignment, emit: Emit, stop: Stop) -> Result:
        stage.board.lease(task.id).until = 0.0  # as if the machine had slept
        await stage.board.claim(task.id, connector_id="other", instance_id="i", lease_seconds=60)
        return DONE

    stage.rounds(Runner(slow))
    assert stage.board.now(task.id).status == "doing" and not stage.board.now(task.id).comments


@pytest.mark.parametrize(
    "tool", ["agentops_run_update", "tasks_task_set_status", "tasks_comment_add", "tasks_task_get"]
)
@pytest.mark.parametrize("after", [False, True])
def test_an_answer_that_is_lost_does_not_double_an_effect(tmp_path: Path, tool: str, after: bool) -> None:
    stage = Stage(tmp_path)
    task = stage.board.add("x")

    async def then_lost(given: Assignment, emit: Emit, stop: Stop) -> Result:
        stage.board.fail(tool, BoardUnreachable("lost"), after=after)
        return DONE

    with contextlib.suppress(BoardUnreachable):
        stage.rounds(Runner(then_lost))
    assert stage.rounds(Runner()) == []
    now = stage.board.now(task.id)
    assert (now.status, len(now.comments), len(stage.board.runs(task.id))) == ("done", 1, 1)


def test_a_strict_board_gets_its_comment_once_too(tmp_path: Path) -> None:
    stage = Stage(tmp_path, MemoryBoard(strict=True, lacks=("agentops_task_claim", "agentops_heartbeat")))
    task = stage.board.add("x")

    async def then_lost(given: Assignment, emit: Emit, stop: Stop) -> Result:
        stage.board.fail("tasks_comment_add", BoardUnreachable("lost"), after=True)
        return DONE

    with contextlib.suppress(BoardUnreachable):
        stage.rounds(Runner(then_lost))
    stage.rounds(Runner())
    assert len(stage.board.now(task.id).comments) == 1
    assert any("no leases" in line for line in stage.said) and any("at least once" in line for line in stage.said)


def test_a_run_that_a_killed_worker_left_is_given_back(stage: Stage) -> None:
    task = stage.board.add("x")

    async def killed(given: Assignment, emit: Emit, stop: Stop) -> Result:
        raise KeyboardInterrupt  # the process ends here, for all that the loop can do

    with pytest.raises(KeyboardInterrupt):
        stage.rounds(Runner(killed))
    assert stage.board.now(task.id).status == "doing"
    assert stage.rounds(Runner(), 2) == [task.id]
    now = stage.board.now(task.id)
    assert (now.status, len(now.comments)) == ("done", 1)
    assert sorted(run.status for run in stage.board.runs(task.id)) == ["cancelled", "succeeded"]


def test_a_fault_of_a_run_is_a_failed_task_and_no_end_of_the_worker(stage: Stage) -> None:
    first, second = stage.board.add("a"), stage.board.add("b")

    async def breaks(given: Assignment, emit: Emit, stop: Stop) -> Result:
        raise ValueError("oops")

    assert stage.rounds(Runner(breaks)) == [first.id, second.id]
    assert (
        stage.board.now(first.id).status == "failed"
        and "ValueError: oops" in stage.board.now(first.id).comments[0].body
    )
    assert stage.board.now(second.id).status == "done"


def test_a_board_that_is_down_wrong_or_slow_is_survived(tmp_path: Path) -> None:
    stage = Stage(tmp_path, poll_interval_ms=10)
    task = stage.board.add("x")
    for error in (BoardUnreachable("down", retry_after=0.01), BoardRefused("no", code="unauthorized")):
        stage.board.fail("*", error, times=3)

    async def go() -> None:
        with State(stage.config.state_path) as state:
            worker, end = stage.worker(Runner(), state, Quick()), asyncio.Event()
            running = asyncio.create_task(worker.run_forever(end))
            while stage.board.now(task.id).status != "done":
                await asyncio.sleep(0.02)
            end.set()
            await running

    asyncio.run(asyncio.wait_for(go(), 60))
    assert any("cannot be used" in line for line in stage.said) and "the board answers again" in stage.said


def test_roles_and_bundle_reach_the_run(stage: Stage) -> None:
    stage.board.world.roles.append(Role("r1", "coder", 2, "anthropic", "m", (), None, "Be brief."))
    stage.board.add("x")
    runner = Runner()
    stage.rounds(runner)
    assert [role.id for role in runner.given[0].roles] == ["r1"]


def test_two_processes_do_not_share_a_state(tmp_path: Path) -> None:
    with State(str(tmp_path / "s.db")), pytest.raises(WorkerError, match="another worker works with this state"):
        State(str(tmp_path / "s.db"))


def test_a_damaged_state_is_said_and_left(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    path.write_bytes(b"no database at all, though long enough for one to be looked for" * 40)
    before = path.read_bytes()
    with pytest.raises(WorkerError, match="the state cannot be used"):
        State(str(path))
    assert path.read_bytes() == before and os.path.exists(path)


def test_the_log_is_capped_with_one_notice(tmp_path: Path) -> None:
    stage = Stage(tmp_path, log=Log(batch_size=7, max_events=20, flush_interval_ms=10))
    task = stage.board.add("x")

    async def talks(given: Assignment, emit: Emit, stop: Stop) -> Result:
        for number in range(100):
            emit("line", "stdout", {"text": f"line {number}"})
        return DONE

    stage.rounds(Runner(talks))
    (run,) = stage.board.runs(task.id)
    log = stage.board.log(run.id)
    assert [event["seq"] for event in log] == list(range(1, 22))
    assert log[-1]["type"] == "log-capped" and "it holds 20 events" in log[-1]["payload"]["text"]
