"""The apps' tools as an MCP server of one session: hosts start the relay, the relay comes to the meeting, this answers.

The official SDK speaks the protocol; each call goes through the pairer to the app.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import TypeAdapter, ValidationError

from agent_connector.byoa.core.effects import CallResult
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.byoa.sessions import relay
from agent_connector.byoa.sessions.acp_updates import SERVER
from agent_connector.version import __version__

BLOCKS: TypeAdapter[types.ContentBlock] = TypeAdapter(types.ContentBlock)
Call = Callable[[str, Mapping[str, object]], Awaitable[CallResult]]


def command(address: str) -> tuple[str, list[str]]:
    """Program and arguments that a host starts; the key goes into its environment, where other users cannot read it."""
    return sys.executable, ["-I", "-S", relay.__file__, address]


Serving = Server[dict[str, Any]]


def server(tools: Sequence[ProxiedTool], call: Call) -> Serving:
    async def listed(
        context: ServerRequestContext[dict[str, Any]], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=tool.name, description=tool.description, input_schema=json.loads(tool.schema))
                for tool in tools
            ]
        )

    async def called(
        context: ServerRequestContext[dict[str, Any]], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        result = await call(params.name, params.arguments or {})
        blocks = [BLOCKS.validate_python(block) for block in result.content]
        return types.CallToolResult(content=blocks, is_error=result.is_error)

    return Server(SERVER, version=__version__, on_list_tools=listed, on_call_tool=called)


async def serve(server: Server[dict[str, Any]], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One caller, until it leaves: a line is a message."""
    into, inbox = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outbox, out = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_read, reader, into)
        group.start_soon(_write, writer, out)
        async with inbox, outbox:
            await server.run(inbox, outbox, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _read(reader: asyncio.StreamReader, into: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    async with into:
        while line := await _line(reader):
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError as problem:
                await into.send(problem)
            else:
                await into.send(SessionMessage(message))


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except (ValueError, ConnectionError):
        return b""


async def _write(writer: asyncio.StreamWriter, out: MemoryObjectReceiveStream[SessionMessage]) -> None:
    async with out:
        async for message in out:
            text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                writer.write(text.encode() + b"\n")
                await writer.drain()
            except ConnectionError:  # the host's end went away in the middle of an answer
                return
