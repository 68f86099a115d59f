"""How Oh My Pi is told of an MCP server: `mcpServers` of mcp.json. Times are milliseconds."""

import re
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar, spelled
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "Oh My Pi"

reference = dollar

_EXPANDED = re.compile(r"^!.*|\$\{.{0,28}")  # what follows a `!` is a program to run


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    refused = server_map.name_refused(server.name, NAME) or server_map.expanded_refused(server, NAME, _EXPANDED)
    if refused:
        return refused
    if server.transport == "stdio":
        told = server_map.stdio(server, dollar)
        if server.cwd is not None:
            told["cwd"] = spelled(server.cwd, dollar)
    else:
        told = {"type": server.transport, **server_map.remote(server, dollar)}
    if server.timeout is not None or server.startup_timeout is not None:
        told["timeout"] = server_map.milliseconds(max(server.timeout or 0, server.startup_timeout or 0))
    if not server.enabled:
        told["enabled"] = False
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return server_map.lost(server, NAME, ("tools",))
