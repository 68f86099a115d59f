"""The status line of Cursor's CLI; the IDE has none. On the hook path."""

from agent_connector.hosts.dialects import claude_status
from agent_connector.hosts.nodes import Default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.hosts.nodes import Node

OPTIONS = ("padding", "refresh_interval", "timeout")
MAX_LINES = 3

_MILLISECONDS = {"refresh_interval": "updateIntervalMs", "timeout": "timeoutMs"}


def wire(file: str, command: str, options: "Mapping[str, Any]") -> "list[Node]":
    """A person's own status line is never replaced. Times are seconds; Cursor draws at most every 0.3 s."""
    line: dict[str, Any] = {"type": "command", "command": command}
    if "padding" in options:
        line["padding"] = options["padding"]
    for name, key in _MILLISECONDS.items():
        if name in options:
            line[key] = round(options[name] * 1000)
    return [Default(file, "json", ("statusLine",), line)]


def context(raw: "dict[str, Any]") -> "dict[str, Any]":
    return claude_status.context(raw, "cursor", "Cursor")
