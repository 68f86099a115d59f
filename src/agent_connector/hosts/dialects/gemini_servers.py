"""Server entries of Gemini CLI and of its fork: `mcpServers` of a settings.json in which every text is expanded."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import Spelling, spelled
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

_EXPANDED = re.compile(r"\$(?:\w+|\{[^}]+\})")


def refused(server: "ServerUse", host: str, to_switch_off: str) -> Refusal | None:
    """What neither of them takes; `to_switch_off` is what a person does in the place of a switch in the entry."""
    if server.transport == "ws":
        return Refusal(f"{host} has no WebSocket transport", "offer the server over http, sse or stdio")
    off = None if server.enabled else Refusal(f"{host} has no switch in a server's entry", to_switch_off)
    return server_map.name_refused(server.name, host) or off or server_map.expanded_refused(server, host, _EXPANDED)


def stdio(server: "ServerUse", say: Spelling, env: Mapping[str, str] | None = None) -> dict[str, Any]:
    """As in the family, and its folder; `env` stands in for what is declared."""
    entry = server_map.stdio(server, say, env)
    return entry if server.cwd is None else {**entry, "cwd": spelled(server.cwd, say)}


def limits(server: "ServerUse") -> dict[str, Any]:
    """What both say alike about calls and tools; times are milliseconds."""
    told: dict[str, Any] = {}
    if server.timeout is not None:
        told["timeout"] = server_map.milliseconds(server.timeout)
    if server.include_tools:
        told["includeTools"] = list(server.include_tools)
    if server.exclude_tools:
        told["excludeTools"] = list(server.exclude_tools)
    return told
