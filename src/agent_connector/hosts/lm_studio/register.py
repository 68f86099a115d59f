"""How LM Studio is told of an MCP server: `mcpServers` of mcp.json. It knows no references to variables."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import or_left
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "none"
NAME = "LM Studio"


def reference(name: str, default: str | None) -> str | None:
    return None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """A remote entry has no type: Streamable HTTP and SSE are told apart by the app."""
    if refused := server_map.name_refused(server.name, NAME) or server_map.off_refused(server, NAME):
        return refused
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    render = server_map.stdio if server.transport == "stdio" else server_map.remote
    return server_map.merged(render(server, or_left(reference)), server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return server_map.lost(server, NAME, ("timeout", "tools", "cwd"))
