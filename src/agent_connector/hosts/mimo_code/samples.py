"""Payloads as the bridge in MiMoCode sends them, made up for `simulate`."""

from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import opencode_samples
from agent_connector.hosts.mimo_code.hooks import TOOLS


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What our command of `host_event` would read on its stdin."""
    return opencode_samples.payload(TOOLS, event, server, tool, given)
