"""Payloads as Codex sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.codex.hooks import TOOLS, fold
from agent_connector.hosts.dialects import samples


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: f"mcp__{fold(s)}__{fold(t)}")
    return {**made, "model": "gpt-5", "turn_id": "turn-1"}
