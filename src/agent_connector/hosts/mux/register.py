"""How Mux is told of an MCP server: `servers` of mcp.jsonc. A program is one line for a shell, its variables in front."""

import shlex
from typing import TYPE_CHECKING, Any

from agent_connector.connector.interpolation import Reference, parse
from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar, has_reference
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("servers",)
REFERENCE = "native"
NAME = "Mux"

reference = dollar

_READ_OTHERWISE = '"\\$`'  # between double quotes, by a shell


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `servers`, or why there can be none."""
    if refused := server_map.name_refused(server.name, NAME):
        return refused
    told = _program(server) if server.transport == "stdio" else _remote(server)
    if isinstance(told, Refusal):
        return told
    if not server.enabled:
        told["disabled"] = True
    if server.include_tools:
        told["toolAllowlist"] = list(server.include_tools)
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines = server_map.lost(server, NAME, ("timeout", "cwd"))
    if server.exclude_tools:
        return (*lines, f"{NAME} can only name the tools that are offered: list those in `include_tools`")
    return lines


def _program(server: "ServerUse") -> dict[str, Any] | Refusal:
    env = server_map.inherited(server.env)
    for text in (server.command, *server.args, *env.values()):
        for piece in parse(text):
            default = (piece.default or "") if isinstance(piece, Reference) else ""
            if any(letter in default for letter in _READ_OTHERWISE):
                return Refusal(
                    f"{NAME} hands a default to a shell, which reads {default!r} otherwise", "use plain letters"
                )
    words = [_word(server.command), *(_word(text) for text in server.args)]
    if env:
        words = ["env", *(f"{name}={_word(text)}" for name, text in env.items()), *words]
    return {"command": " ".join(words)}


def _word(text: str) -> str:
    """One word of a shell: what is no reference stands in single quotes where it has to."""
    pieces = parse(text)
    said = (f'"{dollar(p.name, p.default)}"' if isinstance(p, Reference) else shlex.quote(p) for p in pieces)
    return "".join(said) or "''"


def _remote(server: "ServerUse") -> dict[str, Any] | Refusal:
    headers = server_map.with_bearer(server)
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    if any(has_reference(text) for text in (server.url, *headers.values())):
        return Refusal(
            f"{NAME} puts no variable's value into an address or a header",
            "install with --measure-remote: our launcher then fills them in",
        )
    told: dict[str, Any] = {"transport": server.transport, "url": server.url}
    return {**told, "headers": headers} if headers else told
