"""Payloads as goose sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.dialects.claude_hooks import normal
from agent_connector.hosts.goose.hooks import MARK, TOOLS


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made: dict[str, Any] = {"event": host_event, "session_id": "20260101_1", "working_dir": os.getcwd()}
    if tool:
        name = samples.native_name(TOOLS, tool) if server is None else normal(server) + MARK + normal(tool)
        made |= {"tool_name": name, "tool_input": dict(given.get("input", {})), "tool_call_id": samples.CALL}
    if event == "PostToolUse":
        made["tool_output"] = given.get("output", "")
    if event == "PostToolUseFailure":
        made["tool_output"] = given.get("error", "it failed")
    if event == "UserPromptSubmit":
        made["message"] = given.get("prompt", "")
    if event == "Stop":
        made["last_assistant_message"] = given.get("text", "")
    return made
