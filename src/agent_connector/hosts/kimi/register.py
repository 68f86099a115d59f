"""How an MCP server is told to Kimi Code CLI: `mcpServers` of mcp.json. Times are milliseconds.

Kimi puts no variable's value into its files, but servers inherit the environment, so our launcher finds them there.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import has_reference, only, or_left
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "pass-through"
NAME = "Kimi Code CLI"


def reference(name: str, default: str | None) -> str | None:
    return None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """One bad entry drops every server of the file, so nothing is written that it does not know."""
    if refused := server_map.name_refused(server.name, NAME):
        return refused
    if server.transport == "ws":
        return Refusal(f"{NAME} has no WebSocket transport", "offer the server over http, sse or stdio")
    told = _stdio(server) if server.transport == "stdio" else _remote(server)
    if isinstance(told, Refusal):
        return told
    if not server.enabled:
        told["enabled"] = False
    if server.startup_timeout is not None:
        told["startupTimeoutMs"] = max(1, server_map.milliseconds(server.startup_timeout))
    if server.timeout is not None:
        told["toolTimeoutMs"] = max(1, server_map.milliseconds(server.timeout))
    if server.include_tools:
        told["enabledTools"] = list(server.include_tools)
    if server.exclude_tools:
        told["disabledTools"] = list(server.exclude_tools)
    return server_map.merged(told, server.extra)


def _stdio(server: "ServerUse") -> dict[str, Any]:
    told = server_map.stdio(server, or_left(reference), server_map.inherited(server.env))
    return told if server.cwd is None else {**told, "cwd": server.cwd}


def _remote(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The token is the one thing that may come out of a variable."""
    if has_reference(server.url):
        return Refusal(f"{NAME} puts no variable's value into an address", "write the address out for this host")
    bearer, literal = server.bearer, dict[str, str]()
    for header, text in server.headers.items():
        token = only(text[7:]) if text.lower().startswith("bearer ") and header.lower() == "authorization" else None
        if not has_reference(text):
            literal[header] = text
        elif token and token.default is None:
            bearer = token.name
        else:
            return Refusal(
                f"{NAME} puts no variable's value into the header `{header}`",
                "name the token's variable in `bearer`, or leave the header out for this host",
            )
    told: dict[str, Any] = {"transport": "sse"} if server.transport == "sse" else {}
    told["url"] = server.url
    if bearer:
        told["bearerTokenEnvVar"] = bearer
    if literal:
        told["headers"] = literal
    return told
