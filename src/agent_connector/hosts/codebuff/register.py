"""How Codebuff is told of an MCP server: `mcpServers` of .agents/mcp.json.

It fills in only a value of `env` that is a reference as a whole, `$NAME`, and one that is missing drops the file. So
none is written: servers inherit the environment, where our launcher finds what it needs.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import has_reference, or_left
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "pass-through"
NAME = "Codebuff"


def reference(name: str, default: str | None) -> str | None:
    return None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    if refused := server_map.name_refused(server.name, NAME) or server_map.off_refused(server, NAME):
        return refused
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    if server.transport == "stdio":
        env = server_map.inherited(server.env)
        if any(text.startswith("$") and text[1:].isidentifier() for text in env.values()):
            return Refusal(
                f"{NAME} takes a value that is `$NAME` for a variable", "write ${env:NAME} where one is meant"
            )
        return server_map.merged(server_map.stdio(server, or_left(reference), env), server.extra)
    if server.bearer or any(has_reference(text) for text in (server.url, *server.headers.values())):
        return Refusal(
            f"{NAME} puts no variable's value into an address or a header",
            "install with --measure-remote: our launcher then fills them in",
        )
    told = {"type": server.transport, **server_map.remote(server, or_left(reference))}
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return server_map.lost(server, NAME, ("timeout", "tools", "cwd"))
