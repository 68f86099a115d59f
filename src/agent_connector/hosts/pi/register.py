"""How Pi is told of an MCP server: `mcpServers` of mcp.json. Times are seconds.

Without `exposure` the model would not see a server's tools, but a tool that runs programs which call them.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import dollar, has_reference, or_left
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "json"
PATH = ("mcpServers",)
REFERENCE = "pass-through"
NAME = "Pi"

_EXPANDED = re.compile(r"^!.*|\$\{.{0,28}")  # what follows a `!` is a program to run


def reference(name: str, default: str | None) -> str | None:
    """In `env` and `headers`. Pi knows no defaults."""
    return dollar(name, None) if default is None else None


def _nothing(name: str, default: str | None) -> None:
    """A server inherits Pi's environment, so our launcher finds there what the entry refers to."""


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `mcpServers`, or why there can be none."""
    if server.transport in ("sse", "ws"):
        return Refusal(f"{NAME} has no {server.transport} transport", "offer the server over http or stdio")
    values = replace(server, command="", args=(), cwd=None, url="")  # it expands nothing else
    refused = server_map.name_refused(server.name, NAME) or server_map.expanded_refused(values, NAME, _EXPANDED)
    if refused or (refused := server_map.default_refused(server, NAME)):
        return refused
    if server.transport == "stdio":
        told = server_map.stdio(server, or_left(_nothing), server_map.inherited(server.env))
        if server.cwd is not None:
            told["cwd"] = server.cwd
    elif has_reference(server.url):
        return Refusal(f"{NAME} puts no variable's value into an address", "install with --measure-remote")
    else:
        told = server_map.remote(server, or_left(reference))
    if server.timeout is not None or server.startup_timeout is not None:
        told["timeout"] = max(1, round(max(server.timeout or 0, server.startup_timeout or 0)))
    if not server.enabled:
        told["enabled"] = False
    return server_map.merged({**told, **_exposure(server)}, server.extra)


def _exposure(server: "ServerUse") -> dict[str, Any]:
    """Which tools the model sees: all, those that are included, or all but those that are excluded."""
    if server.include_tools:
        shown = {name: "direct" for name in server.include_tools if name not in server.exclude_tools}
        return {"exposure": "hidden", "toolExposure": shown}
    if server.exclude_tools:
        return {"exposure": "direct", "toolExposure": dict.fromkeys(server.exclude_tools, "hidden")}
    return {"exposure": "direct"}
