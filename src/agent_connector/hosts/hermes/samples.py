"""Payloads as Hermes Agent sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.hermes.hooks import TOOLS, tool_name


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    extra: dict[str, Any] = {"model": "a-model", "platform": "cli"}
    made: dict[str, Any] = {
        "hook_event_name": host_event,
        "tool_name": None,
        "tool_input": None,
        "session_id": samples.SESSION,
        "cwd": os.getcwd(),
        "extra": extra,
    }
    if event == "PermissionRequest":
        extra |= {"command": given.get("input", {}).get("command", ""), "description": given.get("message", "")}
    elif tool:
        made["tool_name"] = samples.native_name(TOOLS, tool) if server is None else tool_name(server, tool)
        made["tool_input"] = dict(given.get("input", {}))
        extra["tool_call_id"] = samples.CALL
    if event == "UserPromptSubmit":
        extra |= {"user_message": given.get("prompt", ""), "is_first_turn": True}
    if event == "PostToolUse":
        extra |= {"result": given.get("output", ""), "status": "ok"}
    if event == "PostToolUseFailure":
        extra |= {"status": "error", "error_message": given.get("error", "it failed")}
    if event in ("SubagentStart", "SubagentStop"):
        extra |= {"child_role": given.get("agent_type", "general"), "child_summary": given.get("text", "")}
    return made
