"""Payloads as the bridge in OpenCode and its forks sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects.opencode_plugin import prefix
from agent_connector.hosts.dialects.samples import CALL, native_name

_SESSION = "ses_simulated"


def payload(
    tools: Mapping[str, str], event: str, server: str | None, tool: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """What our command would read on its stdin; `tools` are the host's own tools and their canonical names."""
    made: dict[str, Any] = {
        "sessionID": _SESSION,
        "directory": os.getcwd(),
        "servers": [server] if server else [],
    }
    if event.startswith("Subagent"):
        made["parentID"] = "ses_parent"
        made["info"] = {"agent": given.get("agent_type", "general")}
    name = "" if not tool else native_name(tools, tool) if server is None else prefix(server) + tool
    return {**made, **_about(event, name, given)}


def _about(event: str, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    arguments = dict(given.get("input", {}))
    call = {"tool": tool, "sessionID": _SESSION, "callID": CALL}
    if event == "UserPromptSubmit":
        part = {"type": "text", "text": given.get("prompt", "")}
        return {"input": {"sessionID": _SESSION}, "output": {"message": {}, "parts": [part]}}
    if event == "PreToolUse":
        return {"input": call, "output": {"args": arguments}}
    if event == "PostToolUse":
        content = [{"type": "text", "text": str(given.get("output", ""))}]
        return {"input": {**call, "args": arguments}, "output": {"content": content}}
    if event == "PostToolUseFailure":
        state = {"status": "error", "input": arguments, "error": given.get("error", "it failed")}
        part = {"type": "tool", "tool": tool, "callID": CALL, "state": state}
        return {"event": {"type": "message.part.updated", "properties": {"part": part}}}
    if event == "PermissionRequest":
        asked = {"permission": tool, "metadata": arguments, "tool": {"callID": CALL}}
        return {"tool": tool, "args": arguments, "event": {"type": "permission.asked", "properties": asked}}
    return {}
