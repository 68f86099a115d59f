"""How an MCP server is told to Gemini CLI: `mcpServers` of settings.json.

The file may hold comments, but a trailing comma keeps Gemini from starting. `trust` is the person's word and never
written unless asked for; times are milliseconds.
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
NAME = "Gemini CLI"
TRUSTED: Mapping[str, Any] = {"trust": True}  # what `--trust` adds to the entry: the server's tools run unasked


def reference(name: str, default: str | None) -> str | None:
    return interpolation.dollar(name, default)


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    off = f"run `gemini mcp disable {server.name}`"
    if refused := gemini_servers.refused(server, NAME, off):
        return refused
    if server.transport == "stdio":
        value = gemini_servers.stdio(server, interpolation.dollar)
    else:
        value = {"type": server.transport, **server_map.remote(server, interpolation.dollar)}
    return server_map.merged({**value, **gemini_servers.limits(server)}, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return () if server.startup_timeout is None else ("Gemini CLI has no time limit for a server's start",)
