"""How Amp is told of an MCP server: one key with a dot in it, `amp.mcpServers`, of settings.json."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map, server_shape
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("amp.mcpServers",)
REFERENCE = "native"

reference = server_shape.braces

_SHAPE = server_shape.Shape(
    "Amp", remote={"http": None, "sse": None}, say=reference, filled="everywhere", taken=server_shape.BRACED
)


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value, or why there can be none."""
    told = server_shape.entry(_SHAPE, server)
    if isinstance(told, Refusal) or not server.include_tools:
        return told
    return server_map.merged({**told, "includeTools": list(server.include_tools)}, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines = server_map.lost(server, "Amp", ("timeout", "cwd"))
    if server.exclude_tools:
        return (*lines, "Amp can only name the tools that are offered: list those in `include_tools`")
    return lines
