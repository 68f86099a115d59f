"""How Antigravity is told of an MCP server: `mcpServers` of mcp_config.json, strict JSON that the app and the CLI share."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import antigravity_host, server_shape

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse
    from agent_connector.hosts.nodes import Refusal

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "pass-through"
SHAPE = antigravity_host.shape("Antigravity")

reference = SHAPE.say


def entry(server: "ServerUse") -> "dict[str, Any] | Refusal":
    """The server's value below `mcpServers`, or why there can be none."""
    return server_shape.entry(SHAPE, server)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return server_shape.lost(SHAPE, server)
