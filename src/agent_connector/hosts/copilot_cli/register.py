"""How an MCP server is told to GitHub Copilot CLI: `mcpServers` of mcp-config.json, or of a project's `.mcp.json`.

That file is Claude Code's too, so what both can say is said alike. Times are milliseconds.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar, spelled
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "GitHub Copilot CLI"

reference = dollar


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    if refused := server_map.refused(server, NAME):
        return refused
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    fields = server_map.stdio(server, dollar) if server.transport == "stdio" else server_map.remote(server, dollar)
    told: dict[str, Any] = {"type": server.transport, **fields}
    if server.cwd is not None and server.transport == "stdio":
        told["cwd"] = spelled(server.cwd, dollar)
    if server.timeout is not None:
        told["timeout"] = max(1000, server_map.milliseconds(server.timeout))  # less is ignored by Claude Code
    if server.include_tools:
        told["tools"] = list(server.include_tools)
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines: list[str] = []
    if server.startup_timeout is not None:
        lines.append(f"{NAME} has one limit for a server's start and its calls: `timeout`")
    if server.exclude_tools:
        lines.append(f"{NAME} can only name the tools that are on: list those in `include_tools`")
    return tuple(lines)
