"""How Claude Desktop is told of an MCP server: `mcpServers` of claude_desktop_config.json, programs only.

It puts no variable's value anywhere and gives servers a bare environment, so a server that needs one is refused.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import or_left
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "none"
NAME = "Claude Desktop"


def reference(name: str, default: str | None) -> str | None:
    return None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    if refused := server_map.name_refused(server.name, NAME) or server_map.off_refused(server, NAME):
        return refused
    if server.transport != "stdio":
        return Refusal(f"{NAME} has no {server.transport} transport in its file", "offer the server over stdio")
    return server_map.merged(server_map.stdio(server, or_left(reference)), server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return server_map.lost(server, NAME, ("timeout", "tools", "cwd"))
