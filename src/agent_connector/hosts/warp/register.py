"""How Warp is told of an MCP server: `mcpServers` of .mcp.json. It fills in `${NAME}` in `env` and `headers` alone."""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import Reference, has_reference, or_left, parse, spelled_map
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "native"
NAME = "Warp"


def reference(name: str, default: str | None) -> str | None:
    """Warp's spelling of `${env:name}`; it knows no defaults."""
    return "${" + name + "}" if default is None else None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    if refused := server_map.refused(server, NAME):
        return refused
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    told = _stdio(server) if server.transport == "stdio" else _remote(server)
    return told if isinstance(told, Refusal) else server_map.merged(told, server.extra)


def _stdio(server: "ServerUse") -> dict[str, Any]:
    """References in arguments are left to our launcher, which finds their variables in `env`."""
    pieces = (piece for text in (server.command, *server.args) for piece in parse(text))
    named = {piece.name: "${env:" + piece.name + "}" for piece in pieces if isinstance(piece, Reference)}
    env = {**named, **server.env}
    told = server_map.stdio(server, or_left(lambda name, default: None), {})
    if env:
        told["env"] = spelled_map(env, or_left(reference))
    return {**told, "working_directory": server.cwd} if server.cwd else told


def _remote(server: "ServerUse") -> dict[str, Any] | Refusal:
    if has_reference(server.url):
        return Refusal(f"{NAME} puts no variable's value into an address", "write the address out for this host")
    return server_map.default_refused(server, NAME) or server_map.remote(server, or_left(reference))


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    return server_map.lost(server, NAME, ("timeout", "tools"))
