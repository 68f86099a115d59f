"""How Continue is told of an MCP server: an element of the list `mcpServers` in config.yaml."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import or_left, spelled, spelled_map
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "yaml"
PATH = ("mcpServers",)
LISTED = True
NEEDS_FILE = "write its config.yaml with a model of yours first (start Continue once), then install again"
REFERENCE = "native"
NAME = "Continue"

_TYPES = {"http": "streamable-http", "sse": "sse"}


def reference(name: str, default: str | None) -> str | None:
    """A secret, which it looks for in the environment first. It knows no default."""
    return "${{ secrets." + name + " }}" if default is None else None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The element, or why there can be none."""
    refused = server_map.name_refused(server.name, NAME) or server_map.off_refused(server, NAME)
    if refused := refused or server_map.default_refused(server, NAME):
        return refused
    say = or_left(reference)
    if server.transport == "stdio":
        env = server_map.inherited(server.env)
        program = {"name": server.name, "type": "stdio", **server_map.stdio(server, say, env)}
        if server.cwd:
            program["cwd"] = spelled(server.cwd, say)
        return server_map.merged(program, server.extra)
    if server.transport not in _TYPES:
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    told: dict[str, Any] = {"name": server.name, "type": _TYPES[server.transport], "url": spelled(server.url, say)}
    if headers := server_map.with_bearer(server):
        told["requestOptions"] = {"headers": spelled_map(headers, say)}
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return server_map.lost(server, NAME, ("timeout", "tools"))
