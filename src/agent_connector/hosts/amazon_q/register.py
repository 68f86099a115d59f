"""How Amazon Q is told of an MCP server: `mcpServers` of mcp.json, with `${env:NAME}` in `env` and `headers`."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_shape

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse
    from agent_connector.hosts.nodes import Refusal

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
SHAPE = server_shape.Shape(
    "Amazon Q Developer CLI",
    {"http": "http"},
    say=server_shape.env,
    filled="values",
    off="disabled",
    timeout="timeout",
)

reference = SHAPE.say


def entry(server: "ServerUse") -> "dict[str, Any] | Refusal":
    """The server's value below `mcpServers`, or why there can be none."""
    return server_shape.entry(SHAPE, server)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return server_shape.lost(SHAPE, server)
