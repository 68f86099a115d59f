"""Payloads as the bridge in Pi and Oh My Pi sends them, made up for `simulate`."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from agent_connector.hosts.dialects.samples import CALL, SESSION, native_name


def payload(
    tools: Mapping[str, str],
    name: Callable[[str, str], str],
    event: str,
    server: str | None,
    tool: str,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """What our command would read on its stdin; `name(server, tool)` is what the host calls a server's tool."""
    called = "" if not tool else native_name(tools, tool) if server is None else name(server, tool)
    made: dict[str, Any] = {"sessionID": SESSION, "directory": os.getcwd(), "mode": "tui"}
    if event == "Stop":
        made |= {"stopHookActive": False, "last": given.get("text", "")}
    return {**made, "event": _about(event, called, given)}


def _about(event: str, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    call = {"toolName": tool, "toolCallId": CALL, "input": dict(given.get("input", {}))}
    output = {
        "PostToolUse": str(given.get("output", "")),
        "PostToolUseFailure": str(given.get("error", "it failed")),
    }.get(event)
    if output is not None:
        failed = event == "PostToolUseFailure"
        return {**call, "content": [{"type": "text", "text": output}], "isError": failed}
    told: dict[str, dict[str, Any]] = {
        "SessionStart": {"reason": given.get("source", "startup")},
        "SessionEnd": {"reason": given.get("reason", "quit")},
        "UserPromptSubmit": {"text": given.get("prompt", "")},
        "SubagentStart": {"agent": given.get("agent_type", "general"), "kind": "task"},
        "PreCompact": {"reason": given.get("trigger", "manual")},
        "PostCompact": {"reason": given.get("trigger", "manual")},
        "Notification": {"title": given.get("message", ""), "kind": "confirm"},
    }
    return call if tool else told.get(event, {})
