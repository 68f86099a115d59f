"""Payloads as Gemini CLI sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects.samples import SESSION, native_name
from agent_connector.hosts.gemini_cli.hooks import TOOLS, tool_name


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made: dict[str, Any] = {
        "session_id": SESSION,
        "transcript_path": "",
        "cwd": os.getcwd(),
        "hook_event_name": host_event,
        "timestamp": "2026-01-01T00:00:00.000Z",
        **_about(event, given),
    }
    if tool:
        made["tool_name"] = native_name(TOOLS, tool) if server is None else tool_name(server, tool)
        made["tool_input"] = dict(given.get("input", {}))
        if server is not None:
            made["mcp_context"] = {"server_name": server, "tool_name": tool}
    return made


def _about(event: str, given: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": given.get("source", "startup")},
        "SessionEnd": {"reason": given.get("reason", "exit")},
        "UserPromptSubmit": {"prompt": given.get("prompt", "")},
        "PostToolUse": {"tool_response": {"llmContent": given.get("output", "")}},
        "PostToolUseFailure": {"tool_response": {"error": {"message": given.get("error", "it failed")}}},
        "PreCompact": {"trigger": given.get("trigger", "manual")},
        "Stop": {
            "prompt": given.get("prompt", ""),
            "prompt_response": given.get("text", ""),
            "stop_hook_active": False,
        },
        "Notification": {"message": given.get("message", ""), "notification_type": "ToolPermission"},
    }
    return fields.get(event, {})
