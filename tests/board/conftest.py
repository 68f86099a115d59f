"""A board on SQLite for each test: its database, its server in this process, its people."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.board.site import Site, site_of

from agent_connector.board.store import Store, open_store
from agent_connector.testing.board_stage import Clock, minted


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/board.db", clock)
    yield opened
    opened.close()


@pytest.fixture
def key(store: Store) -> str:
    return minted(store, "worker@example.com")


@pytest.fixture
def at_site(store: Store) -> Callable[..., None]:
    """Run a coroutine function with a Site of this test's database."""

    def run(work: Callable[[Site], Coroutine[Any, Any, None]], **options: Any) -> None:
        async def go() -> None:
            async with site_of(store, **options) as site:
                await work(site)

        asyncio.run(go())

    return run
