"""Payloads as Trae sends them, made up for `simulate`."""

import os
from collections.abc import Mapping
from typing import Any

from agent_connector.hosts.dialects import samples
from agent_connector.hosts.dialects.claude_hooks import prefix
from agent_connector.hosts.trae.hooks import TOOLS


def payload(host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the hook of `host_event` would read on its stdin."""
    made = samples.claude(host_event, event, server, tool, given, TOOLS, lambda s, t: prefix(s) + t)
    return {**made, "workspace_roots": [os.getcwd()], "agent_id": "solo_agent", "agent_type": "solo_agent"}
