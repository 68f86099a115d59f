"""Payloads as Junie may send them, made up for `simulate`: it is said to follow Claude Code."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.dialects.claude_hooks import prefix
from agent_connector.hosts.junie.hooks import TOOLS


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    return samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: prefix(s) + t)
