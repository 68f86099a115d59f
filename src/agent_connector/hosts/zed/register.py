"""How Zed is told of an MCP server: `context_servers` of settings.json. Times are seconds.

It puts no variable's value into its file, but servers inherit its environment, so our launcher finds them there.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import has_reference, or_left
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("context_servers",)
REFERENCE = "pass-through"
NAME = "Zed"


def reference(name: str, default: str | None) -> str | None:
    return None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `context_servers`, or why there can be none."""
    if refused := server_map.name_refused(server.name, NAME):
        return refused
    if server.transport in ("sse", "ws"):
        return Refusal(f"{NAME} has no {server.transport} transport", "offer the server over http or stdio")
    if server.transport == "stdio":
        told = server_map.stdio(server, or_left(reference), server_map.inherited(server.env))
    elif server.bearer or any(has_reference(text) for text in (server.url, *server.headers.values())):
        return Refusal(
            f"{NAME} puts no variable's value into an address or a header",
            "install with --measure-remote: our launcher then fills them in",
        )
    else:
        told = server_map.remote(server, or_left(reference))
    if not server.enabled:
        told["enabled"] = False
    if server.timeout is not None:
        told["timeout"] = max(1, round(server.timeout))
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines = server_map.lost(server, NAME, ("tools", "cwd"))
    return lines if server.startup_timeout is None else (*lines, f"{NAME} has no time limit for a server's start")
