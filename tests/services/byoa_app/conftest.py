"""The scenes of tests/byoa/app, with PostgreSQL for a store. Nobody guesses how long the database takes."""

import asyncio
import itertools
from collections.abc import Callable

import pytest
from tests.byoa.app.conftest import Patience, play

from agent_connector.byoa.app.store.base import T, Tx
from agent_connector.byoa.app.store.postgres import PostgresStore
from agent_connector.testing.byoa.app_world import ROUNDS

__all__ = ["play"]


class Watched(PostgresStore):
    """Knows whether anything of it is on its way."""

    open: list["Watched"]
    working = 0

    async def run(self, work: Callable[[Tx], T]) -> T:
        self.working += 1
        try:
            return await super().run(work)
        finally:
            self.working -= 1

    async def hears(self, topic: str) -> None:
        """What rang before has been heard, too: rings come in order."""
        with self.bell.listen(topic) as listener:
            await self.run(lambda tx: tx.ring(topic))
            await listener.rung()

    async def close(self) -> None:
        if self in self.open:
            self.open.remove(self)
        await super().close()


class Stores:
    """The stores of several processes on one database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.open: list[Watched] = []
        self._numbers = itertools.count()

    def make(self) -> Watched:
        made = Watched(self.url)
        made.open = self.open
        self.open.append(made)
        return made

    async def quiet(self) -> None:
        """Until everything that rang was heard, and nobody works any more because of it."""
        while True:
            for store in list(self.open):
                await store.hears(f"quiet {next(self._numbers)}")
            for _ in range(ROUNDS):
                await asyncio.sleep(0)
            if not any(store.working for store in self.open):
                return


@pytest.fixture
def stores(postgres_url: str) -> Stores:
    return Stores(postgres_url)


@pytest.fixture
def make_store(stores: Stores) -> Callable[[], Watched]:
    return stores.make


@pytest.fixture
def patience(stores: Stores) -> Patience:
    return stores.quiet
