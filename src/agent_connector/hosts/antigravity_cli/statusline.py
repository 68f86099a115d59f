"""The status line of the Antigravity CLI: a command that gets JSON and prints the line. On the hook path."""

from agent_connector.hosts.dialects import claude_status
from agent_connector.hosts.nodes import Default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.hosts.nodes import Node

OPTIONS = ("padding",)
MAX_LINES = 1  # how many are drawn is not written down

_PATHS = (("session", "name", ("conversation_title",)),)


def wire(file: str, command: str, options: "Mapping[str, Any]") -> "list[Node]":
    """A person's own status line is never replaced."""
    from agent_connector.hosts.dialects.shells import for_powershell

    line: dict[str, Any] = {"type": "command", "command": for_powershell(command)}
    if "padding" in options:
        line["padding"] = options["padding"]
    return [Default(file, "json", ("statusLine",), line)]


def context(raw: "dict[str, Any]") -> "dict[str, Any]":
    """It tells no price; its quotas are in `raw`."""
    groups = claude_status.context(raw, "antigravity-cli", "Antigravity CLI", _PATHS)
    if "id" not in groups.get("session", {}) and raw.get("conversation_id"):
        groups.setdefault("session", {})["id"] = raw["conversation_id"]
    return groups
