"""Payloads as Copilot CLI sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.copilot_cli.hooks import TOOLS
from agent_connector.hosts.dialects.samples import SESSION, native_name


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made: dict[str, Any] = {"sessionId": SESSION, "timestamp": 0, "cwd": os.getcwd(), **_about(event, given)}
    if tool:
        asked = host_event == "permissionRequest"
        named = native_name(TOOLS, tool) if server is None else f"{server}{'/' if asked else '-'}{tool}"
        made["toolName"] = named
        made["toolInput" if asked else "toolArgs"] = dict(given.get("input", {}))
    return made


def _about(event: str, given: Mapping[str, Any]) -> dict[str, Any]:
    agent = {"agentId": "agent-1", "agentName": "general-purpose", "agentType": given.get("agent_type", "general")}
    fields: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": given.get("source", "new")},
        "SessionEnd": {"reason": given.get("reason", "complete")},
        "UserPromptSubmit": {"prompt": given.get("prompt", "")},
        "PostToolUse": {"toolResult": {"resultType": "success", "textResultForLlm": given.get("output", "")}},
        "PostToolUseFailure": {"error": given.get("error", "it failed")},
        "PermissionRequest": {"hookName": "permissionRequest", "permissionSuggestions": []},
        "PreCompact": {"trigger": given.get("trigger", "manual"), "customInstructions": ""},
        "Stop": {"stopReason": "end_turn", "stop_hook_active": False},
        "Notification": {"message": given.get("message", ""), "notification_type": "permission_prompt"},
        "SubagentStart": agent,
        "SubagentStop": {**agent, "response": given.get("text", ""), "stop_hook_active": False},
    }
    return fields.get(event, {})
