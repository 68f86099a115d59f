"""Payloads as hosts of Claude Code's kind send them, made up for `simulate`. Not on the hook path.

`given` are the neutral words of an event: input, output, prompt, error, message, source, reason, trigger, text.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

SESSION = "00000000-0000-4000-8000-000000000000"
CALL = "call-1"


def native_name(tools: Mapping[str, str], tool: str) -> str:
    """What the host calls its own tool whose canonical name is `tool`."""
    return next((name for name, canonical in tools.items() if canonical == tool), tool)


def claude(
    host_event: str,
    event: str,
    server: str | None,
    tool: str,
    given: Mapping[str, Any],
    tools: Mapping[str, str],
    name: Callable[[str, str], str],
) -> dict[str, Any]:
    """`name(server, tool)` is what the host calls a server's tool."""
    payload: dict[str, Any] = {
        "session_id": SESSION,
        "transcript_path": None,
        "cwd": os.getcwd(),
        "hook_event_name": host_event,
        "permission_mode": "default",
        **_about(event, given),
    }
    if tool:
        payload["tool_name"] = native_name(tools, tool) if server is None else name(server, tool)
        payload["tool_input"] = dict(given.get("input", {}))
        payload["tool_use_id"] = CALL
    return payload


def _about(event: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of one event beside the tool's."""
    fields: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": given.get("source", "startup")},
        "SessionEnd": {"reason": given.get("reason", "other")},
        "UserPromptSubmit": {"prompt": given.get("prompt", "")},
        "PostToolUse": {"tool_response": given.get("output", "")},
        "PostToolUseFailure": {"error": given.get("error", "it failed"), "is_interrupt": False},
        "Notification": {"message": given.get("message", ""), "notification_type": "permission_prompt"},
        "PreCompact": {"trigger": given.get("trigger", "manual"), "custom_instructions": None},
        "PostCompact": {"trigger": given.get("trigger", "manual"), "compact_summary": given.get("text", "")},
        "Stop": {"stop_hook_active": False, "last_assistant_message": given.get("text", "")},
        "SubagentStart": {"agent_id": "agent-1", "agent_type": given.get("agent_type", "general")},
        "SubagentStop": {
            "agent_id": "agent-1",
            "agent_type": given.get("agent_type", "general"),
            "stop_hook_active": False,
            "last_assistant_message": given.get("text", ""),
        },
    }
    return fields.get(event, {})
