"""What the page reads: columns, a task, a run, its log, costs, who is there, what waits."""

import asyncio

from agent_connector.board import leases, presence, readers, runs, tasks, upkeep
from agent_connector.board.store import Store
from agent_connector.testing.board_checks import event
from agent_connector.testing.board_stage import Clock, forward

DAY = 86_400


def test_columns_are_in_order_with_the_urgent_on_top(store: Store):
    for number, status in enumerate(("done", "odd", "todo", "todo", "todo", "running")):
        store.write(tasks.add, title=f"t{number}", status=status, priority=number == 2, by="x")
    store.write(tasks.add, title="elsewhere", board="garden", by="x")
    shown = [(c.status, c.count, [t.title for t in c.tasks]) for c in store.read(readers.columns, "main", 2)]
    assert shown == [
        ("todo", 3, ["t4", "t3"]),
        ("running", 1, ["t5"]),
        ("done", 1, ["t0"]),
        ("odd", 1, ["t1"]),
    ]
    assert [t.title for t in store.read(readers.columns, "main")[0].tasks] == ["t2", "t4", "t3"]
    assert store.read(readers.boards) == ["garden", "main"]


def test_a_task_shows_its_runs_its_holder_and_what_it_cost(store: Store, clock: Clock):
    task = store.write(tasks.add, title="t", by="x")
    for cost in (0.25, 0.5):
        run = store.write(runs.create, task.id, connector="c")
        store.write(runs.change, run.id, status="failed", cost=cost)
    store.write(leases.claim, task.id, connector="shed", instance="i", seconds=60)
    view = store.read(readers.task, task.id)
    assert [one.cost for one in view.runs] == [0.5, 0.25], "the newest first"
    assert view.cost == 0.75
    assert view.held is not None
    assert (view.held.connector, view.held.expired) == ("shed", False)
    forward(store, clock, 61)
    late = store.read(readers.task, task.id).held
    assert late is not None
    assert late.expired


def test_what_waits_is_the_newest_run_of_a_task(store: Store):
    waiting = store.write(tasks.add, title="waits", status="blocked", by="x")
    went_on = store.write(tasks.add, title="went on", by="x")
    for task in (waiting, went_on):
        run = store.write(runs.create, task.id, connector="c")
        store.write(runs.change, run.id, status="awaiting_human")
    store.write(tasks.comment, waiting.id, "May I push?", by="shed")
    store.write(runs.create, went_on.id, connector="c")
    found = store.read(readers.waiting, "blocked")
    assert [(one.task.title, one.said and one.said.body) for one in found] == [("waits", "May I push?")]
    assert [one.task.title for one in store.read(readers.waiting)] == ["waits"]
    assert store.read(readers.waiting, "elsewhere") == []


def test_a_log_is_read_from_where_one_stopped(store: Store):
    task = store.write(tasks.add, title="t", by="x")
    run = store.write(runs.create, task.id, connector="c")
    store.write(runs.append, run.id, [event(seq) for seq in range(5)])
    assert [one.seq for one in store.read(readers.log, run.id, after=1, limit=2)] == [2, 3]
    assert store.read(readers.run, run.id).events == 5


def test_costs_by_day_task_and_run(store: Store, clock: Clock):
    dear, cheap = (store.write(tasks.add, title=title, by="x") for title in ("dear", "cheap"))
    for task, cost in ((dear, 1.0), (cheap, 0.25), (dear, 2.0), (cheap, None)):
        run = store.write(runs.create, task.id, connector="c")
        store.write(runs.change, run.id, status="succeeded", cost=cost)
        clock.now += DAY / 2
    days = [(one.cost, one.runs) for one in store.read(readers.costs_by_day)]
    assert sum(cost for cost, _ in days) == 3.25
    assert sum(count for _, count in days) == 4
    assert [(one.title, one.cost, one.runs) for one in store.read(readers.costs_by_task)] == [
        ("dear", 3.0, 2),
        ("cheap", 0.25, 1),
    ]
    assert [one.cost for one in store.read(readers.costs_by_run, limit=3)] == [0.0, 2.0, 0.25]
    clock.now += 40 * DAY
    assert store.read(readers.costs_by_day, days=30) == []


def test_who_is_there(store: Store, clock: Clock):
    store.write(presence.came, "shed", author="ada", version="1", hosts=["codex"])
    clock.now += 30
    store.write(presence.beat, "barn", author="eve", state="idle", runs=[])
    store.write(presence.beat, "shed", author="ada", state="working", runs=["r"])
    clock.now += 5
    store.write(presence.beat, "barn", author="eve", state="idle", runs=[])
    found = {one.connector: one for one in store.read(presence.workers)}
    assert list(found) == ["barn", "shed"], "the one that was heard of last comes first"
    assert (found["shed"].state, found["shed"].runs, found["shed"].hosts) == ("working", ("r",), ("codex",))
    assert found["shed"].age == 5


def test_who_waits_is_woken_by_what_was_committed(store: Store):
    task = store.write(tasks.add, title="t", by="x")
    run = store.write(runs.create, task.id, connector="c")

    async def work() -> None:
        with store.wake.on(f"run:{run.id}") as log, store.wake.on("tasks") as board:
            await store.writing(runs.append, run.id, [event(0)])
            assert await log.wait(10)
            assert not await board.wait(0.01), "another topic"
            assert not await log.wait(0.01), "once for one change"
            await store.writing(runs.change, run.id, status="running")
            assert await log.wait(10)
            assert await board.wait(10)

    asyncio.run(work())


def test_what_nobody_can_ask_for_is_forgotten(store: Store, clock: Clock):
    from agent_connector.board import logins, requests, sessions
    from agent_connector.testing.board_stage import minted

    minted(store, "ada@example.com")
    store.write(requests.once, "u", "r", "t", dict)
    store.write(requests.once, "u", "r2", "agentops_run_log_append", dict)
    store.write(sessions.start, None, "setup", 10)
    store.write(logins.begin, "ada@example.com", "10.0.0.1")
    assert store.write(upkeep.prune) == {"requests": 0, "sessions": 0, "failures": 0}
    clock.now += requests.KEPT_OF_LOGS + 1
    assert store.write(upkeep.prune)["requests"] == 1, "of logs, which need it least"
    clock.now += requests.KEPT + 1
    assert store.write(upkeep.prune) == {"requests": 1, "sessions": 0, "failures": 0}
