"""Payloads as the bridge in Amp sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.amp.hooks import TOOLS
from agent_connector.hosts.dialects import samples
from agent_connector.hosts.dialects.claude_hooks import prefix

_THREAD = "T-simulated"


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What our command of `host_event` would read on its stdin."""
    told: dict[str, Any] = {"thread": {"id": _THREAD}}
    if tool:
        name = samples.native_name(TOOLS, tool) if server is None else prefix(server) + tool
        told |= {"toolUseID": samples.CALL, "tool": name, "input": dict(given.get("input", {}))}
    if event == "PostToolUse":
        told |= {"status": "done", "output": given.get("output", "")}
    if event == "PostToolUseFailure":
        told |= {"status": "error", "error": given.get("error", "it failed")}
    if event == "UserPromptSubmit":
        told |= {"message": given.get("prompt", ""), "id": "1"}
    if event == "Stop":
        told |= {"message": given.get("text", ""), "id": "1", "status": "done", "messages": []}
    return {"sessionID": _THREAD, "directory": os.getcwd(), "event": told, "stopHookActive": False}
