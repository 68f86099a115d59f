"""Claude Code's status line: a command that gets JSON and prints the lines. On the hook path."""

from agent_connector.hosts.dialects import claude_status
from agent_connector.hosts.nodes import Default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.hosts.nodes import Node

OPTIONS = ("padding", "refresh_interval", "hide_vim_mode_indicator")
MAX_LINES = 3

_KEYS = {"refresh_interval": "refreshInterval", "hide_vim_mode_indicator": "hideVimModeIndicator"}


def wire(file: str, command: str, options: "Mapping[str, Any]") -> "list[Node]":
    """A person's own status line is never replaced. `refresh_interval` is in seconds."""
    chosen = {_KEYS.get(name, name): options[name] for name in OPTIONS if name in options}
    return [Default(file, "json", ("statusLine",), {"type": "command", "command": command, **chosen})]


def context(raw: "dict[str, Any]") -> "dict[str, Any]":
    return claude_status.context(raw, "claude-code", "Claude Code")
