"""Qwen Code's status line: a command that gets JSON and prints the lines. On the hook path."""

from agent_connector.hosts.dialects import claude_status
from agent_connector.hosts.nodes import Default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.hosts.nodes import Node

OPTIONS = ("refresh_interval", "respect_user_colors", "hide_context_indicator")
MAX_LINES = 2

_KEYS = {
    "refresh_interval": "refreshInterval",
    "respect_user_colors": "respectUserColors",
    "hide_context_indicator": "hideContextIndicator",
}
# Qwen tells the size of the last call as one number, and the session's sums and lines in places of its own.
_PATHS = (
    ("cost", "lines_added", ("metrics", "files", "total_lines_added")),
    ("cost", "lines_removed", ("metrics", "files", "total_lines_removed")),
    ("context", "used_tokens", ("context_window", "current_usage")),
    ("workspace", "branch", ("git", "branch")),
)


def wire(file: str, command: str, options: "Mapping[str, Any]") -> "list[Node]":
    """A person's own status line is never replaced. `refresh_interval` is in seconds."""
    chosen = {_KEYS[name]: options[name] for name in OPTIONS if name in options}
    return [Default(file, "jsonc", ("ui", "statusLine"), {"type": "command", "command": command, **chosen})]


def context(raw: "dict[str, Any]") -> "dict[str, Any]":
    return claude_status.context(raw, "qwen-code", "Qwen Code", _PATHS)
