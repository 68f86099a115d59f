"""Payloads as Crush sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.crush.hooks import MARK, TOOLS
from agent_connector.hosts.dialects import samples


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    name = samples.native_name(TOOLS, tool) if server is None else f"{MARK}{server}_{tool}"
    return {
        "event": host_event,
        "session_id": samples.SESSION,
        "cwd": os.getcwd(),
        "tool_name": name,
        "tool_input": dict(given.get("input", {})),
    }
