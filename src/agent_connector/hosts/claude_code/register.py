"""How Claude Code is told of an MCP server: `mcpServers` of `~/.claude.json` or of a project's `.mcp.json`."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "Claude Code"

reference = dollar


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    if refused := server_map.refused(server, NAME):
        return refused
    if server.transport == "stdio" and server.cwd:
        return Refusal(
            "Claude Code has no working folder in a server's entry and starts servers in the project",
            "leave `cwd` out, or start the server with a script that changes into it",
        )
    fields = server_map.stdio(server, dollar) if server.transport == "stdio" else server_map.remote(server, dollar)
    told: dict[str, Any] = {"type": server.transport, **fields}
    if server.timeout is not None:
        told["timeout"] = max(1000, server_map.milliseconds(server.timeout))  # anything below a second is ignored
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines: list[str] = []
    if server.startup_timeout is not None:
        lines.append(
            "Claude Code has one start limit for all servers, MCP_TIMEOUT (milliseconds), and none in an entry"
        )
    if server.include_tools or server.exclude_tools:
        lines.append("Claude Code cannot hide a server's tools; a person can deny them in `permissions.deny`")
    return tuple(lines)
