"""How Auggie is told of an MCP server: `mcpServers` of settings.json, in which it fills in `${NAME}` everywhere."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_shape

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse
    from agent_connector.hosts.nodes import Refusal

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
SHAPE = server_shape.Shape(
    "Augment Auggie",
    {"http": "http", "sse": "sse"},
    say=server_shape.braces,
    filled="everywhere",
    taken=server_shape.BRACED,
)

reference = SHAPE.say


def entry(server: "ServerUse") -> "dict[str, Any] | Refusal":
    """The server's value below `mcpServers`, or why there can be none."""
    return server_shape.entry(SHAPE, server)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return server_shape.lost(SHAPE, server)
