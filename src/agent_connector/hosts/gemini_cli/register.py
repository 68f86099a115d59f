"""How an MCP server is told to Gemini CLI: `mcpServers` of settings.json.

The file may hold comments, but a trailing comma keeps Gemini from starting. `trust` is the person's word and never
written unless asked for; times are milliseconds.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import interpolation, server_map
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("mcpServers",)
REFERENCE = "native"
TRUSTED: Mapping[str, Any] = {"trust": True}  # what `--trust` adds to the entry: the server's tools run unasked

_EXPANDED = re.compile(r"\$(?:\w+|\{[^}]+\})")  # Gemini's own references, in any text of the file


def reference(name: str, default: str | None) -> str | None:
    """Gemini's spelling of `${env:name:-default}`; there a default ends at its first brace."""
    return None if default and "}" in default else interpolation.dollar(name, default)


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    if server.transport == "ws":
        return Refusal("Gemini CLI has no WebSocket transport", "offer the server over http, sse or stdio")
    refused = server_map.name_refused(server.name, "Gemini CLI") or _off_refused(server) or _text_refused(server)
    if refused:
        return refused
    if server.transport == "stdio":
        value = server_map.stdio(server, interpolation.dollar)
        if server.cwd is not None:
            value["cwd"] = interpolation.spelled(server.cwd, interpolation.dollar)
    else:
        value = {"type": server.transport, **server_map.remote(server, interpolation.dollar)}
    if server.timeout is not None:
        value["timeout"] = server_map.milliseconds(server.timeout)
    if server.include_tools:
        value["includeTools"] = list(server.include_tools)
    if server.exclude_tools:
        value["excludeTools"] = list(server.exclude_tools)
    return server_map.merged(value, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return () if server.startup_timeout is None else ("Gemini CLI has no time limit for a server's start",)


def _off_refused(server: "ServerUse") -> Refusal | None:
    if server.enabled:
        return None
    return Refusal("Gemini CLI has no switch in a server's entry", f"run `gemini mcp disable {server.name}`")


def _text_refused(server: "ServerUse") -> Refusal | None:
    """What Gemini would take for a reference of its own: it expands every text of the file and knows no escape."""
    for text in _texts(server):
        for piece in interpolation.parse(text):
            if isinstance(piece, str) and (found := _EXPANDED.search(piece)):
                return Refusal(
                    f"Gemini CLI would put a variable's value in the place of {found[0]!r}, and knows no escape for it",
                    "write ${env:NAME} where a variable is meant, else hand the text over in a variable",
                )
            if not isinstance(piece, str) and reference(piece.name, piece.default) is None:
                return Refusal(f"Gemini CLI ends the default in {str(piece)!r} at its first brace", "choose another")
    return None


def _texts(server: "ServerUse") -> Iterator[str]:
    yield from (server.command, server.cwd or "", server.url)
    yield from server.args
    yield from server.env.values()
    yield from server.headers.values()
