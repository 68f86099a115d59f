"""Several processes of one app on one PostgreSQL: what is asked in one reaches the poll that another holds."""

import asyncio
import json
import subprocess
import sys

import psycopg
import pytest
from tests.byoa.app.conftest import ADA, Scene

from agent_connector.byoa.app import Delta, Ended, Outcome, Started
from agent_connector.byoa.app.store.postgres import PostgresStore

OTHER_PROCESS = """
import asyncio, sys
from agent_connector.byoa.app import Account, Byoa
from agent_connector.byoa.app.store.postgres import PostgresStore

async def main():
    store = PostgresStore(sys.argv[1])
    class Scripted:  # one clock for both: by another's a session of the first one would be long away
        at = 0.0

        def now(self):
            return self.at

        def later(self, seconds, call):
            return asyncio.get_running_loop().call_later(seconds, call)

    clock = Scripted()
    named = {"id": "notes", "name": "Notes", "origin": "https://notes.example"}
    byoa = Byoa(store, lambda request: None, **named, hold=25, clock=clock)
    (polled,) = await store.run(lambda tx: tx.row("SELECT MAX(polled) FROM byoa_sessions"))
    clock.at = polled
    (session,) = await byoa.sessions_of(Account("1", "Ada"))
    turn = await session.chat("from another process")
    print(turn.id, flush=True)
    print(await turn.answer(), flush=True)
    await byoa.close()

asyncio.run(main())
"""


@pytest.fixture
def scenes(stores):
    """`scenes(story)`: two processes of the app, as far as the store can tell them apart."""

    def run(story):
        async def whole():
            scene = Scene(stores.make(), stores.quiet)
            other = scene.app(stores.make())
            async with asyncio.timeout(60):
                try:
                    await story(scene, other)
                finally:
                    await scene.world.close()
                    await scene.byoa.close()
                    await other.close()
            assert len(asyncio.all_tasks()) == 1, "tasks are left behind"

        asyncio.run(whole())

    return run


def test_a_message_of_one_wakes_the_poll_of_another_and_the_answer_comes_back(scenes):
    async def story(scene, other):
        host, _ = await scene.live()
        (session,) = await other.sessions_of(ADA)
        turn = await session.chat("across")
        before = scene.clock.now()
        await scene.world.settled()
        assert host.prompts and scene.clock.now() == before  # the poll was held, and did not run out
        reading = asyncio.create_task(collect(turn))
        host.begin()
        host.reports.delta("and back")
        host.end()
        await scene.world.until(reading.done)
        assert await reading == [Started(1), Delta(2, "and back"), Ended(3, Outcome.DONE)]

    scenes(story)


def test_revoking_in_one_ends_the_poll_that_another_holds(scenes):
    async def story(scene, other):
        await scene.live()
        (session,) = await other.sessions_of(ADA)
        assert await other.revoke(ADA, session.connection_id)
        await scene.world.settled()
        assert "has revoked" in " ".join(scene.world.host.toasts)

    scenes(story)


def test_limits_hold_when_all_ask_at_once(scenes):
    async def story(scene, other):
        client = {"host": "x", "host_version": "1", "connector": "x", "machine_name": "x"}
        second = Scene(other._setup.store, scene.patience)
        second.byoa = other
        pages = await asyncio.gather(
            *(one.post("/byoa/pair/start", {"client": client}) for one in (scene, second) for _ in range(10))
        )
        assert sorted(page.status for page in pages) == [200] * 5 + [429] * 15
        grants = [json.loads(page.text) for page in pages if page.status == 200]
        assert len({grant["user_code"][:4] for grant in grants}) == 5

    scenes(story)


def test_a_batch_that_arrives_everywhere_at_once_is_taken_once(scenes):
    async def story(scene, other):
        await scene.live()
        (session,) = await other.sessions_of(ADA)
        turn = await session.chat("go")
        await scene.world.settled()
        second = Scene(other._setup.store, scene.patience)
        second.byoa = other
        batch = {"session_id": session.id, "turn": turn.id, "seq": 0, "events": [{"type": "delta", "text": "once"}]}
        pages = await asyncio.gather(
            *(one.post("/byoa/sessions/events", batch, scene.token) for one in (scene, second) for _ in range(8))
        )
        assert {(page.status, page.text) for page in pages} == {(200, '{"next":1}')}
        batch = {**batch, "seq": 1, "events": [{"type": "ended", "outcome": "done"}]}
        await scene.post("/byoa/sessions/events", batch, scene.token)
        assert await collect(turn) == [Delta(1, "once"), Ended(2, Outcome.DONE)]

    scenes(story)


def test_the_tables_are_made_once_when_all_start_at_once(postgres_url):
    async def story():
        stores = [PostgresStore(postgres_url) for _ in range(6)]
        versions = await asyncio.gather(
            *(store.run(lambda tx: tx.rows("SELECT version FROM byoa_schema")) for store in stores)
        )
        assert versions == [[(1,)]] * 6
        await asyncio.gather(*(store.close() for store in stores))

    asyncio.run(story())


def test_another_process_asks_and_reads_the_answer(stores):
    async def story():
        scene = Scene(stores.make(), stores.quiet)
        host, _ = await scene.live()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", OTHER_PROCESS, stores.url), stdout=subprocess.PIPE
        )
        async with asyncio.timeout(60):
            id = (await process.stdout.readline()).decode().strip()
            assert id, "the other process has ended"
            await scene.world.settled()
            assert host.prompts[0].endswith("from another process")
            host.answer("from the host")
            await scene.world.settled()
            assert (await process.stdout.readline()).decode().strip() == "from the host"
            assert await process.wait() == 0
        assert await (await scene.byoa.turn(ADA, id)).answer() == "from the host"
        await scene.world.close()
        await scene.byoa.close()

    asyncio.run(story())


def test_the_server_is_restarted_while_a_poll_is_held(postgres, stores):
    async def story():
        scene = Scene(stores.make(), stores.quiet)
        host, session = await scene.live()
        await asyncio.to_thread(postgres.stop)
        with pytest.raises(psycopg.OperationalError):
            await scene.byoa.sessions_of(ADA)
        await asyncio.to_thread(postgres.start)
        turn = await session.chat("are you there?")
        async with asyncio.timeout(60):
            while not host.prompts:  # the ear is lent again within a second or two
                await scene.world.settled()
                await asyncio.sleep(0.05)
        host.answer("still here")
        await scene.world.settled()
        assert await turn.answer() == "still here"
        await scene.world.close()
        await scene.byoa.close()

    asyncio.run(story())


def test_a_server_that_is_not_there_is_said(postgres):
    async def story():
        store = PostgresStore(postgres.url("no_such_database"))
        for _ in range(2):
            with pytest.raises(psycopg.OperationalError, match="no_such_database"):
                await store.run(lambda tx: None)
        await store.close()

    asyncio.run(story())


async def collect(turn):
    return [event async for event in turn]
