"""Servers of OpenCode and its forks: `mcp` of a file that may hold comments and trailing commas.

A wrong shape keeps OpenCode from starting, so nothing is written that it does not know. Times are milliseconds.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import interpolation, server_map
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "jsonc"
PATH = ("mcp",)
REFERENCE = "native"

_USUAL_CALL = 60.0  # seconds that a call may take where nothing is said


def reference(name: str, default: str | None) -> str | None:
    """The host's spelling of `${env:name}`; it knows no defaults, and a missing variable is empty."""
    return "{env:" + name + "}" if default is None else None


def entry(server: "ServerUse", host: str) -> dict[str, Any] | Refusal:
    """The server's value below `mcp`, or why there can be none."""
    if server.transport == "ws":
        return Refusal(f"{host} has no WebSocket transport", "offer the server over http, sse or stdio")
    refused = server_map.name_refused(server.name, host) or _refused(server, host)
    if refused:
        return refused
    value = _local(server) if server.transport == "stdio" else _remote(server)
    if (timeout := _timeout(server)) is not None:
        value["timeout"] = server_map.milliseconds(timeout)
    if not server.enabled:
        value["enabled"] = False
    return server_map.merged(value, server.extra)


def lost(server: "ServerUse", host: str) -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    if not server.include_tools and not server.exclude_tools:
        return ()
    return (f'{host} cannot hide a server\'s tools; a person can: `"tools": {{"{server.name}_<tool>": false}}`',)


def _local(server: "ServerUse") -> dict[str, Any]:
    value: dict[str, Any] = {"type": "local", "command": [_said(text) for text in (server.command, *server.args)]}
    if server.cwd is not None:
        value["cwd"] = _said(server.cwd)
    if environment := server_map.inherited(server.env, reference):
        value["environment"] = {name: _said(text) for name, text in environment.items()}
    return value


def _remote(server: "ServerUse") -> dict[str, Any]:
    headers = server_map.with_bearer(server)
    value: dict[str, Any] = {"type": "remote", "url": _said(server.url)}
    if headers:
        value["headers"] = {name: _said(text) for name, text in headers.items()}
    if any(name.lower() == "authorization" for name in headers):
        value["oauth"] = False  # else a refused token would open a browser
    return value


def _timeout(server: "ServerUse") -> float | None:
    """One number bounds the list of tools and every call."""
    if server.startup_timeout is None:
        return server.timeout
    return max(server.startup_timeout, _USUAL_CALL if server.timeout is None else server.timeout)


def _said(text: str) -> str:
    """`text` in the host's words; what it has none for is left to our launcher, which resolves it."""
    return interpolation.spelled(text, interpolation.or_left(reference))


def _refused(server: "ServerUse", host: str) -> Refusal | None:
    for text in server_map.texts(server):
        if "{env:" in text.replace("${env:", "") or "{file:" in text:
            return Refusal(f"{host} would expand {text!r} itself", "hand the text over in a variable")
    return server_map.default_refused(server, host)
