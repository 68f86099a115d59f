"""How Roo Code is told of an MCP server: `mcpServers` of mcp_settings.json. Times are seconds, 1 to 3600."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import or_left, spelled
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "Roo Code"

_TYPES = {"http": "streamable-http", "sse": "sse"}  # an address without a type is taken for sse


def reference(name: str, default: str | None) -> str | None:
    """It knows our own spelling, without a default."""
    return "${env:" + name + "}" if default is None else None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    refused = server_map.name_refused(server.name, NAME) or server_map.default_refused(server, NAME)
    if refused:
        return refused
    say = or_left(reference)
    if server.transport == "stdio":
        told = server_map.stdio(server, say)
        if server.cwd:
            told["cwd"] = spelled(server.cwd, say)
    elif server.transport in _TYPES:
        told = {"type": _TYPES[server.transport], **server_map.remote(server, say)}
    else:
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    if not server.enabled:
        told["disabled"] = True
    if server.timeout is not None:
        told["timeout"] = min(max(1, round(server.timeout)), 3600)
    if server.exclude_tools:
        told["disabledTools"] = list(server.exclude_tools)
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines: list[str] = []
    if server.startup_timeout is not None:
        lines.append(f"{NAME} has no time limit for a server's start")
    if server.include_tools:
        lines.append(f"{NAME} can only name the tools that are off: list those in `exclude_tools`")
    return tuple(lines)
