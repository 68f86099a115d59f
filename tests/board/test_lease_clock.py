"""The time of leases on a board that serves: it goes on by itself while a lease is held, and only then."""

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import select, update

from agent_connector.board import lease_clock, leases, tasks
from agent_connector.board.app import application
from agent_connector.board.engine import Tx
from agent_connector.board.schema import lease_clock as row
from agent_connector.board.store import Store, open_store

WAIT = 60
LONG_AGO = 3_600_000_000  # microseconds


def noted(store: Store) -> tuple[int, int]:
    found = store.read(lambda tx: tx.connection.execute(select(row.c.wall, row.c.steady)).one())
    return int(found[0]), int(found[1])


def long_unseen(tx: Tx) -> None:
    """As if nobody had looked for an hour."""
    tx.connection.execute(update(row).values(wall=row.c.wall - LONG_AGO))


def test_a_board_that_serves_lets_time_pass_for_leases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease_clock, "EVERY", 0.05)
    store = open_store(f"sqlite:///{tmp_path}/board.db")
    task = store.write(tasks.add, title="t", by="x")
    store.write(leases.claim, task.id, connector="one", instance="a", seconds=600)
    store.write(long_unseen)
    wall, steady = noted(store)

    async def serve() -> None:
        app = application(store)
        deadline = time.monotonic() + WAIT
        async with app.router.lifespan_context(app):
            while noted(store)[0] == wall and time.monotonic() < deadline:
                await asyncio.sleep(0.05)

    try:
        asyncio.run(serve())
        now_wall, now_steady = noted(store)
        assert now_wall >= wall + LONG_AGO, "nobody looked at the clock"
        assert 0 < now_steady - steady < WAIT * 1_000_000, "an hour's jump is none"
    finally:
        store.close()


def test_without_a_lease_nothing_is_written(store: Store) -> None:
    task = store.write(tasks.add, title="t", by="x")
    fence = store.write(leases.claim, task.id, connector="one", instance="a", seconds=600).fence
    assert fence is not None
    store.write(long_unseen)
    before = noted(store)
    store.write(leases.release, task.id, connector="one", instance="a", fence=fence)
    store.write(lease_clock.look_if_held, 5.0)
    assert noted(store) == before
