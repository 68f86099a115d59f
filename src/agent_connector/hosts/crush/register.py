"""How Crush is told of an MCP server: `mcp` of crush.json. Times are seconds.

Every text goes through a shell of its own: what that would take for a variable or a command is refused.
"""

import re
from typing import TYPE_CHECKING, Any

from agent_connector.connector.interpolation import Reference, parse
from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcp",)
REFERENCE = "native"
NAME = "Crush"

_TAKEN = re.compile(r"[$`].{0,28}")
_SHELL = "\\$`\"'"  # what a shell reads otherwise

reference = dollar


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcp`, or why there can be none."""
    refused = server_map.name_refused(server.name, NAME) or server_map.expanded_refused(server, NAME, _TAKEN)
    if refused:
        return refused
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    for piece in (piece for text in server_map.texts(server) for piece in parse(text)):
        literal = (piece.default or "") if isinstance(piece, Reference) else ""
        if any(letter in literal for letter in _SHELL):
            return Refusal(f"{NAME} hands a default to a shell, which reads {literal!r} otherwise", "use plain letters")
    told: dict[str, Any] = {"type": server.transport}
    if server.transport == "stdio":
        told |= server_map.stdio(server, dollar)
    else:
        told |= server_map.remote(server, dollar)
    if server.timeout is not None:
        told["timeout"] = max(1, round(server.timeout))
    if not server.enabled:
        told["disabled"] = True
    if server.include_tools:
        told["enabled_tools"] = list(server.include_tools)
    if server.exclude_tools:
        told["disabled_tools"] = list(server.exclude_tools)
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines = server_map.lost(server, NAME, ("cwd",))
    return lines if server.startup_timeout is None else (*lines, f"{NAME} has no time limit for a server's start")
