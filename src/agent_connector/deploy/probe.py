"""A live look at a connector's server: started as hosts start it, asked what it is and which tools it has.

`server/discover` first (the stateless revision of the protocol), else `initialize`; then a ping and the list of tools.
The MCP client library is imported here and only here: it takes seconds.
"""

import asyncio
import logging
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.connector.interpolation import resolve
from agent_connector.connector.model import ConnectorModel, Server
from agent_connector.home import progress

LIMIT = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Probed:
    """What the server said. `error` is empty when all went well; `ping_ms` None: it knows no ping."""

    connector: str
    server: str = ""
    version: str = ""
    protocol: str = ""
    tools: tuple[str, ...] = ()
    ping_ms: float | None = None
    error: str = ""


def probe(model: ConnectorModel, launcher: str, variables: Mapping[str, str], limit: float = LIMIT) -> Probed:
    """Ask the server of `model`; through the launcher when it is there, as hosts do."""
    if model.server is None:
        return Probed(model.id, error="it has no server")
    try:
        with progress.during(f"asking the server of {model.id}"):
            return asyncio.run(asyncio.wait_for(_ask(model, model.server, launcher, variables), limit))
    except TimeoutError:
        return Probed(model.id, error=f"no answer within {limit:g} s")


async def _ask(model: ConnectorModel, server: Server, launcher: str, variables: Mapping[str, str]) -> Probed:
    from mcp import Client, MCPError

    logging.getLogger().addHandler(logging.NullHandler())  # else a line that is no message prints a traceback
    stderr = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # closed below
    try:
        async with Client(_transport(model, server, launcher, variables, stderr)) as client:
            started = time.perf_counter()
            ping: float | None = None
            with suppress(MCPError), warnings.catch_warnings():  # the stateless revision has none
                warnings.simplefilter("ignore")
                await client.send_ping()  # pyright: ignore[reportDeprecated]  # of the older protocol
                ping = (time.perf_counter() - started) * 1000
            listed = await client.list_tools()
            info = client.server_info
            return Probed(
                model.id,
                info.name if info else "",
                info.version if info else "",
                str(client.protocol_version),
                tuple(tool.name for tool in listed.tools),
                ping,
            )
    except (MCPError, OSError, ValueError, ExceptionGroup) as error:
        return Probed(model.id, error=_said(error, stderr))
    finally:
        stderr.close()


def _transport(model: ConnectorModel, server: Server, launcher: str, variables: Mapping[str, str], stderr: Any) -> Any:
    if server.transport == "stdio":
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        env = {**variables, "AGENT_CONNECTOR_TELEMETRY": "0"}
        env |= {name: resolve(text, variables) for name, text in server.env.items()}
        command = [resolve(word, variables) for word in (server.command, *server.args)]
        if os.access(launcher, os.X_OK):
            command = [launcher, "serve", "--connector", model.id, "--", *command]
        elif shutil.which(command[0]) is None:
            raise FileNotFoundError(2, "no such program", command[0])
        parameters = StdioServerParameters(command=command[0], args=command[1:], env=env, cwd=server.cwd)
        return stdio_client(parameters, errlog=stderr)
    headers = {name: resolve(text, variables) for name, text in server.headers.items()}
    if server.bearer:
        headers["Authorization"] = f"Bearer {variables.get(server.bearer, '')}"
    url = resolve(server.url, variables)
    if server.transport == "sse":
        from mcp.client.sse import sse_client

        return sse_client(url, headers=headers)
    if server.transport == "ws":
        raise ValueError("a WebSocket server cannot be probed: the client library has no such transport")
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    return streamable_http_client(url, http_client=httpx2.AsyncClient(headers=headers, timeout=LIMIT))


def _said(error: BaseException, stderr: Any) -> str:
    """The innermost reason, and the last line that the server complained with."""
    while isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        error = group.exceptions[0]
    stderr.seek(0)
    lines = [line for line in stderr.read().splitlines() if line.strip()]
    text = f"{error}" or type(error).__name__
    return f"{text} ({lines[-1].strip()[:200]})" if lines else text
