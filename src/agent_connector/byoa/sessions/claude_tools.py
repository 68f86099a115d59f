"""The MCP server of a session on standard input and output: the apps' tools, and nothing else.

It speaks JSON-RPC itself: the official SDK takes seconds to import, and every session starts one of these.
"""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from agent_connector.byoa.core.effects import CallResult
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.version import __version__

NAME = "byoa"
SPOKEN = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
LARGEST = 64 << 20  # bytes of a line
CHUNK = 1 << 16
PARSE, INVALID, UNKNOWN_METHOD, BAD_PARAMETERS = -32700, -32600, -32601, -32602
Object = Mapping[str, Any]
Tools = Callable[[], Awaitable[Sequence[ProxiedTool]]]
Call = Callable[[str, Mapping[str, object]], Awaitable[CallResult]]


class RpcError(Exception):
    """What the caller is told instead of a result."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class ToolServer:
    """`tools` and `call` are asked when the host asks; `met` is called with the host's name for itself and its version."""

    def __init__(
        self, tools: Tools, call: Call, met: Callable[[str, str], None], send: Callable[[bytes], None]
    ) -> None:
        self._tools = tools
        self._call = call
        self._met = met
        self._send = send
        self._running: dict[str, asyncio.Task[None]] = {}

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Until the input ends. A line is a message."""
        try:
            while line := await _line(reader):
                self._take(line)
        finally:
            tasks = list(self._running.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _take(self, line: bytes) -> None:
        try:
            value: object = json.loads(line)
        except (ValueError, RecursionError):
            self._say(None, RpcError(PARSE, "this is no JSON"))
            return
        if not isinstance(value, dict):
            self._say(None, RpcError(INVALID, "one message a line"))
            return
        message = cast("Object", value)
        method, id = message.get("method"), message.get("id")
        if not isinstance(method, str):
            return  # an answer: nothing is ever asked here
        params: Object = message["params"] if isinstance(message.get("params"), dict) else {}
        if id is None:
            if method == "notifications/cancelled":
                task = self._running.pop(repr(params.get("requestId")), None)
                if task is not None:
                    task.cancel()
            return
        task = asyncio.create_task(self._answer(id, method, params))
        self._running[repr(id)] = task
        task.add_done_callback(lambda done: self._over(repr(id), done))

    def _over(self, key: str, task: "asyncio.Task[None]") -> None:
        if self._running.get(key) is task:
            del self._running[key]

    async def _answer(self, id: object, method: str, params: Object) -> None:
        try:
            result = await self._result(method, params)
        except RpcError as error:
            self._say(id, error)
        else:
            self._say(id, result)

    async def _result(self, method: str, params: Object) -> Object:
        match method:
            case "initialize":
                return self._hello(params)
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [_tool(tool) for tool in await self._tools()]}
            case "tools/call":
                name: object = params.get("name")
                arguments: object = params.get("arguments") or {}
                if not isinstance(name, str) or not isinstance(arguments, dict):
                    raise RpcError(BAD_PARAMETERS, "a call has a name and an object of arguments")
                result = await self._call(name, cast("Mapping[str, object]", arguments))
                return {"content": [dict(block) for block in result.content], "isError": result.is_error}
            case _:
                raise RpcError(UNKNOWN_METHOD, f"there is no method {method}")

    def _hello(self, params: Object) -> Object:
        client = params.get("clientInfo")
        said: Object = cast("Object", client) if isinstance(client, dict) else {}
        self._met(str(said.get("name", "")), str(said.get("version", "")))
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in SPOKEN else SPOKEN[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": NAME, "version": __version__},
        }

    def _say(self, id: object, said: Object | RpcError) -> None:
        body: dict[str, object] = {"jsonrpc": "2.0", "id": id}
        if isinstance(said, RpcError):
            body["error"] = {"code": said.code, "message": str(said)}
        else:
            body["result"] = said
        self._send(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n")


def _tool(tool: ProxiedTool) -> Object:
    return {"name": tool.name, "description": tool.description, "inputSchema": json.loads(tool.schema)}


async def _line(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readline()
    except (ValueError, ConnectionError):
        return b""


class StandardInput(asyncio.StreamReader):
    """Read by a thread, which works alike for pipes, files and terminals on every system. `end` is an end as well."""

    def __init__(self) -> None:
        super().__init__(limit=LARGEST)
        self._over = False
        threading.Thread(target=self._run, args=(asyncio.get_running_loop(),), name="input", daemon=True).start()

    def end(self) -> None:
        if not self._over:
            self._over = True
            self.feed_eof()

    def _more(self, piece: bytes) -> None:
        if not self._over:
            self.feed_data(piece)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            while piece := os.read(sys.stdin.fileno(), CHUNK):
                loop.call_soon_threadsafe(self._more, piece)
            loop.call_soon_threadsafe(self.end)
        except (OSError, RuntimeError):  # the loop is over already
            return


class StandardOutput:
    """Whole lines, written by a thread of their own: a host that is slow to read holds up nothing else."""

    def __init__(self) -> None:
        self._ready = threading.Condition()
        self._lines: list[bytes] = []
        threading.Thread(target=self._write, name="standard output", daemon=True).start()

    def __call__(self, line: bytes) -> None:
        with self._ready:
            self._lines.append(line)
            self._ready.notify()

    def _write(self) -> None:
        while True:
            with self._ready:
                self._ready.wait_for(lambda: self._lines)
                lines, self._lines = self._lines, []
            left = memoryview(b"".join(lines))
            try:
                while left:
                    left = left[os.write(sys.stdout.fileno(), left) :]
            except OSError:
                return  # the host is gone
