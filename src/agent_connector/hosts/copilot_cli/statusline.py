"""GitHub Copilot CLI's status line: a command that gets JSON and prints the line. On the hook path."""

from agent_connector.hosts.dialects import claude_status
from agent_connector.hosts.nodes import Default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.hosts.nodes import Node

OPTIONS = ("padding", "refresh_interval")
MAX_LINES = 1  # its documentation speaks of one

_KEYS = {"refresh_interval": "refreshInterval"}


def wire(file: str, command: str, options: "Mapping[str, Any]") -> "list[Node]":
    """A person's own status line is never replaced. `refresh_interval` is in seconds."""
    chosen = {_KEYS.get(name, name): options[name] for name in OPTIONS if name in options}
    return [Default(file, "jsonc", ("statusLine",), {"type": "command", "command": command, **chosen})]


def context(raw: "dict[str, Any]") -> "dict[str, Any]":
    """It tells no price in a currency, only requests and credits of a plan: those are in `raw`."""
    return claude_status.context(raw, "copilot-cli", "GitHub Copilot CLI")
