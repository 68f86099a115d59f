"""Payloads as Auggie sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.augment.hooks import TOOLS, tool_name
from agent_connector.hosts.dialects.samples import SESSION, native_name


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made: dict[str, Any] = {
        "hook_event_name": host_event,
        "conversation_id": SESSION,
        "workspace_roots": [os.getcwd()],
    }
    if event == "UserPromptSubmit":
        made["prompt"] = given.get("prompt", "")
    if event == "Stop":
        made["agent_stop_cause"] = given.get("reason", "end_turn")
    if event == "Notification":
        made["message"] = given.get("message", "")
    if tool:
        made["tool_name"] = native_name(TOOLS, tool) if server is None else tool_name(server, tool)
        made["tool_input"] = dict(given.get("input", {}))
    if event == "PostToolUse":
        made["tool_output"] = given.get("output", "")
    return made
