"""The contract of a board, as checks that any board can be walked through: ours in memory, ours over MCP, and others'.

    @pytest.mark.parametrize("check", board_checks.CHECKS)
    def test_contract(check):
        asyncio.run(check(my_stage()))

A `Stage` is a board with two workers, and what people do to it. Every check gets a fresh one; it raises AssertionError.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from agent_connector.board import rules
from agent_connector.board.port import Board
from agent_connector.board.values import Comment, Task
from agent_connector.errors import BoardRefused

LEASE = 60
DAY = 86_400


class People(Protocol):
    """What is done at the board itself, and its clock: `forward` lets time pass, `jump` only puts the clock there."""

    async def add(self, title: str, **more: Any) -> Task: ...
    async def move(self, task_id: str, status: str) -> Task: ...
    async def say(self, task_id: str, body: str) -> Comment: ...
    async def log(self, run_id: str) -> list[Mapping[str, Any]]: ...
    async def run(self, run_id: str) -> Mapping[str, Any]: ...
    async def prune_logs(self, days: float) -> None: ...
    def forward(self, seconds: float) -> None: ...
    def jump(self, seconds: float) -> None: ...


@dataclass(frozen=True)
class Stage:
    """`worker` and `other` are two users' lines to one board."""

    worker: Board
    other: Board
    people: People


Check = Callable[[Stage], Coroutine[Any, Any, None]]


async def refused(code: str, call: Awaitable[object]) -> None:
    """`call` ends in BoardRefused of that code."""
    try:
        await call
    except BoardRefused as error:
        assert error.code == code, f"refused as {error.code} ({error}), not as {code}"
        return
    raise AssertionError(f"it was done, and not refused as {code}")


def event(seq: int, text: str = "hello", **payload: Any) -> dict[str, Any]:
    held = {"text": text, **payload}
    return {"seq": seq, "ts": "2026-01-01T00:00:00Z", "type": "line", "channel": "stdout", "payload": held}


async def claimed(board: Board, task: Task, connector: str = "one", instance: str = "a") -> int:
    """The fence of a claim that must succeed."""
    claim = await board.claim(task.id, connector_id=connector, instance_id=instance, lease_seconds=LEASE)
    assert claim.claimed, f"not claimed: {claim}"
    assert claim.fence is not None, "a claim comes with its fence"
    return claim.fence


# Tasks.


async def the_list_is_in_order_and_complete(stage: Stage) -> None:
    made = [await stage.people.add(f"task {number}") for number in range(7)]
    await stage.people.move(made[2].id, "todo")
    listed = await stage.worker.tasks(status=["todo"], limit=3)
    assert [task.id for task in listed] == [made[i].id for i in (0, 1, 3, 4, 5, 6, 2)]
    times = [task.updated_at for task in listed]
    assert times == sorted(set(times)), "updatedAt grows strictly"


async def the_list_filters(stage: Stage) -> None:
    todo = await stage.people.add("a")
    parked = await stage.people.add("b", status="parked")
    elsewhere = await stage.people.add("c", board="garden")
    ids = [todo.id, elsewhere.id]
    assert [task.id for task in await stage.worker.tasks(status=["todo"])] == ids
    assert [task.id for task in await stage.worker.tasks(status=["todo", "parked"], limit=1)] == [
        todo.id,
        parked.id,
        elsewhere.id,
    ]
    assert [task.id for task in await stage.worker.tasks(board="garden")] == [elsewhere.id]
    assert await stage.worker.tasks(status=["nowhere"]) == []
    since = await stage.worker.tasks(updated_after=parked.updated_at)
    assert [task.id for task in since] == [parked.id, elsewhere.id], "updatedAfter is inclusive"


async def a_change_is_newer_than_all_before(stage: Stage) -> None:
    first, second = await stage.people.add("a"), await stage.people.add("b")
    stage.people.jump(-3600)
    moved = await stage.worker.set_status(first.id, "running")
    assert moved.updated_at > second.updated_at
    said = await stage.people.say(second.id, "Please hurry")
    after = await stage.worker.tasks(updated_after=moved.updated_at)
    assert [task.id for task in after] == [first.id, second.id]
    assert said.created_at > moved.updated_at


async def a_task_has_its_comments(stage: Stage) -> None:
    task = await stage.people.add("a", description="Do it", role="mender", priority=3)
    await stage.people.say(task.id, "First")
    mine = await stage.worker.comment(task.id, "Second: ünïcode, \u202e and <b>")
    found = await stage.worker.task(task.id)
    assert [comment.body for comment in found.comments] == ["First", "Second: ünïcode, \u202e and <b>"]
    assert found.comments[1] == mine
    assert (found.description, found.role, found.priority) == ("Do it", "mender", 3)
    assert (await stage.worker.tasks())[0].comments == ()


async def who_set_the_status_is_who_comments(stage: Stage) -> None:
    task = await stage.people.add("a")
    moved = await stage.worker.set_status(task.id, "running")
    comment = await stage.worker.comment(task.id, "Begun")
    assert moved.status_by == comment.author
    by_person = await stage.people.move(task.id, "todo")
    assert by_person.status_by == (await stage.people.say(task.id, "Again")).author
    assert by_person.status_by != moved.status_by


async def what_is_not_there_is_not_found(stage: Stage) -> None:
    worker = stage.worker
    await refused("not_found", worker.task("nothing"))
    await refused("not_found", worker.comment("nothing", "x"))
    await refused("not_found", worker.set_status("nothing", "done"))
    await refused("not_found", worker.claim("nothing", connector_id="c", instance_id="i", lease_seconds=LEASE))
    await refused("not_found", worker.release("nothing", connector_id="c", instance_id="i", fence=1))
    await refused("not_found", worker.run_create("nothing", connector_id="c"))
    await refused("not_found", worker.run_update("nothing", status="running"))
    await refused("not_found", worker.log_append("nothing", [event(0)]))


async def what_is_wrong_is_invalid(stage: Stage) -> None:
    task = await stage.people.add("a")
    run = await stage.worker.run_create(task.id, connector_id="c")
    await refused("invalid", stage.worker.comment(task.id, "x" * (rules.COMMENT_BYTES + 1)))
    await refused("invalid", stage.worker.set_status(task.id, ""))
    await refused("invalid", stage.worker.tasks(limit=rules.MOST_TASKS + 1))
    await refused("invalid", stage.worker.tasks(updated_after="yesterday"))
    await refused("invalid", stage.worker.claim(task.id, connector_id="c", instance_id="i", lease_seconds=0))
    await refused("invalid", stage.worker.run_update(run, status="finished"))
    await refused("invalid", stage.worker.log_append(run, []))
    await refused("invalid", stage.worker.log_append(run, [event(-1)]))
    await refused("invalid", stage.worker.log_append(run, [event(seq) for seq in range(rules.MOST_EVENTS + 1)]))
    await stage.worker.comment(task.id, "ü" * (rules.COMMENT_BYTES // 2))


# Leases.


async def a_task_has_one_holder(stage: Stage) -> None:
    task = await stage.people.add("a")
    fence = await claimed(stage.worker, task)
    again = await stage.other.claim(task.id, connector_id="two", instance_id="b", lease_seconds=LEASE)
    assert not again.claimed
    assert again.holder, "who is late learns who holds it"
    assert again.expires_at
    same_name = await stage.other.claim(task.id, connector_id="one", instance_id="b", lease_seconds=LEASE)
    assert not same_name.claimed, "the holder is the pair of connector and instance"
    assert await claimed(stage.worker, task) == fence, "to prolong is no change of holder"


async def a_lease_that_is_prolonged_lasts(stage: Stage) -> None:
    task = await stage.people.add("a")
    await claimed(stage.worker, task)
    for _ in range(3):
        stage.people.forward(LEASE * 0.7)
        await claimed(stage.worker, task)
    assert not (await stage.other.claim(task.id, connector_id="two", instance_id="b", lease_seconds=LEASE)).claimed


async def an_expired_lease_is_free_and_fences_the_old_holder(stage: Stage) -> None:
    task = await stage.people.add("a")
    old = await claimed(stage.worker, task)
    run = await stage.worker.run_create(task.id, connector_id="one", fence=old)
    stage.people.forward(LEASE + 1)
    await stage.worker.comment(task.id, "Late, but nobody took it", fence=old)
    new = await claimed(stage.other, task, "two", "b")
    assert new > old
    late = stage.worker
    await refused("stale_fence", late.comment(task.id, "Too late", fence=old))
    await refused("stale_fence", late.set_status(task.id, "done", fence=old))
    await refused("stale_fence", late.run_create(task.id, connector_id="one", fence=old))
    await refused("stale_fence", late.run_update(run, status="succeeded", fence=old))
    await refused("stale_fence", late.log_append(run, [event(0)], fence=old))
    await refused("stale_fence", late.release(task.id, connector_id="one", instance_id="a", fence=old))
    assert not (await late.claim(task.id, connector_id="one", instance_id="a", lease_seconds=LEASE)).claimed
    now = await stage.other.task(task.id)
    assert (now.status, [comment.body for comment in now.comments]) == ("todo", ["Late, but nobody took it"])
    assert await stage.people.log(run) == []


async def a_lease_lasts_as_long_where_the_clock_jumps(stage: Stage) -> None:
    for seconds in (10 * DAY, -20 * DAY):
        task = await stage.people.add("a")
        fence = await claimed(stage.worker, task)
        stage.people.jump(seconds)
        assert not (await stage.other.claim(task.id, connector_id="two", instance_id="b", lease_seconds=LEASE)).claimed
        stage.people.forward(LEASE / 3)
        assert await claimed(stage.worker, task) == fence, "it is still the holder's, who prolongs it"
        stage.people.forward(LEASE * 0.7)
        assert not (await stage.other.claim(task.id, connector_id="two", instance_id="b", lease_seconds=LEASE)).claimed
        stage.people.forward(LEASE * 0.3 + 1)
        assert await claimed(stage.other, task, "two", "b") > fence, "and ends when it would have ended"


async def a_released_task_is_free(stage: Stage) -> None:
    task = await stage.people.add("a")
    first = await claimed(stage.worker, task)
    await stage.worker.release(task.id, connector_id="one", instance_id="a", fence=first)
    await stage.worker.release(task.id, connector_id="one", instance_id="a", fence=first)
    await stage.worker.comment(task.id, "A last word", fence=first)
    second = await claimed(stage.other, task, "two", "b")
    assert second > first
    await refused("stale_fence", stage.worker.release(task.id, connector_id="one", instance_id="a", fence=first))


async def a_claim_does_not_look_like_a_change(stage: Stage) -> None:
    task = await stage.people.add("a")
    await claimed(stage.worker, task)
    await claimed(stage.worker, task)
    assert (await stage.worker.task(task.id)).updated_at == task.updated_at


async def many_claims_at_once_have_one_winner(stage: Stage) -> None:
    task = await stage.people.add("a")
    boards = [stage.worker, stage.other] * 4
    claims = await asyncio.gather(
        *(
            board.claim(task.id, connector_id=f"c{number}", instance_id="i", lease_seconds=LEASE)
            for number, board in enumerate(boards)
        )
    )
    assert sum(claim.claimed for claim in claims) == 1


# Runs and logs.


async def a_run_is_kept(stage: Stage) -> None:
    task = await stage.people.add("a")
    run = await stage.worker.run_create(task.id, connector_id="one", role_id="r", provider="acme", model="m1")
    assert (await stage.worker.task(task.id)).run_id == run, "the task names its newest run"
    await stage.worker.run_update(run, status="running", metadata={"host": "x"})
    result = {"summary": "Done", "usage": {"input": 5}}
    await stage.worker.run_update(
        run, status="succeeded", result=result, finished_at="2026-01-01T00:00:00Z", model="m2", cost=0.25
    )
    kept = await stage.people.run(run)
    assert (kept["status"], kept["provider"], kept["model"], kept["cost"]) == ("succeeded", "acme", "m2", 0.25)
    assert (kept["result"], kept["metadata"]) == (result, {"host": "x"})


async def a_log_takes_every_event_once(stage: Stage) -> None:
    task = await stage.people.add("a")
    run = await stage.worker.run_create(task.id, connector_id="one")
    assert await stage.worker.log_append(run, [event(0), event(1)]) == 2
    assert await stage.worker.log_append(run, [event(1, "other"), event(2)]) == 3, "a seq that is held is dropped"
    assert await stage.worker.log_append(run, [event(9)]) == 10, "gaps are allowed"
    assert await stage.worker.log_append(run, [event(5)]) == 10, "and may be filled later"
    log = await stage.people.log(run)
    assert [one["seq"] for one in log] == [0, 1, 2, 5, 9]
    assert [one["payload"]["text"] for one in log] == ["hello"] * 5
    assert {name: log[0][name] for name in ("ts", "type", "channel")} == {
        "ts": "2026-01-01T00:00:00Z",
        "type": "line",
        "channel": "stdout",
    }


async def logs_bear_any_text(stage: Stage) -> None:
    task = await stage.people.add("a")
    run = await stage.worker.run_create(task.id, connector_id="one")
    strange = "\x00\x1b[31m \u202e \U0001f600 </script>"
    await stage.worker.log_append(run, [event(0, strange, deep={"list": [1, None, True, 2.5]})])
    assert (await stage.people.log(run))[0]["payload"] == {"text": strange, "deep": {"list": [1, None, True, 2.5]}}


async def the_log_of_an_old_run_goes_and_the_run_stays(stage: Stage) -> None:
    task = await stage.people.add("a")
    run = await stage.worker.run_create(task.id, connector_id="one")
    await stage.worker.log_append(run, [event(seq) for seq in range(3)])
    await stage.worker.run_update(run, status="succeeded", result={"summary": "Done"}, cost=0.5)
    stage.people.forward(10 * DAY)
    newer = await stage.worker.run_create(task.id, connector_id="one")
    await stage.worker.log_append(newer, [event(0)])
    await stage.people.prune_logs(11)
    assert len(await stage.people.log(run)) == 3, "it is not that old"
    assert "logFrom" not in await stage.people.run(run)
    await stage.people.prune_logs(9)
    kept = await stage.people.run(run)
    assert (await stage.people.log(run), kept["logFrom"]) == ([], 3), "the run says what it had"
    assert (kept["status"], kept["result"], kept["cost"]) == ("succeeded", {"summary": "Done"}, 0.5)
    assert len(await stage.people.log(newer)) == 1
    assert await stage.worker.log_append(run, [event(1), event(2)]) == 3, "what was removed does not come back"
    assert await stage.people.log(run) == []
    assert await stage.worker.log_append(run, [event(4)]) == 5, "what was never sent is still taken"
    assert [one["seq"] for one in await stage.people.log(run)] == [4]
    await stage.people.prune_logs(9)
    assert (await stage.people.log(run), (await stage.people.run(run))["logFrom"]) == ([], 5), "and goes in its turn"


async def a_log_that_is_needed_stays(stage: Stage) -> None:
    """Of a run that a person is asked about, and of one that a worker still holds; once neither is so, it goes."""
    asked, held = await stage.people.add("a"), await stage.people.add("b")
    asking = await stage.worker.run_create(asked.id, connector_id="one")
    await stage.worker.run_update(asking, status="awaiting_human")
    working = await stage.worker.run_create(held.id, connector_id="one")
    await stage.worker.run_update(working, status="running")
    for run in (asking, working):
        await stage.worker.log_append(run, [event(0)])
    stage.people.forward(10 * DAY)
    await claimed(stage.worker, held)
    await stage.people.prune_logs(9)
    assert [len(await stage.people.log(run)) for run in (asking, working)] == [1, 1]
    again = await stage.worker.run_create(asked.id, connector_id="one")
    stage.people.forward(LEASE + 1)
    await stage.people.prune_logs(9)
    assert [len(await stage.people.log(run)) for run in (asking, working)] == [0, 0]
    assert "logFrom" not in await stage.people.run(again)


# Retries.


async def a_known_request_gets_its_first_answer(stage: Stage) -> None:
    worker = stage.worker
    task = await stage.people.add("a")
    fence = await claimed(worker, task)
    first = await worker.comment(task.id, "Once", fence=fence, request_id="r1")
    assert await worker.comment(task.id, "Once", fence=fence, request_id="r1") == first
    run = await worker.run_create(task.id, connector_id="one", fence=fence, request_id="r2")
    assert await worker.run_create(task.id, connector_id="one", fence=fence, request_id="r2") == run
    done = await worker.set_status(task.id, "done", fence=fence, request_id="r3")
    await stage.people.move(task.id, "todo")
    assert (await worker.set_status(task.id, "done", fence=fence, request_id="r3")).updated_at == done.updated_at
    now = await worker.task(task.id)
    assert (now.status, len(now.comments)) == ("todo", 1), "what was done once is not done again"


async def a_retry_counts_before_the_fence(stage: Stage) -> None:
    task = await stage.people.add("a")
    old = await claimed(stage.worker, task)
    first = await stage.worker.comment(task.id, "Done", fence=old, request_id="r")
    stage.people.forward(LEASE + 1)
    await claimed(stage.other, task, "two", "b")
    assert await stage.worker.comment(task.id, "Done", fence=old, request_id="r") == first


async def what_was_refused_may_be_asked_again(stage: Stage) -> None:
    task = await stage.people.add("a")
    await refused("stale_fence", stage.worker.comment(task.id, "x", fence=99, request_id="r"))
    fence = await claimed(stage.worker, task)
    await stage.worker.comment(task.id, "x", fence=fence, request_id="r")
    await refused("conflict", stage.worker.set_status(task.id, "done", request_id="r"))


async def many_retries_at_once_do_it_once(stage: Stage) -> None:
    task = await stage.people.add("a")
    comments = await asyncio.gather(*(stage.worker.comment(task.id, "x", request_id="r") for _ in range(6)))
    assert len({comment.id for comment in comments}) == 1
    assert len((await stage.worker.task(task.id)).comments) == 1


# Coming and living.


async def a_worker_comes_and_lives(stage: Stage) -> None:
    connected = await stage.worker.connect(connector_id="one", bundle_name="none", version="1.0", hosts=["codex"])
    assert connected.bundle is None
    assert connected.roles == ()
    await stage.worker.heartbeat(connector_id="one", state="idle", runs=[])
    assert await stage.worker.ping()


async def the_board_says_what_it_offers(stage: Stage) -> None:
    await stage.worker.ping()
    assert stage.worker.offers >= frozenset(rules.TOOLS)
    assert stage.worker.knows("tasks_comment_add", "fence")
    assert stage.worker.knows("agentops_run_update", "cost")
    assert not stage.worker.knows("nothing", "fence")


CHECKS: tuple[Check, ...] = (
    the_list_is_in_order_and_complete,
    the_list_filters,
    a_change_is_newer_than_all_before,
    a_task_has_its_comments,
    who_set_the_status_is_who_comments,
    what_is_not_there_is_not_found,
    what_is_wrong_is_invalid,
    a_task_has_one_holder,
    a_lease_that_is_prolonged_lasts,
    an_expired_lease_is_free_and_fences_the_old_holder,
    a_lease_lasts_as_long_where_the_clock_jumps,
    a_released_task_is_free,
    a_claim_does_not_look_like_a_change,
    many_claims_at_once_have_one_winner,
    a_run_is_kept,
    a_log_takes_every_event_once,
    logs_bear_any_text,
    the_log_of_an_old_run_goes_and_the_run_stays,
    a_log_that_is_needed_stays,
    a_known_request_gets_its_first_answer,
    a_retry_counts_before_the_fence,
    what_was_refused_may_be_asked_again,
    many_retries_at_once_do_it_once,
    a_worker_comes_and_lives,
    the_board_says_what_it_offers,
)
