"""Factory Droid's status line: a command whose output stands above the input. On the hook path.

What it gets on its stdin is not documented; it is read as Claude Code's.
"""

from agent_connector.hosts.dialects import claude_status
from agent_connector.hosts.nodes import Default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.hosts.nodes import Node

OPTIONS = ("padding", "max_rows")
MAX_LINES = 3  # `max_rows` of them are shown, one by default

_KEYS = {"max_rows": "maxRows"}


def wire(file: str, command: str, options: "Mapping[str, Any]") -> "list[Node]":
    """A person's own status line is never replaced."""
    chosen = {_KEYS.get(name, name): options[name] for name in OPTIONS if name in options}
    return [Default(file, "jsonc", ("statusLine",), {"command": command, **chosen})]


def context(raw: "dict[str, Any]") -> "dict[str, Any]":
    return claude_status.context(raw, "droid", "Factory Droid")
