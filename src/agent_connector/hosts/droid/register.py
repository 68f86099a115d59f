"""How an MCP server is told to Factory Droid: `mcpServers` of mcp.json. Times are milliseconds."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "Factory Droid"

reference = dollar


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """A reference to a variable that is not set would stay as the value, so what servers inherit is left out."""
    if refused := server_map.name_refused(server.name, NAME) or server_map.expanded_refused(server, NAME):
        return refused
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    if server.transport == "stdio" and server.cwd:
        return Refusal(
            f"{NAME} has no working folder in a server's entry",
            "leave `cwd` out, or start the server with a script that changes into it",
        )
    if server.transport == "stdio":
        fields = server_map.stdio(server, dollar, server_map.inherited(server.env))
    else:
        fields = server_map.remote(server, dollar)
    told: dict[str, Any] = {"type": server.transport, **fields}
    if server.timeout is not None:
        told["timeoutMs"] = server_map.milliseconds(server.timeout)
    if server.include_tools:
        told["enabledTools"] = list(server.include_tools)
    if server.exclude_tools:
        told["disabledTools"] = list(server.exclude_tools)
    if not server.enabled:
        told["disabled"] = True
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return () if server.startup_timeout is None else (f"{NAME} has no time limit for a server's start in an entry",)
