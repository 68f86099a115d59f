"""What every store promises: whole transactions, rings that are heard once they are kept, tables brought forward."""

import asyncio
import os
import stat

import pytest

from agent_connector.byoa.app import AppError, SqliteStore
from agent_connector.byoa.app.store import base


def alone(make_store, story, count=1):
    """Run `story(*stores)` and close them."""

    async def whole():
        stores = [make_store() for _ in range(count)]
        try:
            await story(*stores)
        finally:
            for store in stores:
                await store.close()
        assert len(asyncio.all_tasks()) == 1, "tasks are left behind"

    asyncio.run(whole())


def put(value):
    return lambda tx: tx.count("INSERT INTO byoa_secret (value) VALUES (?)", value)


def values(tx):
    return [row[0] for row in tx.rows("SELECT value FROM byoa_secret ORDER BY value")]


def test_work_that_fails_leaves_nothing_and_rings_nothing(make_store):
    async def story(store):
        rung = asyncio.Event()

        async def listen():
            with store.bell.listen("topic") as listener:
                await listener.rung()
                rung.set()

        def fail(tx):
            put("half")(tx)
            tx.ring("topic")
            raise LookupError("changed its mind")

        def keep(tx):
            put("whole")(tx)
            tx.ring("topic")

        await store.run(values)
        listening = asyncio.create_task(listen())
        await asyncio.sleep(0)
        with pytest.raises(LookupError):
            await store.run(fail)
        assert await store.run(values) == [] and not rung.is_set()
        await store.run(keep)
        await asyncio.wait_for(listening, 10)
        assert await store.run(values) == ["whole"]

    alone(make_store, story)


def test_counting_up_side_by_side_loses_nothing(make_store):
    async def story(store):
        await store.run(put("0"))

        def up(tx):
            tx.alone("counter")
            (value,) = values(tx)
            tx.count("UPDATE byoa_secret SET value = ?", str(int(value) + 1))

        await asyncio.gather(*(store.run(up) for _ in range(40)))
        assert await store.run(values) == ["40"]

    alone(make_store, story)


def test_what_was_begun_is_kept_when_nobody_waits_any_more(make_store):
    async def story(store):
        await store.run(values)
        asked = asyncio.create_task(store.run(put("kept")))
        await asyncio.sleep(0)
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        async with asyncio.timeout(10):
            while await store.run(values) != ["kept"]:  # it may still be at it
                await asyncio.sleep(0.01)

    alone(make_store, story)


def test_tables_of_a_newer_version_are_left_alone(make_store):
    async def story(store):
        await store.run(lambda tx: tx.count("UPDATE byoa_schema SET version = version + 1"))
        with pytest.raises(AppError, match="of version"):
            await store.run(base.migrate)

    alone(make_store, story)


def test_a_new_step_is_taken_from_where_the_tables_are(make_store, monkeypatch):
    async def story(store):
        await store.run(put("old"))
        steps = [
            *base.scripts(),
            "ALTER TABLE byoa_secret ADD COLUMN kind TEXT;\nUPDATE byoa_secret SET kind = 'a;b';\n",
        ]
        monkeypatch.setattr(base, "scripts", lambda: steps)
        await store.run(base.migrate)
        await store.run(base.migrate)
        assert await store.run(lambda tx: tx.rows("SELECT value, kind FROM byoa_secret")) == [("old", "a;b")]

    alone(make_store, story)


def test_the_bell_wakes_who_listened_before_the_ring():
    async def story(store):
        with store.bell.listen("a") as one, store.bell.listen("a") as two:
            store.bell.ring("b")
            store.bell.ring("a")
            await asyncio.wait_for(asyncio.gather(one.rung(), two.rung()), 10)
            again = asyncio.create_task(one.rung())
            await asyncio.sleep(0)
            assert not again.done()
            store.bell.ring_all()
            await asyncio.wait_for(again, 10)
        assert store.bell._waiting == {}

    alone(SqliteStore, story)


def test_a_file_is_private_and_still_there_after_a_restart(tmp_path):
    path = str(tmp_path / "byoa.db")

    async def story(store):
        await store.run(put("kept"))
        if os.name == "posix":
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600

    alone(lambda: SqliteStore(path), story)

    async def later(store):
        assert await store.run(values) == ["kept"]
        await store.close()
        assert await store.run(values) == ["kept"]  # it opens again

    alone(lambda: SqliteStore(path), later)
