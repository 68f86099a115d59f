"""Payloads as Droid sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.droid.hooks import MARK, TOOLS


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin; no id of the call stands in it."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: s + MARK + t)
    made.pop("tool_use_id", None)
    return {**made, "permission_mode": "off"}
