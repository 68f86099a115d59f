"""Payloads as Antigravity CLI sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import antigravity_host


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    return antigravity_host.payload("antigravity-cli", host_event, event, server, tool, given)
