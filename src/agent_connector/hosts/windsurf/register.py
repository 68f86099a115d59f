"""How Devin and Cascade are told of an MCP server: `mcpServers` of mcp_config.json; both read `url`."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_shape

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse
    from agent_connector.hosts.nodes import Refusal

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
SHAPE = server_shape.Shape(
    "Windsurf",
    {"http": None, "sse": None},
    say=server_shape.env,
    filled="everywhere",
    taken=server_shape.BRACED,
    off="disabled",
    denied="disabledTools",
)

reference = SHAPE.say


def entry(server: "ServerUse") -> "dict[str, Any] | Refusal":
    """In a program's entry our launcher resolves what the host has left as it is."""
    return server_shape.entry(SHAPE, server)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return server_shape.lost(SHAPE, server)
