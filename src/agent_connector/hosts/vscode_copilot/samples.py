"""Payloads as VS Code's Local harness sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.vscode_copilot.hooks import TOOLS

_SPELLED = {"session_id": "sessionId", "hook_event_name": "hookEventName"}


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: f"mcp_{s}_{t}".lower())
    made.pop("permission_mode")
    return {"timestamp": "2026-11-30T12:00:00.000Z", **{_SPELLED.get(key, key): value for key, value in made.items()}}
