"""How VS Code is told of an MCP server: `servers` of mcp.json, in which it fills in `${env:NAME}` everywhere."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_shape

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse
    from agent_connector.hosts.nodes import Refusal

FORMAT = "jsonc"
PATH = ("servers",)
REFERENCE = "native"
SHAPE = server_shape.Shape(
    "VS Code",
    {"http": "http", "sse": "sse"},
    program="stdio",
    say=server_shape.env,
    filled="everywhere",
    taken=server_shape.BRACED,
    cwd=True,
)

reference = SHAPE.say


def entry(server: "ServerUse") -> "dict[str, Any] | Refusal":
    """The server's value below `servers`, or why there can be none."""
    return server_shape.entry(SHAPE, server)


def lost(server: "ServerUse") -> tuple[str, ...]:
    return server_shape.lost(SHAPE, server)
