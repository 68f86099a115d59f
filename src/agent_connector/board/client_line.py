"""One connection to a board, through the official SDK, which wants it entered and left by one task."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, cast

from agent_connector.errors import BoardError, BoardUnreachable, BoardWrong

if TYPE_CHECKING:
    import httpx2
    from mcp.client.client import Client

_CLOSING = 5  # seconds for a friendly end
_MOST_PAGES = 100  # of the list of tools


class Line:
    """`client` is there once it is open, for calls from any task. `lost` says that a new one is needed."""

    def __init__(self, url: str, http: "httpx2.AsyncClient") -> None:
        self._url = url
        self._http = http
        self._ready = asyncio.Event()
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.client: Client

    @property
    def lost(self) -> bool:
        return self._over.is_set() or self._task is None or self._task.done()

    def give_up(self) -> None:
        """Whoever comes next opens another: the board may have been replaced while it was away."""
        self._over.set()

    async def open(self) -> None:
        """Raises what the handshake met."""
        self._task = asyncio.create_task(self._run())
        waiting = asyncio.create_task(self._ready.wait())
        try:
            await asyncio.wait((self._task, waiting), return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if not self._ready.is_set():
            await self._failed()

    async def tools(self) -> dict[str, frozenset[str]]:
        """The names of the server's tools, and of what each takes."""
        found: dict[str, frozenset[str]] = {}
        cursor: str | None = None
        async with self.trouble("tools/list"):
            for _ in range(_MOST_PAGES):
                page = await self.client.list_tools(cursor=cursor)
                for tool in page.tools:
                    found[tool.name] = frozenset(tool.input_schema.get("properties") or ())
                cursor = page.next_cursor
                if not cursor:
                    break
        return found

    @contextlib.asynccontextmanager
    async def trouble(self, tool: str) -> AsyncGenerator[None]:
        """What the SDK raises for a line that is closed, or an answer that is none."""
        import anyio
        from pydantic import ValidationError

        try:
            yield
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream):
            self._over.set()
            raise BoardUnreachable("the line to the board was closed", where=tool) from None
        except (ValidationError, RuntimeError, TypeError) as error:
            raise BoardWrong(f"the answer is not MCP ({type(error).__name__})", where=tool) from error

    async def close(self) -> None:
        self._over.set()
        if self._task is not None:
            if not self._ready.is_set():  # it hangs in its handshake
                self._task.cancel()
            _, running = await asyncio.wait((self._task,), timeout=_CLOSING)
            if running:
                self._task.cancel()
                await asyncio.wait((self._task,), timeout=_CLOSING)
            if not self._task.cancelled():
                self._task.exception()  # seen: it was reported by who met it
        await self._http.aclose()

    async def _run(self) -> None:
        from mcp.client.client import Client
        from mcp.client.streamable_http import streamable_http_client

        transport = streamable_http_client(self._url, http_client=self._http, max_sse_event_size=None)
        async with Client(transport, cache=None) as self.client:
            self._ready.set()
            await self._over.wait()

    async def _failed(self) -> None:
        from mcp.shared.exceptions import MCPError

        error = None if self._task is None else self._task.exception()
        while isinstance(error, BaseExceptionGroup):
            error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
        if isinstance(error, MCPError | BoardError):
            raise error
        raise BoardUnreachable("no handshake with the board", where=self._url) from error
