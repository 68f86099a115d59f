"""How Cursor is told of an MCP server: `mcpServers` of mcp.json."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import env_or_dollar, spelled
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "Cursor"

reference = env_or_dollar


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """A remote entry has no type: Cursor tries Streamable HTTP first and falls back to SSE."""
    if refused := server_map.refused(server, NAME):
        return refused
    if server.transport == "ws":
        return Refusal("Cursor has no WebSocket transport", "offer the server over http, sse or stdio")
    if server.transport == "stdio":
        told = server_map.stdio(server, env_or_dollar)
        if server.cwd:
            told["cwd"] = spelled(server.cwd, env_or_dollar)
    else:
        told = server_map.remote(server, env_or_dollar)
    if server.include_tools:
        told["enabledTools"] = list(server.include_tools)
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines: list[str] = []
    if server.timeout is not None or server.startup_timeout is not None:
        lines.append("Cursor has no time limits in a server's entry")
    if server.exclude_tools:
        lines.append("Cursor can only name the tools that are on: list those in `include_tools`")
    return tuple(lines)
