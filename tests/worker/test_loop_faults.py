"""What the loop makes of faults: other workers, killed ones, boards that lack much, full disks, runs that were given a number."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.worker.stage import DONE, Quick, Runner, Stage

from agent_connector.board.values import Comment
from agent_connector.errors import BoardRefused, BoardUnreachable, BoardWrong, WorkerError
from agent_connector.testing.boards import MemoryBoard, Run
from agent_connector.worker.clock import SystemClock
from agent_connector.worker.config import Log
from agent_connector.worker.state import State
from agent_connector.worker.values import Assignment, Emit, Escalation, Result, Session, Status, Stop

Step = Callable[[Assignment, Emit, Stop], Coroutine[Any, Any, Result]]
NO_RUNS = ("agentops_run_create", "agentops_run_update", "agentops_run_log_append")


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def forever(stage: Stage, runner: Runner, until: Callable[[], bool]) -> None:
    """A worker that runs until something is so; its seconds are short."""

    async def go() -> None:
        with State(stage.config.state_path) as state:
            end = asyncio.Event()
            running = asyncio.create_task(stage.worker(runner, state, Quick()).run_forever(end))
            while not until():
                await asyncio.sleep(0.01)
                assert not running.done() or running.result()
            end.set()
            await running

    asyncio.run(asyncio.wait_for(go(), 60))


def killed(step: Step) -> Step:
    """The process ends after the step, for all that the loop can do."""

    async def then(given: Assignment, emit: Emit, stop: Stop) -> Result:
        await step(given, emit, stop)
        raise KeyboardInterrupt

    return then


async def talks(given: Assignment, emit: Emit, stop: Stop) -> Result:
    for number in range(10):
        emit("line", "stdout", {"text": f"line {number}"})
    await asyncio.sleep(0.2)
    return DONE


def test_what_a_lost_run_said_is_still_told_and_nothing_else(stage: Stage) -> None:
    task = stage.board.add("x")

    async def slow(given: Assignment, emit: Emit, stop: Stop) -> Result:
        await talks(given, emit, stop)
        stage.board.lease(task.id).until = 0.0
        await stage.board.claim(task.id, connector_id="other", instance_id="i", lease_seconds=600)
        emit("line", "stdout", {"text": "last words"})
        return DONE

    stage.rounds(Runner(slow))
    (run,) = stage.board.runs(task.id)
    assert run.status == "cancelled" and "another worker" in run.held["result"]["reason"]
    assert [event["payload"]["text"] for event in stage.board.log(run.id)][-2:] == ["line 9", "last words"]
    assert stage.board.now(task.id).status == "doing" and not stage.board.now(task.id).comments
    with State(stage.config.state_path) as state:
        assert state.posting() == [] and state.runs("lost") == []


def test_a_result_that_a_dead_worker_left_is_found_by_the_next(tmp_path: Path) -> None:
    stage = Stage(tmp_path, running_status=None)
    task = stage.board.add("x")

    async def then_away(given: Assignment, emit: Emit, stop: Stop) -> Result:
        stage.board.fail("agentops_run_update", BoardUnreachable("gone"), times=99)
        return DONE

    with suppress(BoardUnreachable):
        stage.rounds(Runner(then_away))  # its comment arrived, and no more of it
    assert len(stage.board.now(task.id).comments) == 1 and stage.board.now(task.id).status == "todo"
    stage.board.lease(task.id).until = 0.0
    other = Stage(tmp_path / "other", stage.board.beside("other@example.com"), connector_id="w2", running_status=None)
    runner = Runner()
    other.rounds(runner)
    assert not runner.given and stage.board.now(task.id).status == "done"
    assert [run.status for run in stage.board.runs(task.id)] == ["succeeded"]
    stage.board._failures.clear()
    stage.rounds(Runner())  # the first one comes back: its run gets its details, the task is left alone
    (run,) = stage.board.runs(task.id)
    assert run.held["cost"] == 0.5 and len(stage.board.now(task.id).comments) == 1
    stage.board.move(task.id, "todo")
    other.rounds(runner)
    assert len(runner.given) == 1  # a person wants it anew


def test_a_killed_worker_does_not_undo_what_a_person_did_meanwhile(stage: Stage) -> None:
    task = stage.board.add("x")
    with pytest.raises(KeyboardInterrupt):
        stage.rounds(Runner(killed(talks)))
    assert stage.board.now(task.id).status == "doing"
    stage.board.move(task.id, "later")
    assert stage.rounds(Runner()) == []
    assert stage.board.now(task.id).status == "later"
    assert [run.status for run in stage.board.runs(task.id)] == ["cancelled"]


def test_a_stopped_run_is_taken_up_with_its_session(stage: Stage) -> None:
    stage.board.add("x")
    session = Session("codex", "s-9")
    switch = Path(stage.config.ergonomics.kill_switch_file)

    async def cut(given: Assignment, emit: Emit, stop: Stop) -> Result:
        switch.touch()
        await asyncio.wait_for(stop.wait(), 10)
        return Result("cancelled", "", stop.reason, session=session)

    runner = Runner(cut)
    stage.rounds(runner)
    switch.unlink()
    stage.rounds(runner)
    assert [(given.attempt, given.session) for given in runner.given] == [(1, None), (2, session)]


def test_a_killed_worker_goes_on_with_the_session_that_its_run_had_begun(stage: Stage) -> None:
    """Of a run that answers a question, too: a new one may have begun there."""
    task = stage.board.add("x")

    def begins(id: str) -> Step:
        async def step(given: Assignment, emit: Emit, stop: Stop) -> Result:
            await asyncio.to_thread(given.began, Session("codex", id))
            return DONE

        return killed(step)

    asks = Result("awaiting_human", "", "?", Escalation("marker", "?"), session=Session("codex", "second"))
    runner = Runner(begins("first"), asks, begins("third"))
    with pytest.raises(KeyboardInterrupt):
        stage.rounds(runner)
    stage.rounds(runner, 2)  # gives it back, then takes it
    stage.board.move(task.id, "todo")
    with pytest.raises(KeyboardInterrupt):
        stage.rounds(runner)
    stage.rounds(runner, 2)
    gone_on = [given.session and given.session.id for given in runner.given]
    assert gone_on == [None, "first", "second", "third"]
    assert stage.board.now(task.id).status == "done"


def test_the_run_that_the_board_gave_is_used_once_and_then_a_new_one_is_made(stage: Stage) -> None:
    task = stage.board.add("x", run_id="given")
    stage.board.world.runs["given"] = Run("given", task.id, "board")
    stage.rounds(Runner())
    assert {run.id: run.status for run in stage.board.runs(task.id)} == {"given": "succeeded"}
    stage.board.move(task.id, "todo")
    stage.rounds(Runner())
    assert [run.status for run in stage.board.runs(task.id)] == ["succeeded", "succeeded"]


def test_where_no_run_can_be_made_a_used_one_goes_on_with_its_numbers(tmp_path: Path) -> None:
    stage = Stage(tmp_path, MemoryBoard(lacks=("agentops_run_create",)))
    task = stage.board.add("x", run_id="given")
    stage.board.world.runs["given"] = Run("given", task.id, "board")
    stage.rounds(Runner(talks))
    stage.board.move(task.id, "todo")
    (tmp_path / "state.db").unlink()  # another machine's worker, which knows nothing of the first
    stage.rounds(Runner(talks))
    texts = [event["payload"]["text"] for event in stage.board.log("given")]
    assert texts.count("line 0") == texts.count("line 9") == 2


def test_without_runs_the_log_stays_here_and_the_result_is_a_comment(tmp_path: Path) -> None:
    stage = Stage(tmp_path, MemoryBoard(lacks=NO_RUNS))
    task = stage.board.add("x")
    stage.rounds(Runner(talks))
    assert stage.board.now(task.id).status == "done" and len(stage.board.now(task.id).comments) == 1
    assert any("stay in the worker's own state" in line for line in stage.said)
    with State(stage.config.state_path) as state:
        assert [event["payload"]["text"] for event in state.kept_log(task.id)][-1] == "line 9"
        assert state.posting() == []


def test_one_task_that_the_board_refuses_does_not_hold_up_the_others(stage: Stage) -> None:
    bad, good = stage.board.add("bad", priority=9), stage.board.add("good")
    stage.board.fail("tasks_task_set_status", BoardRefused("no such status", code="invalid"))
    assert stage.rounds(Runner()) == [good.id]
    assert stage.board.now(bad.id).status == "todo" and stage.board.lease(bad.id).holder is None
    assert [run.status for run in stage.board.runs(bad.id)] == ["cancelled"]


def test_a_letter_that_the_board_answers_wrongly_waits_alone(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = stage.board.add("one", priority=9), stage.board.add("two")
    comment, wrong = stage.board.comment, [True]

    async def answers(task_id: str, body: str, **more: Any) -> Comment:
        if task_id == one.id and wrong[0]:
            raise BoardWrong("no comment in it")
        return await comment(task_id, body, **more)

    def both() -> bool:
        if stage.board.now(two.id).status == "done" and wrong[0]:
            assert stage.board.now(one.id).status == "doing"
            wrong[0] = False
        return stage.board.now(one.id).status == "done"

    monkeypatch.setattr(stage.board, "comment", answers)
    forever(stage, Runner(), both)
    assert len(stage.board.now(one.id).comments) == 1


@pytest.mark.parametrize("said", ["Yes, drop it.", None])
def test_a_risk_is_allowed_by_who_moves_the_task_back_and_stays_so_for_this_task(
    stage: Stage, said: str | None
) -> None:
    task = stage.board.add("Please drop table users")
    switch = Path(stage.config.ergonomics.kill_switch_file)

    async def cut(given: Assignment, emit: Emit, stop: Stop) -> Result:
        switch.touch()
        await asyncio.wait_for(stop.wait(), 10)
        return Result("cancelled", "", stop.reason)

    runner = Runner(cut, replace(DONE, summary="I ran: drop table users."))
    stage.rounds(runner)
    assert not runner.given and [run.status for run in stage.board.runs(task.id)] == ["awaiting_human"]
    if said:
        stage.board.say(task.id, said)
    stage.board.move(task.id, "todo")
    stage.rounds(runner)
    switch.unlink()
    stage.rounds(runner)
    assert stage.board.now(task.id).status == "done"
    assert runner.given[0].answer == said


def test_a_risk_in_what_the_agent_wrote_asks_too(stage: Stage) -> None:
    task = stage.board.add("Tidy up")
    stage.rounds(Runner(replace(DONE, summary="I will force push next.")))
    assert stage.board.now(task.id).status == "blocked" and '"force push"' in stage.board.now(task.id).comments[0].body
    other = stage.board.add("Tidy up here")
    stage.rounds(Runner(replace(DONE, summary="All is tidy.", risky=("drop table",))))
    assert (
        stage.board.now(other.id).status == "blocked" and '"drop table"' in stage.board.now(other.id).comments[0].body
    )


@pytest.mark.parametrize("status", ["failed", "timed_out"])
def test_a_risk_in_what_a_run_wrote_that_came_to_nothing_asks_too(stage: Stage, status: Status) -> None:
    task = stage.board.add("Tidy up")
    lost = Result(status, "I was about to force push.", "exit code 3", risky=("drop table",))
    stage.rounds(Runner(lost))
    said = stage.board.now(task.id).comments[-1].body
    assert stage.board.now(task.id).status == "blocked"
    assert '"drop table"' in said and '"force push"' in said and "exit code 3" in said
    assert stage.board.runs(task.id)[0].status == "awaiting_human"
    stage.board.move(task.id, "todo")
    stage.rounds(Runner(lost))
    assert stage.board.now(task.id).status == "failed"  # those words pass now


def test_an_answer_that_comes_between_the_question_and_its_end_is_heard(stage: Stage) -> None:
    task = stage.board.add("x")

    async def asks(given: Assignment, emit: Emit, stop: Stop) -> Result:
        stage.board.fail("agentops_run_update", BoardUnreachable("gone"))
        return Result("awaiting_human", "", "?", Escalation("marker", "?"))

    runner = Runner(asks)
    with suppress(BoardUnreachable):
        stage.rounds(runner)
    stage.board.say(task.id, "Quick answer.")
    assert stage.rounds(runner) == []  # only now the question is told to its end
    assert stage.board.now(task.id).status == "blocked"
    stage.board.move(task.id, "todo")
    stage.rounds(runner)
    assert runner.given[-1].answer == "Quick answer."


def test_a_full_disk_keeps_the_result_waiting_and_loses_nothing(tmp_path: Path) -> None:
    stage = Stage(tmp_path, log=Log(flush_interval_ms=5))
    task = stage.board.add("x")
    states: list[State] = []

    async def go() -> None:
        with State(stage.config.state_path) as state:
            states.append(state)
            end = asyncio.Event()
            running = asyncio.create_task(stage.worker(Runner(fills), state, Quick()).run_forever(end))
            while not any("waits to be kept" in line for line in stage.said):
                await asyncio.sleep(0.01)
            assert stage.board.now(task.id).status == "doing"
            state.run("PRAGMA max_page_count = 1000000")
            while stage.board.now(task.id).status != "done":
                await asyncio.sleep(0.01)
            end.set()
            await running

    async def fills(given: Assignment, emit: Emit, stop: Stop) -> Result:
        (pages,) = states[0].rows("PRAGMA page_count")[0]
        states[0].run(f"PRAGMA max_page_count = {pages}")
        for number in range(200):
            emit("line", "stdout", {"text": f"{number} {'x' * 500}"})
        return DONE

    asyncio.run(asyncio.wait_for(go(), 60))
    (run,) = stage.board.runs(task.id)
    log = stage.board.log(run.id)
    assert [int(event["payload"]["text"].split()[0]) for event in log[1:]] == list(range(200))
    assert [event["seq"] for event in log] == list(range(1, 202)) and run.status == "succeeded"
    assert any("no space is left" in line for line in stage.said)


def test_a_stale_view_of_a_task_takes_nothing_from_a_worker_that_is_only_slow(stage: Stage) -> None:
    """Its lease ran out, but its task stands where it put it: who claims that has to do it."""
    task = stage.board.add("x")

    async def go() -> list[str]:
        with State(stage.config.state_path) as state:
            worker = stage.worker(Runner(), state)
            await worker._pool.poll()
            await stage.board.claim(task.id, connector_id="slow", instance_id="i", lease_seconds=60)
            await stage.board.set_status(task.id, "doing")
            stage.board.lease(task.id).until = 0.0
            made: list[str] = []
            for candidate in worker._pool.candidates():
                work = await worker._taken(candidate)
                assert work is not None
                work.start(lambda done: None)
                await work.done
                made.append(candidate.id)
            return made

    assert asyncio.run(go()) == [task.id]
    assert stage.board.now(task.id).status == "done"


def test_with_leases_two_workers_of_one_name_do_each_task_once(tmp_path: Path) -> None:
    board = MemoryBoard()
    tasks = [board.add(f"task {number}") for number in range(12)]
    stages = [Stage(tmp_path / name, board.beside(f"{name}@example.com"), connector_id="same") for name in "ab"]
    runners = [Runner(*[talks] * 12), Runner(*[talks] * 12)]

    async def go() -> None:
        async def one(stage: Stage, runner: Runner) -> None:
            with State(stage.config.state_path) as state:
                worker = stage.worker(runner, state)
                while any(board.now(task.id).status != "done" for task in tasks):
                    await worker.run_once()
                    await asyncio.sleep(0.01)

        await asyncio.gather(*map(one, stages, runners))

    asyncio.run(asyncio.wait_for(go(), 60))
    assert sorted(given.task.id for runner in runners for given in runner.given) == sorted(task.id for task in tasks)
    assert all(len(board.now(task.id).comments) == 1 for task in tasks)
    assert all(runner.given for runner in runners)


def test_an_answered_task_is_left_to_the_worker_that_asked_and_taken_when_that_does_not_come(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "asker")
    task = stage.board.add("x")
    runner, other = Runner(Result("awaiting_human", "", "?", Escalation("marker", "?"))), Runner()
    stage.rounds(runner)
    stage.board.say(task.id, "The left one.")
    stage.board.move(task.id, "todo")
    beside = Stage(tmp_path / "other", stage.board.beside("other@example.com"), connector_id="w2")
    assert beside.rounds(other, 3) == []
    assert stage.rounds(runner) == [task.id] and runner.given[-1].answer == "The left one."

    stage.board.move(task.id, "todo")
    stage.rounds(Runner(Result("awaiting_human", "", "?", Escalation("marker", "?"))))
    stage.board.move(task.id, "todo")
    forever(beside, other, lambda: stage.board.now(task.id).status == "done")
    assert other.given[0].answer is None


def test_the_board_sees_that_the_worker_lives_for_as_long_as_a_single_round_lasts(stage: Stage) -> None:
    stage.board.add("x")

    async def lasts(given: Assignment, emit: Emit, stop: Stop) -> Result:
        while [tool for tool, _ in stage.board.calls].count("agentops_heartbeat") < 4:
            await asyncio.sleep(0.01)
        return DONE

    async def go() -> None:
        with State(stage.config.state_path) as state:
            await stage.worker(Runner(lasts), state, Quick()).run_once()

    asyncio.run(asyncio.wait_for(go(), 60))


def test_the_board_sees_how_the_worker_lives(stage: Stage) -> None:
    stage.board.add("x")
    seen: list[dict[str, Any]] = []

    async def looks(given: Assignment, emit: Emit, stop: Stop) -> Result:
        while stage.board.world.presence.get("w1", {}).get("state") != "working":
            await asyncio.sleep(0.01)
        seen.append(stage.board.world.presence["w1"])
        return DONE

    forever(stage, Runner(looks), lambda: bool(seen))
    assert seen[0]["runs"] == [stage.board.runs()[0].id]
    assert stage.board.world.presence["w1"]["state"] == "stopped"


@pytest.mark.parametrize(("lacks", "told"), [((), "worker-"), (("agentops_heartbeat",), None)])
def test_without_a_name_of_its_own_it_comes_under_the_one_it_lives_under(
    tmp_path: Path, lacks: tuple[str, ...], told: str | None
) -> None:
    stage = Stage(tmp_path, MemoryBoard(lacks=lacks), connector_id=None)
    stage.rounds(Runner())
    came = [asked["connector_id"] for tool, asked in stage.board.calls if tool == "agentops_connect"]
    assert came == [stage.config.holder if told else None] and stage.config.holder.startswith(told or "")


@pytest.mark.parametrize("days", [400, -400])
def test_a_clock_that_jumps_ends_no_run_and_hides_no_task(tmp_path: Path, days: int) -> None:
    """The time of day is told in logs and counted for a day's money; what is waited for and held goes by another clock."""

    class Jumping(SystemClock):
        ahead = 0.0

        def wall(self) -> float:
            return super().wall() + self.ahead

    stage, clock = Stage(tmp_path, poll_interval_ms=20, lease_seconds=6, kill_grace_ms=100), Jumping()
    first = stage.board.add("one")
    reasons: list[object] = []

    async def jumps(given: Assignment, emit: Emit, stop: Stop) -> Result:
        clock.ahead = days * 86_400.0
        second = stage.board.add("two")
        stage.board.move(second.id, "parked")
        stage.board.move(second.id, "todo")
        while [tool for tool, _ in stage.board.calls].count("agentops_task_claim") < 2:  # until the lease was renewed
            await asyncio.sleep(0.01)
        reasons.append(stop.reason)
        return DONE

    async def go() -> None:
        with State(stage.config.state_path) as state:
            end = asyncio.Event()
            running = asyncio.create_task(stage.worker(Runner(jumps), state, clock).run_forever(end))
            while [run.status for run in stage.board.runs()] != ["succeeded", "succeeded"]:
                await asyncio.sleep(0.01)
            end.set()
            await running

    asyncio.run(asyncio.wait_for(go(), 60))
    assert reasons == [None] and stage.board.now(first.id).status == "done"
    assert not any("lease" in line for line in stage.said)


def test_half_a_character_in_a_result_does_not_stop_it_from_being_told(stage: Stage) -> None:
    task = stage.board.add("x")
    asks = Result("awaiting_human", "x \ud83d", "why \ud83d", Escalation("marker", "why \ud83d"), cost_usd=0.5)
    runner = Runner(asks)
    assert stage.rounds(runner, 3) == [task.id]
    now = stage.board.now(task.id)
    assert now.status == "blocked" and len(now.comments) == 1 and "why ?" in now.comments[0].body


@pytest.mark.parametrize("broken", [{"routing": ({"model": object()},)}, {"cost_usd": 10**400}])
def test_a_result_that_cannot_be_kept_whole_is_still_the_end_of_its_run(stage: Stage, broken: dict[str, Any]) -> None:
    task = stage.board.add("x")
    assert stage.rounds(Runner(replace(DONE, **broken)), 3) == [task.id]
    now = stage.board.now(task.id)
    assert now.status == "done" and "could not be kept whole" in now.comments[0].body
    with State(stage.config.state_path) as state:
        assert state.spent("board", task.board) == (0.5 if "routing" in broken else 2.0)
    assert any("cannot be kept whole" in line for line in stage.said)


def test_a_fault_of_the_loop_is_said_and_survived(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    task, asked, heard = stage.board.add("x"), stage.board.tasks, 0

    async def breaks(**asking: Any) -> Any:
        nonlocal heard
        heard += 1
        if heard < 3:
            raise ValueError("oops")
        return await asked(**asking)

    monkeypatch.setattr(stage.board, "tasks", breaks)
    forever(stage, Runner(), lambda: stage.board.now(task.id).status == "done")
    assert any("ValueError: oops" in line for line in stage.said)


async def breaks(given: Assignment, emit: Emit, stop: Stop) -> Result:
    raise ValueError("after the host ran")


async def refuses(given: Assignment, emit: Emit, stop: Stop) -> Result:
    raise WorkerError("after the host ran")


@pytest.mark.parametrize(
    ("step", "spent"),
    [
        (breaks, 2.0),
        (refuses, 2.0),
        (Result("failed", "", "the disk was full"), 2.0),
        (Result("failed", "", "no such role", host="codex", started=False), 0.0),
    ],
)
def test_only_where_nothing_was_started_is_the_reserve_given_back(stage: Stage, step: Any, spent: float) -> None:
    task = stage.board.add("x")
    stage.rounds(Runner(step))
    now = stage.board.now(task.id)
    assert now.status == "failed" and ("cost unknown" in now.comments[0].body) is bool(spent)
    (run,) = stage.board.runs(task.id)
    assert run.held["result"].get("costSource") == ("reserve" if spent else None)
    with State(stage.config.state_path) as state:
        assert state.spent("board", task.board) == spent


NO_KEY = Result("cancelled", "", "no key for codex", started=False)


def test_a_worker_that_cannot_begin_leaves_every_task_as_it_was(stage: Stage) -> None:
    tasks = [stage.board.add(f"t{number}") for number in range(5)]
    runner = Runner(*[NO_KEY] * 5)

    async def go() -> tuple[list[str], str | None]:
        with State(stage.config.state_path) as state:
            made = await stage.worker(runner, state).run_once()
            assert state.spent("board", tasks[0].board) == 0.0
            return made.taken, made.why_idle

    taken, why = asyncio.run(asyncio.wait_for(go(), 20))
    assert sorted(taken) == sorted(task.id for task in tasks)
    assert why is not None and why.count("no key for codex") == 1 and all(task.id in why for task in tasks)
    for task in tasks:
        now = stage.board.now(task.id)
        assert (now.status, now.comments) == ("todo", ())
        assert [run.status for run in stage.board.runs(task.id)] == ["cancelled"]
    assert sum("no key for codex" in line for line in stage.said) == 1
    assert stage.rounds(runner) == taken  # as soon as it can
    assert [given.attempt for given in runner.given] == [1] * 10


def test_a_task_that_cannot_begin_is_tried_less_and_less_often(stage: Stage) -> None:
    clock, at = Quick(), list[float]()
    for number in range(5):
        stage.board.add(f"t{number}")

    async def cannot(given: Assignment, emit: Emit, stop: Stop) -> Result:
        at.append(clock.now())
        return NO_KEY

    forever(stage, Runner(*[cannot] * 99), lambda: len(at) > 9)
    assert at[6] - at[5] >= 60 and at[7] - at[6] >= 60  # one at a time


def test_a_question_that_was_answered_stays_so_when_the_worker_cannot_begin(stage: Stage) -> None:
    task = stage.board.add("x")
    session = Session("codex", "s")
    runner = Runner(Result("awaiting_human", "", "?", Escalation("marker", "?"), session=session), NO_KEY)
    stage.rounds(runner)
    stage.board.say(task.id, "Yes.", "ada@example.com")
    stage.board.move(task.id, "todo")
    stage.rounds(runner)
    assert stage.rounds(runner) == [task.id]
    assert (runner.given[-1].answer, runner.given[-1].session) == ("Yes.", session)


def test_an_answer_is_heard_after_a_run_that_was_killed(stage: Stage) -> None:
    task = stage.board.add("x")
    runner = Runner(Result("awaiting_human", "", "?", Escalation("marker", "?")), killed(talks))
    stage.rounds(runner)
    stage.board.say(task.id, "Yes.", "ada@example.com")
    stage.board.move(task.id, "todo")
    with pytest.raises(KeyboardInterrupt):
        stage.rounds(runner)
    stage.rounds(runner, 2)
    assert runner.given[-1].answer == "Yes."
