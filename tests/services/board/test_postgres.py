"""What PostgreSQL alone shows: processes of several boards, its restart, its plans."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx2
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from tests.board.races import race
from tests.services.going import SECONDS

from agent_connector.board import keys, leases, migrate, readers, runs, served, tasks, users
from agent_connector.board.app import application
from agent_connector.board.client import BoardClient
from agent_connector.board.schema import metadata
from agent_connector.board.store import Store, open_store
from agent_connector.board.values import Role
from agent_connector.errors import BoardRefused, BoardUnreachable
from agent_connector.testing.board_checks import event
from agent_connector.testing.board_stage import ADDRESS, FREE, minted


@pytest.fixture
def store(postgres_url: str) -> Iterator[Store]:
    opened = open_store(postgres_url)
    yield opened
    opened.close()


def test_the_migrations_make_the_tables(store: Store):
    context = {"version_table": migrate.VERSION_TABLE}
    assert (
        store.read(lambda tx: compare_metadata(MigrationContext.configure(tx.connection, opts=context), metadata)) == []
    )


def test_processes_that_start_at_once_make_the_tables_once(postgres_url: str):
    def start(number: int) -> None:
        open_store(postgres_url).close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(start, range(4)))


def test_processes_claim_every_task_once(postgres_url: str):
    made, got = race(postgres_url, 60, ("one", "two", "three"))
    assert sorted(id for ids in got for id in ids) == sorted(made)


def test_who_is_not_the_holder_does_not_wait(store: Store):
    """A claim that is being made elsewhere is answered, not queued behind."""
    task = store.write(tasks.add, title="t", by="x")
    with store.engine.connect() as connection, connection.begin():
        connection.execute(text("SELECT 1 FROM board_leases WHERE task_id = :id FOR UPDATE"), {"id": task.id})
        claim = store.write(leases.claim, task.id, connector="c", instance="i", seconds=60)
        assert not claim.claimed
    assert store.write(leases.claim, task.id, connector="c", instance="i", seconds=60).claimed


def test_a_write_and_a_change_of_holder_come_one_after_the_other(store: Store):
    """Who passed the fence commits before anybody else holds the task."""
    task = store.write(tasks.add, title="t", by="x")
    old = store.write(leases.claim, task.id, connector="one", instance="i", seconds=1)
    run = store.write(runs.create, task.id, connector="one", fence=old.fence)
    order: list[str] = []
    inside, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        def work(tx) -> None:
            runs.append(tx, run.id, [event(0)], fence=old.fence)
            inside.set()
            go_on.wait(SECONDS)
            order.append("written")

        store.write(work)

    def take() -> None:
        claim = store.write(leases.claim, task.id, connector="two", instance="i", seconds=60)
        while not claim.claimed:  # the lease is not over yet, or the writer holds its row
            claim = store.write(leases.claim, task.id, connector="two", instance="i", seconds=60)
        order.append("taken")

    writer = threading.Thread(target=slow)
    writer.start()
    assert inside.wait(SECONDS)
    time.sleep(1.2)
    taker = threading.Thread(target=take)
    taker.start()
    go_on.set()
    writer.join(SECONDS)
    taker.join(SECONDS)
    assert order == ["written", "taken"]
    with pytest.raises(BoardRefused):
        store.write(runs.append, run.id, [event(1)], fence=old.fence)


def test_a_lease_is_measured_by_the_database_s_clock(postgres_url: str):
    """Two machines whose clocks are an hour apart agree on who holds a task."""
    ahead = open_store(postgres_url)
    try:
        task = ahead.write(tasks.add, title="t", by="x")
        ahead.write(leases.claim, task.id, connector="one", instance="i", seconds=60)
        real = time.time
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "time", lambda: real() + 3600)
            assert not ahead.write(leases.claim, task.id, connector="two", instance="i", seconds=60).claimed
    finally:
        ahead.close()


def test_times_become_visible_in_order(store: Store):
    """Whoever reads what is newer than the last one seen misses nothing, however many write."""
    seen: list[str] = []
    over = threading.Event()

    def add(count: int) -> None:
        for number in range(count):
            store.write(tasks.add, title=f"t{number}", by="x")

    def follow() -> None:
        place = None
        while True:
            last = over.is_set()
            found, _ = store.read(tasks.page, after=place, limit=200)
            seen.extend(task.id for task in found)
            if found:
                newest = store.read(tasks.get, found[-1].id)
                place = tasks.Place(int(_micros(newest.updated_at)), newest.id)
            elif last:
                return

    def _micros(told: str) -> int:
        from agent_connector.board import rules

        return rules.micros(told, "")

    writers = [threading.Thread(target=add, args=(40,)) for _ in range(4)]
    reader = threading.Thread(target=follow)
    for thread in (*writers, reader):
        thread.start()
    for thread in writers:
        thread.join(60)
    over.set()
    reader.join(60)
    assert len(seen) == len(set(seen)) == 160


def test_versions_that_are_made_at_once_are_different(store: Store):
    made: list[int] = []

    def change() -> None:
        made.append(store.write(served.set_role, Role("", "mender", 0), by="x").version)

    threads = [threading.Thread(target=change) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert sorted(made) == [1, 2, 3, 4, 5, 6]


def test_a_change_in_one_process_wakes_who_waits_in_another(postgres_url: str):
    here, there = open_store(postgres_url), open_store(postgres_url)
    try:
        task = here.write(tasks.add, title="t", by="x")
        run = here.write(runs.create, task.id, connector="c")

        async def work() -> None:
            there.listen()
            with there.wake.on(f"run:{run.id}") as signal:
                await signal.wait(SECONDS)  # the listener says hello when it is there
                await here.writing(runs.append, run.id, [event(0)])
                assert await signal.wait(SECONDS)

        asyncio.run(work())
    finally:
        here.close()
        there.close()


def test_a_poll_walks_an_index_whatever_is_parked(store: Store):
    def fill(tx) -> None:
        columns = "(id, board, title, description, status, priority, created_at, updated_at)"
        rows = "SELECT 'p' || n, 'main', 't', '', 'parked', 0, n, n FROM generate_series(1, 20000) n"
        tx.connection.execute(text(f"INSERT INTO board_tasks {columns} {rows}"))

    store.write(fill)
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE board_tasks"))

    def plans(tx, poll: dict) -> list[str]:
        found: list[str] = []
        real = tx.connection.execute

        def explained(statement, *rest):
            compiled = statement.compile(tx.connection, compile_kwargs={"literal_binds": True})
            found.append("\n".join(row[0] for row in real(text(f"EXPLAIN {compiled}"))))
            return real(statement, *rest)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tx.connection, "execute", explained)
            tasks.page(tx, **poll)
        return found

    for poll in (
        {"status": ("todo",)},
        {"status": ("todo", "ready")},
        {"board": "main", "status": ("todo",)},
        {"since": 19_990},
        {"since": 19_990, "board": "main"},
        {"status": ("parked",), "after": tasks.Place(10_000, "p10000")},
    ):
        for plan in store.read(plans, poll):
            assert "Seq Scan" not in plan, plan
            assert "Sort" not in plan, plan


def test_a_restart_of_the_database_is_survived(postgres, postgres_url: str):
    store = open_store(postgres_url)
    key = minted(store, "worker@example.com")
    task = store.write(tasks.add, title="t", by="x")
    run = store.write(runs.create, task.id, connector="c")
    app = application(store, rates=FREE)

    async def work() -> None:
        transport = httpx2.ASGITransport(app)
        async with app.router.lifespan_context(app), BoardClient(ADDRESS, key, transport=transport) as board:
            await asyncio.gather(*(board.ping() for _ in range(8)))  # several connections are open
            with store.wake.on(f"run:{run.id}") as signal:
                await signal.wait(SECONDS)
                await asyncio.to_thread(postgres.stop)
                with pytest.raises(BoardUnreachable):
                    await board.comment(task.id, "lost", request_id="r")
                async with httpx2.AsyncClient(transport=transport, base_url=ADDRESS) as http:
                    health = await http.get("/healthz")
                    assert (health.status_code, health.json()) == (503, {"ok": False})
                    login = await http.post("/api/login", json={"email": "x@y.z", "password": "x" * 10})
                    assert login.status_code == 503
                await asyncio.to_thread(postgres.start)
                first = await again(lambda: board.comment(task.id, "lost", request_id="r"))
                assert await board.comment(task.id, "lost", request_id="r") == first
                assert len((await board.task(task.id)).comments) == 1
                await asyncio.gather(*(board.ping() for _ in range(8)))
                other = open_store(postgres_url)
                try:
                    for _ in range(50):  # the listener connects again by itself
                        await other.writing(runs.append, run.id, [event(int(time.monotonic() * 1000))])
                        if await signal.wait(0.5):
                            break
                    else:
                        raise AssertionError("nobody was woken after the restart")
                finally:
                    other.close()

    async def again(call):
        for _ in range(SECONDS * 10):
            with suppress(BoardUnreachable):
                return await call()
            await asyncio.sleep(0.1)
        raise AssertionError("the board did not come back")

    try:
        asyncio.run(work())
        assert store.read(keys.of_user)
        assert store.read(users.count) == 1
        assert store.read(readers.run, run.id).events
    finally:
        store.close()
