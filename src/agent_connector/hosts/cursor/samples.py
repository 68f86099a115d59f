"""Payloads as Cursor sends them, made up for `simulate`."""

import json
import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.cursor.hooks import MCP, TOOLS
from agent_connector.hosts.dialects.samples import CALL, SESSION, native_name


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made: dict[str, Any] = {
        "hook_event_name": host_event,
        "conversation_id": SESSION,
        "generation_id": SESSION,
        "session_id": SESSION,
        "model": "default",
        "cursor_version": "2.0.0",
        "workspace_roots": [os.getcwd()],
        "transcript_path": None,
        **_about(event, given),
    }
    if tool:
        made["tool_name"] = native_name(TOOLS, tool) if server is None else MCP + tool
        made["tool_input"] = dict(given.get("input", {}))
        made["tool_use_id"] = CALL
        made["cwd"] = os.getcwd()
    return made


def _about(event: str, given: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, dict[str, Any]] = {
        "SessionEnd": {"reason": given.get("reason", "completed"), "duration_ms": 1000},
        "UserPromptSubmit": {"prompt": given.get("prompt", ""), "attachments": []},
        "PostToolUse": {"tool_output": json.dumps(given.get("output", "")), "duration_ms": 10},
        "PostToolUseFailure": {"error_message": given.get("error", "it failed"), "failure_type": "error"},
        "PreCompact": {"trigger": given.get("trigger", "manual")},
        "Stop": {"status": "completed", "loop_count": 0},
        "SubagentStart": {"subagent_id": "agent-1", "subagent_type": given.get("agent_type", "general"), "task": ""},
        "SubagentStop": {"subagent_id": "agent-1", "status": "completed", "summary": given.get("text", "")},
    }
    return fields.get(event, {})
