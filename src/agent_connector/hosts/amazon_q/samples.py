"""Payloads as Amazon Q sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.amazon_q.hooks import TOOLS
from agent_connector.hosts.dialects import samples

_TOLD = ("hook_event_name", "cwd", "prompt", "tool_name", "tool_input")


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin. It names no session."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: f"@{s}/{t}")
    told = {key: made[key] for key in _TOLD if key in made}
    if event == "PostToolUse":
        told["tool_response"] = {"success": True, "result": [given.get("output", "")]}
    return told
