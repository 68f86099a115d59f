"""The board as one ASGI application: `/mcp`, the doors of `/api`, the page, behind the guard.

    uvicorn.run(application(open_store("sqlite:///board.db")), host="127.0.0.1", port=8700)

It needs its lifespan run. `page.routes(store, doors)` gives the page; `request.client` is who is counted for limits.
"""

import asyncio
import contextlib
import importlib.util
import time
from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from agent_connector.board import lease_clock, retention, upkeep
from agent_connector.board.doors import Doors
from agent_connector.board.guard import LOOPBACK, Guard
from agent_connector.board.limits import Buckets
from agent_connector.board.mcp_door import McpDoor
from agent_connector.board.store import Store
from agent_connector.errors import BoardUnreachable

_BREATH = 0.1  # seconds between two prunings, for whoever else writes


@dataclass(frozen=True, slots=True)
class Rates:
    """Requests a second, and at once: of a key at `/mcp`, of an address elsewhere, of an address without a good key."""

    key: tuple[float, float] = (200, 400)
    address: tuple[float, float] = (50, 200)
    stranger: tuple[float, float] = (1, 20)


def application(
    store: Store, *, allow_hosts: Iterable[str] = (), rates: Rates | None = None, keep_logs: float = retention.KEPT
) -> Starlette:
    """`allow_hosts` are names beside loopback's that a Host header may have; `keep_logs` are days, 0: for ever.

    The store is the caller's to close.
    """
    rates = rates or Rates()
    door = McpDoor(store, Buckets(*rates.key), Buckets(*rates.stranger))
    doors = Doors(store, Buckets(*rates.address))

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        ready, over = asyncio.Event(), asyncio.Event()
        store.listen()
        async with asyncio.TaskGroup() as group:
            group.create_task(door.run(ready, over))
            kept_up = [group.create_task(_prune(store, keep_logs))]
            if store.real:  # else who moves the clock moves this time, too
                kept_up.append(group.create_task(_look(store)))
            await ready.wait()
            try:
                yield
            finally:
                over.set()
                for task in kept_up:
                    task.cancel()
                doors.close()

    # A Route with a class instance hands every method on, and does not redirect to `/mcp/` as a Mount does.
    routes: list[BaseRoute] = [Route("/mcp", door), *doors.routes(), *_page(store, doors)]
    guard = Middleware(Guard, hosts=(*LOOPBACK, *allow_hosts))
    return Starlette(routes=routes, middleware=[guard], lifespan=lifespan)


def _page(store: Store, doors: Doors) -> list[BaseRoute]:
    if importlib.util.find_spec("agent_connector.board.page") is None:
        return []
    page = importlib.import_module("agent_connector.board.page")
    return list(page.routes(store, doors))


async def _prune(store: Store, keep_logs: float) -> None:
    while True:
        with contextlib.suppress(BoardUnreachable):  # then in an hour
            while (await store.writing(upkeep.prune))["requests"]:
                await asyncio.sleep(_BREATH)
            while keep_logs and await store.writing(retention.prune, keep_logs):
                await asyncio.sleep(_BREATH)
        await asyncio.sleep(upkeep.EVERY)


async def _look(store: Store) -> None:
    last = time.monotonic()
    while True:
        await asyncio.sleep(lease_clock.EVERY)
        begun = time.monotonic()
        with contextlib.suppress(BoardUnreachable):
            await store.writing(lease_clock.look_if_held, begun - last + lease_clock.EVERY)
            last = begun
