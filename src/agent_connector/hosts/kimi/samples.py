"""Payloads as Kimi sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.kimi.hooks import TOOLS, tool_name

_CALLED = {"tool_use_id": "tool_call_id", "tool_response": "tool_output", "agent_type": "agent_name"}
_LEFT_OUT = ("transcript_path", "permission_mode", "last_assistant_message")


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, tool_name)
    made = {_CALLED.get(key, key): value for key, value in made.items() if key not in _LEFT_OUT}
    if event == "UserPromptSubmit":
        made |= {"prompt": [{"type": "text", "text": made["prompt"]}], "is_steer": False}
    if event == "PostToolUseFailure":
        made["error"] = {"code": "internal", "message": made["error"], "retryable": False}
    if event == "SubagentStop":
        made["response"] = given.get("text", "")
    return {**made, "client_type": "kimi_code_cli"}
