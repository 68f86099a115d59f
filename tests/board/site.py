"""Our server in this process, and an HTTP client straight at it."""

import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import httpx2
from starlette.applications import Starlette

from agent_connector.board.app import Rates, application
from agent_connector.board.store import Store
from agent_connector.testing.board_stage import ADDRESS, FREE


class Site:
    """The server, and an HTTP client straight at it."""

    def __init__(self, app: Starlette, client: tuple[str, int]) -> None:
        self.app = app
        self.http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app, client=client), base_url=ADDRESS)

    async def tool(self, key: str, name: str, arguments: dict[str, Any] | None = None) -> httpx2.Response:
        """One call as a client of the older protocol makes it."""
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments or {}},
        }
        headers = {"x-api-key": key, "accept": "application/json, text/event-stream"}
        return await self.http.post("/mcp", json=call, headers=headers)


@contextlib.asynccontextmanager
async def site_of(
    store: Store, rates: Rates = FREE, client: tuple[str, int] = ("127.0.0.1", 50000), **options: Any
) -> AsyncGenerator[Site]:
    app = application(store, rates=rates, **options)
    async with app.router.lifespan_context(app):
        site = Site(app, client)
        async with site.http:
            yield site
