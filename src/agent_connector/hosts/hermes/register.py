"""How Hermes Agent is told of an MCP server: `mcp_servers` of config.yaml. Times are seconds.

It fills in `${NAME}` from its environment and its own .env; servers get nothing of that but what their entry names.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map, server_shape
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "yaml"
PATH = ("mcp_servers",)
REFERENCE = "native"

reference = server_shape.braces

_SHAPE = server_shape.Shape(
    "Hermes Agent",
    remote={"http": None, "sse": None},
    say=reference,
    filled="everywhere",
    taken=server_shape.BRACED,
    off="disabled",
)


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcp_servers`, or why there can be none."""
    told = server_shape.entry(_SHAPE, server)
    if isinstance(told, Refusal):
        return told
    if server.transport == "sse":
        told["transport"] = "sse"
    if told.pop("disabled", False):
        told["enabled"] = False
    if server.timeout is not None:
        told["timeout"] = max(1, round(server.timeout))
    if server.startup_timeout is not None:
        told["connect_timeout"] = max(1, round(server.startup_timeout))
    chosen = {"include": list(server.include_tools), "exclude": list(server.exclude_tools)}
    if any(chosen.values()):
        told["tools"] = {key: names for key, names in chosen.items() if names}
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return server_map.lost(server, "Hermes Agent", ("cwd",))
