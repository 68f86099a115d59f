"""How Cline is told of an MCP server: `mcpServers` of cline_mcp_settings.json, strict JSON. Times are seconds.

The extension fills in `${env:NAME}` and the terminal program nothing, so no reference is written: our launcher finds
the variables in what servers inherit.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map, server_shape
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "pass-through"

reference = server_shape.nothing

_SHAPE = server_shape.Shape("Cline", remote={"http": "streamableHttp", "sse": "sse"}, cwd=True, off="disabled")
_LONGEST = 3600


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """One entry that it does not know makes the whole file invalid, so nothing else is written."""
    told = server_shape.entry(_SHAPE, server)
    if isinstance(told, Refusal) or server.timeout is None:
        return told
    return server_map.merged({**told, "timeout": min(max(1, round(server.timeout)), _LONGEST)}, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines = server_map.lost(server, "Cline", ("tools",))
    return lines if server.startup_timeout is None else (*lines, "Cline has no time limit for a server's start")
