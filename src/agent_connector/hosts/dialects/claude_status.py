"""The status line's input as Claude Code gives it, in our words. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Paths = Sequence[tuple[str, str, tuple[str, ...]]]

# our group and name <- the path in the host's object
_PATHS = (
    ("model", "id", ("model", "id")),
    ("model", "display_name", ("model", "display_name")),
    ("cost", "total_usd", ("cost", "total_cost_usd")),
    ("cost", "duration_ms", ("cost", "total_duration_ms")),
    ("cost", "api_duration_ms", ("cost", "total_api_duration_ms")),
    ("cost", "lines_added", ("cost", "total_lines_added")),
    ("cost", "lines_removed", ("cost", "total_lines_removed")),
    ("context", "size_tokens", ("context_window", "context_window_size")),
    ("context", "used_percent", ("context_window", "used_percentage")),
    ("context", "input_tokens", ("context_window", "current_usage", "input_tokens")),
    ("context", "output_tokens", ("context_window", "current_usage", "output_tokens")),
    ("context", "cache_read_tokens", ("context_window", "current_usage", "cache_read_input_tokens")),
    ("context", "cache_write_tokens", ("context_window", "current_usage", "cache_creation_input_tokens")),
    ("workspace", "folder", ("workspace", "current_dir")),
    ("workspace", "project", ("workspace", "project_dir")),
    ("workspace", "branch", ("worktree", "branch")),
    ("session", "id", ("session_id",)),
    ("session", "name", ("session_name",)),
    ("session", "transcript_path", ("transcript_path",)),
    ("app", "version", ("version",)),
)


def context(raw: "dict[str, Any]", host: str, name: str, more: "Paths" = ()) -> "dict[str, Any]":
    """Groups of what the host tells; what it does not tell is absent. `more` are places of the host's own."""
    groups: dict[str, dict[str, Any]] = {"app": {"id": host, "name": name}}
    for group, key_in_group, path in (*_PATHS, *more):
        value: Any = raw
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        if value is not None:
            groups.setdefault(group, {})[key_in_group] = value
    used = _used(groups.get("context", {}))
    if used is not None:
        groups["context"]["used_tokens"] = used
    if "folder" not in groups.get("workspace", {}) and raw.get("cwd"):
        groups.setdefault("workspace", {})["folder"] = raw["cwd"]
    return groups


def _used(window: "dict[str, Any]") -> "int | None":
    """What stands in the window after the last turn: the classes of its usage do not overlap."""
    parts = [window.get(n) for n in ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")]
    known = [part for part in parts if isinstance(part, int)]
    return sum(known) if known else None
