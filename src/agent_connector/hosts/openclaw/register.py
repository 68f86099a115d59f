"""How OpenClaw is told of an MCP server: `mcp.servers` of openclaw.json, which is JSON5. Times are milliseconds.

Servers get a clean environment, so what one needs has to stand in its `env`.
"""

import re
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar, or_left, parse, spelled
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_connector.connector.interpolation import Reference
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json5"
PATH = ("mcp", "servers")
REFERENCE = "native"
NAME = "OpenClaw"

_UPPER = re.compile(r"[A-Z_][A-Z0-9_]*")
_EXPANDED = re.compile(r"\$\{[A-Z_].{0,28}")
_TRANSPORTS = {"http": "streamable-http", "sse": "sse"}


def reference(name: str, default: str | None) -> str | None:
    """Names in capital letters only, and no defaults."""
    return dollar(name, None) if default is None and _UPPER.fullmatch(name) else None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcp.servers`, or why there can be none."""
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    refused = server_map.name_refused(server.name, NAME) or server_map.expanded_refused(server, NAME, _EXPANDED)
    if refused or (refused := server_map.default_refused(server, NAME) or _unsayable(server)):
        return refused
    say = or_left(reference)
    if server.transport == "stdio":
        told = server_map.stdio(server, say, server_map.inherited(server.env, reference))
        if server.cwd is not None:
            told["cwd"] = spelled(server.cwd, say)
    else:
        told = {**server_map.remote(server, say), "transport": _TRANSPORTS[server.transport]}
    if server.timeout is not None:
        told["requestTimeoutMs"] = server_map.milliseconds(server.timeout)
    if server.startup_timeout is not None:
        told["connectionTimeoutMs"] = server_map.milliseconds(server.startup_timeout)
    picked = {"include": list(server.include_tools), "exclude": list(server.exclude_tools)}
    if shown := {word: names for word, names in picked.items() if names}:
        told["toolFilter"] = shown
    if not server.enabled:
        told["enabled"] = False
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    names = dict.fromkeys(found.name for found in _references(server) if found.default is not None)
    return tuple(
        f"{NAME} hands servers no variable that has a default: {name} always has its default" for name in names
    )


def _unsayable(server: "ServerUse") -> Refusal | None:
    """A variable that OpenClaw cannot refer to would reach nobody."""
    for found in _references(server):
        if not _UPPER.fullmatch(found.name):
            return Refusal(
                f"{NAME} refers to variables in capital letters only, not to {found.name}", "give it another name"
            )
    return None


def _references(server: "ServerUse") -> "Iterator[Reference]":
    yield from (piece for text in server_map.texts(server) for piece in parse(text) if not isinstance(piece, str))
