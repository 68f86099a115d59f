"""How Copilot in JetBrains IDEs is told of an MCP server: `servers` of mcp.json, as other installers write it."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_shape
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("servers",)
REFERENCE = "none"
SHAPE = server_shape.Shape("Copilot in JetBrains IDEs", {"http": None, "sse": None})

reference = SHAPE.say


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """Headers stand in `requestInit`, which older builds need."""
    told = server_shape.entry(SHAPE, server)
    if not isinstance(told, Refusal) and "headers" in told and "headers" not in server.extra:
        told["requestInit"] = {"headers": told.pop("headers")}
    return told


def lost(server: "ServerUse") -> tuple[str, ...]:
    return server_shape.lost(SHAPE, server)
