"""Payloads as Qwen Code sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.qwen_code.hooks import TOOLS, tool_name


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, tool_name)
    if event == "PostToolUse":
        output = given.get("output", "")
        made["tool_response"] = {"llmContent": output, "returnDisplay": output}
    if event == "UserPromptSubmit":
        made["submitted_prompt"] = made["prompt"]
    if tool:
        made["tool_call_id"] = samples.CALL
    return made
