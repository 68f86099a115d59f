"""Payloads as our part of Mux's programs tells them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.mux.hooks import TOOLS, fold


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What our command of `host_event` would read on its stdin."""
    name = samples.native_name(TOOLS, tool) if server is None else f"{fold(server)}_{fold(tool)}"
    made: dict[str, Any] = {
        "tool": name if tool else "",
        "workspace": samples.SESSION,
        "folder": os.getcwd(),
        "model": "",
        "input": dict(given.get("input", {})),
        "result": None,
    }
    if event == "PostToolUse":
        made["result"] = given.get("output", "")
    if event == "PostToolUseFailure":
        made["result"] = {"success": False, "error": given.get("error", "it failed")}
    return made
