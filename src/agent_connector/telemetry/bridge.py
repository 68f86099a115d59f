"""`serve --url`: a remote server as a program on stdin and stdout, so that what it costs can be counted.

Started by `runtime/serve.py` as `python -I bridge.py root=... --connector ID --url URL [--transport http|sse]
[--header "Name: value" ...] [--bearer VARIABLE] [--host ID]`. It is no part of the proxy and not bound by its limits.
Each message goes on as it is; what HTTP wants beside it (session, protocol version, routing headers) is added there.
"""

import argparse
import os
import sys

if __name__ == "__main__":  # isolated, so the package is not on the path
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import json
import re
import threading
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast
from urllib.parse import urlsplit

import anyio
import httpx2
from anyio import from_thread
from anyio.lowlevel import current_token
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.inbound import encode_header_value, mcp_param_headers, x_mcp_header_map
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import CONNECTION_CLOSED, JSONRPCError, JSONRPCRequest, JSONRPCResponse, jsonrpc_message_adapter
from pydantic import ValidationError

from agent_connector.telemetry.append import enabled
from agent_connector.telemetry.frames import IN, OUT
from agent_connector.telemetry.origin import origin
from agent_connector.telemetry.report import read_manifests, table
from agent_connector.telemetry.rows import project_book
from agent_connector.telemetry.worker import Worker, now

VERSION = "io.modelcontextprotocol/protocolVersion"
LAST_ANSWERS = 10.0  # seconds for open requests once the host has closed stdin
_REFERENCE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_DUMP: dict[str, Any] = {"by_alias": True, "mode": "json", "exclude_unset": True}


def main(arguments: Sequence[str]) -> int:
    """Bridge until the host closes stdin."""
    options, open_requests, code = parse(arguments), set[Any](), 0
    try:
        anyio.run(bridge, options, worker(options), open_requests)
    except* (httpx2.HTTPError, OSError) as group:
        code = 1
        server = urlsplit(str(options.url)).hostname or "the server"  # the rest of an address may hold a key
        fail(f"agent-connector: {server}: {first(group)}".replace(options.url, server), open_requests)
    return code


def first(group: BaseException) -> BaseException:
    """The innermost of the errors that ended everything."""
    while isinstance(group, BaseExceptionGroup):
        group = cast(BaseExceptionGroup[BaseException], group).exceptions[0]
    return group


def fail(text: str, open_requests: set[Any]) -> None:
    """Tell the host what happened: in its log, and as the answer to what it still waits for."""
    print(text, file=sys.stderr)  # noqa: T201
    for ident in open_requests:
        error = {"jsonrpc": "2.0", "id": ident, "error": {"code": CONNECTION_CLOSED, "message": text}}
        send(json.dumps(error).encode() + b"\n")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser("agent-connector serve")
    parser.add_argument("root", type=lambda word: word.removeprefix("root="))
    parser.add_argument("--connector", required=True)
    parser.add_argument("--url", required=True, type=fill)
    parser.add_argument("--host", default="")
    parser.add_argument("--transport", choices=["http", "sse"], default="http")
    parser.add_argument("--header", action="append", default=[], type=fill)
    parser.add_argument("--bearer", default="")
    return parser.parse_args(arguments)


def fill(text: str) -> str:
    """`text` with `${env:NAME}` and `${env:NAME:-default}` replaced."""
    return _REFERENCE.sub(lambda found: os.environ.get(found[1], found[2] or ""), text)


def headers(options: argparse.Namespace) -> dict[str, str]:
    """The headers of every request to the server: those of the declaration (so that no secret stands in an argument,
    where hosts would expand it and every process could read it), and those of the command line."""
    manifest = read_manifests(options.root).get(options.connector, {})
    told = table(table(manifest.get("servers")).get(options.host)) or table(manifest.get("server"))
    found = {str(name): fill(str(value)) for name, value in table(told.get("headers")).items()}
    pairs = [header.partition(":") for header in options.header]
    found |= {name.strip(): value.strip() for name, _, value in pairs}
    if options.bearer and os.environ.get(options.bearer):
        found["Authorization"] = "Bearer " + os.environ[options.bearer]
    return found


def worker(options: argparse.Namespace) -> Worker | None:
    """Who counts, unless counting is off."""
    told = table(read_manifests(options.root).get(options.connector, {}).get("telemetry"))
    if not told.get("enabled", True) or not enabled(options.root, options.connector, "serve"):
        return None
    session = f"{os.getpid():x}-{now():x}"
    hint = told.get("model_family") or ""
    whence = origin(options.connector, options.host, hint, os.environ, os.getcwd(), session)
    book = project_book(os.getcwd()) if told.get("store") == "project" else ""
    return Worker(options.root, whence, "serve", book, bool(told.get("measure_definitions", True)))


class Stamps:
    """What HTTP wants to know of a message in headers, and what has to be remembered for it."""

    def __init__(self) -> None:
        self.version = ""
        self.opening: Any = None
        self.listings: set[Any] = set()
        self.params: dict[str, Mapping[tuple[str, ...], str]] = {}

    def outgoing(self, message: Mapping[str, Any]) -> dict[str, str]:
        """The headers of a message to the server."""
        method, params = message.get("method", ""), table(message.get("params"))
        if method == "initialize":
            self.opening = message.get("id")
            return {}
        if method == "tools/list":
            self.listings.add(message.get("id"))
        version = table(params.get("_meta")).get(VERSION)
        if not version:
            return {"MCP-Protocol-Version": self.version} if self.version else {}
        found = {"MCP-Protocol-Version": str(version), "Mcp-Method": str(method)}
        name = params.get(_NAMED.get(method, ""))
        if isinstance(name, str):
            found["Mcp-Name"] = encode_header_value(name)
            if method == "tools/call":
                found |= mcp_param_headers(self.params.get(name, {}), table(params.get("arguments")))
        return found

    def incoming(self, message: Mapping[str, Any]) -> None:
        """Learn from a message of the server's."""
        ident, result = message.get("id"), table(message.get("result"))
        if self.opening is not None and ident == self.opening:
            self.version, self.opening = str(result.get("protocolVersion", "")), None
        if ident in self.listings:
            self.listings.discard(ident)
            for tool in cast(list[Any], result.get("tools") or []):
                one = table(tool)
                self.params[str(one.get("name"))] = x_mcp_header_map(one.get("inputSchema"))


@asynccontextmanager
async def connect(options: argparse.Namespace) -> AsyncGenerator[tuple[Any, Any]]:
    """The two streams of the remote server."""
    if options.transport == "sse":
        opened = cast(AbstractAsyncContextManager[Any], sse_client(options.url, headers=headers(options)))
        async with opened as (read, write):
            yield read, write
        return
    timeout = httpx2.Timeout(30, read=None)  # a tool may take its time; the host has a limit of its own
    async with (
        httpx2.AsyncClient(headers=headers(options), timeout=timeout) as client,
        streamable_http_client(options.url, http_client=client, max_sse_event_size=None) as (read, write),
    ):
        yield read, write


async def bridge(options: argparse.Namespace, count: Worker | None, open_requests: set[Any]) -> None:
    """Move messages both ways until the host closes, then wait for what is still to be answered."""
    stamps = Stamps()
    lines = from_host()
    async with connect(options) as (read, write), anyio.create_task_group() as group:
        group.start_soon(answers, read, stamps, open_requests, count)
        await requests(lines, write, stamps, open_requests, count)
        with anyio.move_on_after(LAST_ANSWERS):
            while open_requests:
                await anyio.sleep(0.02)
        group.cancel_scope.cancel()
    if count:
        count.close()


def from_host() -> MemoryObjectReceiveStream[bytes]:
    """The lines of stdin. A thread of its own waits for them, which holds nothing when the bridge has to end."""
    send, receive = anyio.create_memory_object_stream[bytes](16)
    token = current_token()

    def read() -> None:
        parts: list[bytes] = []
        while part := os.read(0, 1 << 16):
            parts.append(part)
            if b"\n" in part:
                *lines, rest = b"".join(parts).split(b"\n")
                parts = [rest]
                for line in lines:
                    from_thread.run(send.send, line, token=token)
        from_thread.run_sync(send.close, token=token)

    def run() -> None:
        try:
            read()
        except (anyio.BrokenResourceError, anyio.RunFinishedError):
            return  # the bridge has ended

    threading.Thread(target=run, daemon=True).start()
    return receive


async def requests(
    lines: MemoryObjectReceiveStream[bytes], write: Any, stamps: Stamps, open_requests: set[Any], count: Worker | None
) -> None:
    """From the host to the server."""
    async for line in lines:
        try:
            value: Any = json.loads(line)
        except ValueError:
            continue
        for one in cast(list[Any], value) if isinstance(value, list) else [value]:
            try:
                message = jsonrpc_message_adapter.validate_python(one, by_name=False)
            except ValidationError:
                continue
            if isinstance(message, JSONRPCRequest):
                open_requests.add(message.id)
            if count:
                count.seen(IN, lambda one=one: [one])
            metadata = ClientMessageMetadata(headers=stamps.outgoing(one))
            await write.send(SessionMessage(message, metadata))


async def answers(read: Any, stamps: Stamps, open_requests: set[Any], count: Worker | None) -> None:
    """From the server to the host."""
    async for received in read:
        if not isinstance(received, SessionMessage):
            print(f"agent-connector: {received}", file=sys.stderr)  # noqa: T201
            continue
        one = received.message.model_dump(**_DUMP)
        stamps.incoming(one)
        if count:
            count.seen(OUT, lambda one=one: [one])
        data = json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
        await anyio.to_thread.run_sync(send, data)
        if isinstance(received.message, JSONRPCResponse | JSONRPCError):
            open_requests.discard(received.message.id)


def send(data: bytes) -> None:
    """Write a whole line to the host."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
