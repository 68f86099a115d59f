"""Payloads as the bridge in OpenClaw sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import pi_samples
from agent_connector.hosts.openclaw.hooks import TOOLS, tool_name


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What our command of `host_event` would read on its stdin."""
    return pi_samples.payload(TOOLS, tool_name, event, server, tool, given)
