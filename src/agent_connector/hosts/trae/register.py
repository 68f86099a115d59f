"""How Trae is told of an MCP server: `mcpServers` of mcp.json, in which it fills in nothing."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_shape

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse
    from agent_connector.hosts.nodes import Refusal

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "pass-through"
SHAPE = server_shape.Shape("Trae", {"http": None, "sse": None})

reference = SHAPE.say


def entry(server: "ServerUse") -> "dict[str, Any] | Refusal":
    """Whether a remote server speaks Streamable HTTP or SSE is found out by Trae."""
    return server_shape.entry(SHAPE, server)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return server_shape.lost(SHAPE, server)
