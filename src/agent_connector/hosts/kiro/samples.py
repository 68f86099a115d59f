"""Payloads as Kiro sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.kiro.hooks import TOOLS

_TOLD = ("session_id", "hook_event_name", "cwd", "prompt", "tool_name", "tool_input", "tool_response")


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: f"@{s}/{t}")
    return {key: made[key] for key in _TOLD if key in made}
