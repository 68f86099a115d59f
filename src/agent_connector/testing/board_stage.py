"""Stages for `board_checks`: a board in memory, and our own server on any database, its clients straight at the app.

async with served("sqlite:////tmp/board.db") as stage:
    await check(stage)
"""

import contextlib
from collections.abc import AsyncGenerator, Mapping
from functools import cache
from typing import Any

import httpx2

from agent_connector.board import keys, lease_clock, readers, retention, runs, tasks, users
from agent_connector.board.app import Rates, application
from agent_connector.board.client import BoardClient
from agent_connector.board.store import Store, open_store
from agent_connector.board.values import Comment, Task
from agent_connector.testing.board_checks import Stage
from agent_connector.testing.boards import PERSON, MemoryBoard

START = 1_796_000_000.0  # what the clock of a stage shows at first
ADDRESS = "http://127.0.0.1:8700"
PASSWORD = "a password of tests"  # noqa: S105
FREE = Rates((1e6, 1e6), (1e6, 1e6), (1e6, 1e6))


class Clock:
    """A time that only tests move."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


class InMemory:
    """People at a MemoryBoard."""

    def __init__(self, board: MemoryBoard, clock: Clock) -> None:
        self.board = board
        self.clock = clock

    async def add(self, title: str, **more: Any) -> Task:
        return self.board.add(title, **more)

    async def move(self, task_id: str, status: str) -> Task:
        return self.board.move(task_id, status)

    async def say(self, task_id: str, body: str) -> Comment:
        return self.board.say(task_id, body)

    async def log(self, run_id: str) -> list[Mapping[str, Any]]:
        return list[Mapping[str, Any]](self.board.log(run_id))

    async def run(self, run_id: str) -> Mapping[str, Any]:
        run = next(run for run in self.board.runs() if run.id == run_id)
        return {"status": run.status, **run.held} | ({"logFrom": run.log_from} if run.log_from else {})

    async def prune_logs(self, days: float) -> None:
        self.board.prune_logs(days)

    def forward(self, seconds: float) -> None:
        self.clock.now += seconds

    def jump(self, seconds: float) -> None:
        self.clock.now += seconds
        self.board.world.jumped += seconds


class AtStore:
    """People at a database."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock

    async def add(self, title: str, **more: Any) -> Task:
        return await self.store.writing(tasks.add, title=title, by=PERSON, **more)

    async def move(self, task_id: str, status: str) -> Task:
        return await self.store.writing(tasks.set_status, task_id, status, by=PERSON)

    async def say(self, task_id: str, body: str) -> Comment:
        return await self.store.writing(tasks.comment, task_id, body, by=PERSON)

    async def log(self, run_id: str) -> list[Mapping[str, Any]]:
        found = await self.store.reading(readers.log, run_id)
        names = ("seq", "ts", "type", "channel", "payload")
        return [{name: getattr(event, name) for name in names} for event in found]

    async def run(self, run_id: str) -> Mapping[str, Any]:
        return (await self.store.reading(runs.get, run_id)).wire()

    async def prune_logs(self, days: float) -> None:
        while await self.store.writing(retention.prune, days):
            pass

    def forward(self, seconds: float) -> None:
        forward(self.store, self.clock, seconds)

    def jump(self, seconds: float) -> None:
        self.clock.now += seconds


def forward(store: Store, clock: Clock, seconds: float) -> None:
    """Time passes, as a board that serves sees it pass."""
    store.write(lease_clock.look)
    clock.now += seconds
    store.write(lease_clock.look, seconds)


def in_memory(**switches: Any) -> Stage:
    clock = Clock()
    board = MemoryBoard(clock=clock, **switches)
    return Stage(board, board.beside("other@example.com"), InMemory(board, clock))


@contextlib.asynccontextmanager
async def served(url: str) -> AsyncGenerator[Stage]:
    """Our server on a database of its own, at a clock that stands still."""
    clock = Clock()
    store = open_store(url, clock)
    app = application(store, rates=FREE)
    try:
        keyed = [minted(store, email) for email in ("worker@example.com", "other@example.com")]
        async with app.router.lifespan_context(app), contextlib.AsyncExitStack() as stack:
            lines = [BoardClient(ADDRESS, key, transport=httpx2.ASGITransport(app)) for key in keyed]
            worker, other = [await stack.enter_async_context(line) for line in lines]
            yield Stage(worker, other, AtStore(store, clock))
    finally:
        store.close()


def minted(store: Store, email: str, name: str | None = None) -> str:
    """A key of a new person, whose password is PASSWORD."""
    user = store.write(users.add, email, hashed())
    return store.write(keys.mint, user.id, name)


@cache
def hashed() -> str:
    return users.hashed(PASSWORD)
