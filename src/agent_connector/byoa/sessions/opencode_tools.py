"""The apps' tools in a running OpenCode: it is told of a server while it runs, and starts our relay for it.

OpenCode names a tool of a server `<server>_<tool>`; for an app it has the wire's name.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from agent_connector.byoa.core.effects import CallResult
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.byoa.driver.loop import Driver
from agent_connector.byoa.sessions import tool_server
from agent_connector.byoa.sessions.acp_updates import SERVER, table, text
from agent_connector.byoa.sessions.meeting import Meeting
from agent_connector.byoa.sessions.opencode_server import Server, ServerError
from agent_connector.byoa.sessions.opencode_session import OpenCodeSession
from agent_connector.byoa.sessions.relay import KEY

LOOK_AGAIN = 0.1
LEAVE_WITHIN = 3.0  # a person who leaves does not wait for an OpenCode that hangs
CALL_MOST = 60_000  # milliseconds; an app has 30 s, and then the call ends here


@dataclass
class Tools:
    server: Server
    driver: Driver
    note: Callable[[str], None]
    meeting: Meeting | None = None
    names: dict[str, str] = field(default_factory=dict[str, str])  # as OpenCode has them -> as the wire has them
    _serving: tool_server.Serving | None = None
    _told: str | None = None  # the project in which it is registered

    async def visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The relay has come: OpenCode wants to speak to the server."""
        if self._serving is not None:
            await tool_server.serve(self._serving, reader, writer)

    async def offer(self, session: OpenCodeSession) -> None:
        """Wait until the apps' tools are known, and register them where the session works."""
        while not session.gone and session.handle is not None:
            tools = session.handle.tools()
            if tools is not None:
                await self._register(session, tools)
                return
            await asyncio.sleep(LOOK_AGAIN)

    async def renew(self, session: OpenCodeSession) -> None:
        """After a gap: an OpenCode that was started again knows nothing of us; one that was not may be in a call."""
        if self._told is None or not await self._is_known(self._told):
            await self.offer(session)

    async def withdraw(self) -> None:
        told, self._told = self._told, None
        if told is not None:
            with contextlib.suppress(ServerError, TimeoutError):
                async with asyncio.timeout(LEAVE_WITHIN):
                    await self.server.post(f"/mcp/{SERVER}/disconnect", directory=told)

    async def _is_known(self, directory: str) -> bool:
        try:
            known = table(await self.server.get("/mcp", directory=directory))
        except ServerError:
            return False
        return table(known.get(SERVER)).get("status") == "connected"

    async def _register(self, session: OpenCodeSession, tools: tuple[ProxiedTool, ...]) -> None:
        handle = session.handle
        if handle is None or self.meeting is None:
            return

        async def call(name: str, arguments: Mapping[str, object]) -> CallResult:
            return await self.driver.call(handle, name, arguments)

        await self.withdraw()
        if not tools:
            return
        self._serving = tool_server.server(tools, call)
        self.names.update({f"{SERVER}_{tool.name}": tool.name for tool in tools})
        program, arguments = tool_server.command(self.meeting.address)
        config = {
            "type": "local",
            "command": [program, *arguments],
            "environment": {KEY: self.meeting.key},
            "timeout": CALL_MOST,
        }
        try:
            answer = table(
                await self.server.post("/mcp", {"name": SERVER, "config": config}, directory=session.directory)
            )
        except ServerError as problem:
            self.note(f"OpenCode does not take the apps' tools: {problem}")
            return
        self._told = session.directory
        state = table(answer.get(SERVER))
        if state.get("status") != "connected":
            self.note(f"OpenCode cannot reach the apps' tools: {text(state.get('error')) or state.get('status')}")
