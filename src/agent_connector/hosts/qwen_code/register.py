"""How an MCP server is told to Qwen Code: `mcpServers` of settings.json, the file of Gemini CLI with other keys.

Comments stand, a trailing comma keeps Qwen from starting. `trust` is the person's word and never written unless asked
for; times are milliseconds.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import gemini_servers, interpolation, server_map
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "Qwen Code"
TRUSTED: Mapping[str, Any] = {"trust": True}  # what `--trust` adds to the entry: the server's tools run unasked


def reference(name: str, default: str | None) -> str | None:
    """Qwen's spelling of `${env:name}`; it knows no defaults."""
    return interpolation.dollar(name, None) if default is None else None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`; the key of the address is what tells Streamable HTTP from SSE.

    Qwen would hand on the reference to a variable that is not set as its value, so what servers inherit is left out.
    """
    off = f'add "{server.name}" to `mcp.excluded` in settings.json'
    if refused := gemini_servers.refused(server, NAME, off) or server_map.default_refused(server, NAME):
        return refused
    if server.transport == "stdio":
        value = gemini_servers.stdio(server, interpolation.or_left(reference), server_map.inherited(server.env))
    else:
        value = server_map.remote(server, interpolation.or_left(reference))
        if server.transport == "http":
            value = {"httpUrl": value.pop("url"), **value}
    if server.startup_timeout is not None:
        value["discoveryTimeoutMs"] = server_map.milliseconds(server.startup_timeout)
    return server_map.merged({**value, **gemini_servers.limits(server)}, server.extra)
