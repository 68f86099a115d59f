"""Kimi Code CLI's status line: the first line that a command prints takes the footer's first. On the hook path."""

from agent_connector.hosts.nodes import Default

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.hosts.nodes import Node

OPTIONS: "tuple[str, ...]" = ()
MAX_LINES = 1


def wire(file: str, command: str, options: "Mapping[str, Any]") -> "list[Node]":
    """A person's own status line is never replaced. The command has 0.3 s, at most once a second."""
    return [Default(file, "toml", ("status_line", "command"), command)]


def context(raw: "dict[str, Any]") -> "dict[str, Any]":
    """What Kimi tells is flat; the share of the window is worked out."""
    used, size = raw.get("contextTokens"), raw.get("maxContextTokens")
    share = round(100 * used / size, 1) if isinstance(used, int) and isinstance(size, int) and size > 0 else None
    groups: dict[str, dict[str, Any]] = {
        "app": {"id": "kimi", "name": "Kimi Code CLI", "version": raw.get("version")},
        "model": {"display_name": raw.get("model")},
        "context": {"used_tokens": used, "size_tokens": size, "used_percent": share},
        "workspace": {"folder": raw.get("cwd"), "branch": raw.get("gitBranch")},
        "session": {"id": raw.get("sessionId")},
    }
    return {name: {key: value for key, value in group.items() if value is not None} for name, group in groups.items()}
