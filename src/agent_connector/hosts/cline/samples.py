"""Payloads as Cline's terminal program sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.cline.hooks import TOOLS
from agent_connector.hosts.dialects import samples
from agent_connector.hosts.dialects.claude_hooks import normal

_NAMES = {
    "TaskStart": "agent_start",
    "TaskResume": "agent_resume",
    "UserPromptSubmit": "prompt_submit",
    "PreToolUse": "tool_call",
    "PostToolUse": "tool_result",
    "TaskComplete": "agent_end",
    "TaskError": "agent_error",
    "TaskCancel": "agent_abort",
    "SessionShutdown": "session_shutdown",
}


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made: dict[str, Any] = {
        "clineVersion": "",
        "hookName": _NAMES.get(host_event, host_event),
        "taskId": "conv_simulated",
        "sessionContext": {"rootSessionId": samples.SESSION},
        "workspaceRoots": [os.getcwd()],
        "workspaceInfo": {"rootPath": os.getcwd(), "hint": os.path.basename(os.getcwd())},
        "agent_id": "agent-1",
        "parent_agent_id": None,
    }
    if tool:
        made |= _tool(event, server, tool, given)
    if event == "UserPromptSubmit":
        made["userPromptSubmit"] = {"prompt": given.get("prompt", ""), "attachments": []}
    if event == "SessionStart":
        made["taskStart"] = {"taskMetadata": {}}
    if event == "Stop":
        made |= {"turn": {"outputText": given.get("text", ""), "status": "completed"}}
    return made


def _tool(event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    name = samples.native_name(TOOLS, tool) if server is None else f"{normal(server)}__{normal(tool)}"
    arguments = dict(given.get("input", {}))
    call: dict[str, Any] = {"id": samples.CALL, "name": name, "input": arguments}
    told: dict[str, Any] = {"toolName": name, "parameters": arguments}
    if event == "PreToolUse":
        return {"tool_call": call, "preToolUse": told}
    failed = event == "PostToolUseFailure"
    call["error" if failed else "output"] = given.get("error" if failed else "output", "")
    return {"tool_result": call, "postToolUse": {**told, "result": given.get("output", ""), "success": not failed}}
