"""Payloads as Claude Code sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.claude_code.hooks import TOOLS
from agent_connector.hosts.dialects import samples
from agent_connector.hosts.dialects.claude_hooks import prefix


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: prefix(s) + t)
    if tool and server is not None:
        made["mcp_server"] = {"name": server, "source": "user"}
    return made
