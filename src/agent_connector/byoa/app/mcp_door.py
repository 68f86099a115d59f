"""The app's own tools at `/byoa/mcp`, served by the official MCP SDK to whoever holds a token of a connection.

A tool finds out for whom it is called with `current_account()`. Every request stands alone (no MCP session is kept), so
any process of the app can answer it.
"""

import asyncio
from typing import Protocol

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from agent_connector.byoa.app import connections
from agent_connector.byoa.app.calls import CALLER
from agent_connector.byoa.app.people import Connection
from agent_connector.byoa.app.setup import Setup
from agent_connector.byoa.app.web import Refused, bearer, read_body, unauthorized
from agent_connector.byoa.protocol.limits import MCP_BODY

# Only the token decides: there is no cookie that a page of another site could borrow.
OPEN = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class McpServer(Protocol):
    """`mcp.server.mcpserver.MCPServer` and `mcp.server.lowlevel.Server` are."""

    def streamable_http_app(
        self,
        *,
        json_response: bool = ...,
        stateless_http: bool = ...,
        max_request_body_size: int = ...,
        transport_security: TransportSecuritySettings | None = ...,
    ) -> Starlette: ...

    @property
    def session_manager(self) -> StreamableHTTPSessionManager: ...


class McpDoor:
    def __init__(self, setup: Setup, server: McpServer) -> None:
        self._setup = setup
        self._server = server
        self._running: _Running | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            connection = await self._caller(request)
            body = await read_body(request, MCP_BODY, self._setup.body_seconds)
        except Refused as refused:
            await refused.response()(scope, receive, send)
            return
        manager = await self._manager()
        caller = CALLER.set(connection)
        try:
            await manager.handle_request(scope, _again(body, receive), send)
        finally:
            CALLER.reset(caller)

    async def _caller(self, request: Request) -> Connection:
        if request.method != "POST":  # nothing is sent but answers
            raise Refused(405, "method_not_allowed", {"Allow": "POST"})
        token = bearer(request)
        found = await self._setup.store.run(lambda tx: connections.of_token(tx, token))
        if found is None:
            raise unauthorized()
        return found

    async def _manager(self) -> StreamableHTTPSessionManager:
        """The SDK's side, started at the first call on the loop that calls."""
        loop = asyncio.get_running_loop()
        if self._running is None or self._running.loop is not loop:
            self._server.streamable_http_app(
                json_response=True, stateless_http=True, max_request_body_size=MCP_BODY, transport_security=OPEN
            )
            self._running = _Running(self._server.session_manager, loop)
        running = self._running
        await running.ready.wait()
        if running.task.done():  # the server's own start failed, as it will fail whoever asks next
            self._running = None
            await running.task
        return running.manager

    async def close(self) -> None:
        running, self._running = self._running, None
        if running is not None and running.loop is asyncio.get_running_loop():
            running.over.set()
            await running.task


class _Running:
    """The SDK wants one task to enter and leave it; requests come in others."""

    def __init__(self, manager: StreamableHTTPSessionManager, loop: asyncio.AbstractEventLoop) -> None:
        self.manager = manager
        self.loop = loop
        self.ready = asyncio.Event()
        self.over = asyncio.Event()
        self.task = loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            async with self.manager.run():
                self.ready.set()
                await self.over.wait()
        finally:
            self.ready.set()


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, given once more; then what really comes."""
    unread = [body]

    async def receive_again() -> Message:
        return {"type": "http.request", "body": unread.pop(), "more_body": False} if unread else await receive()

    return receive_again
