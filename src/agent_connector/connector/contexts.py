"""What a status line and an action are told. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Group:
    """One part of the status line's context (`ctx.model`, `ctx.cost`): what the host does not tell is None."""

    __slots__ = ("_values",)

    def __init__(self, values: "Mapping[str, Any]") -> None:
        self._values = values

    def __getattr__(self, name: str) -> "Any":
        if name[:2] == "__":
            raise AttributeError(name)
        return self._values.get(name)

    def __repr__(self) -> str:
        return f"Group({dict(self._values)!r})"


class StatusContext:
    """What a status line may show, in the same words for every host; a missing part is an empty `Group`.

    model: id, display_name · cost: total_usd, duration_ms, api_duration_ms, lines_added, lines_removed
    context: used_tokens, size_tokens, used_percent, input_tokens, output_tokens, cache_read_tokens
    usage: total_usd, host_usd, requests, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,
        reasoning_tokens, updated_ms; what `usage scan` last found of this session, priced by list prices
    workspace: folder, project, branch · session: id, name, transcript_path · app: id, name, version
    `raw` is the host's own payload.
    """

    __slots__ = ("_groups", "raw")

    def __init__(self, values: "Mapping[str, Any]", raw: "dict[str, Any] | None" = None) -> None:
        self._groups = values
        self.raw: dict[str, Any] = raw or {}

    def __getattr__(self, name: str) -> "Any":
        if name[:2] == "__":
            raise AttributeError(name)
        value: Any = self._groups.get(name)
        return Group(value) if isinstance(value, dict) else Group({}) if value is None else value  # type: ignore[arg-type]


class ActionContext:
    """What an action is told: the `host` and the action's `id`, the folder it runs in, and further arguments."""

    __slots__ = ("arguments", "cwd", "host", "id")

    def __init__(self, host: str, id: str, cwd: str, arguments: "tuple[str, ...]" = ()) -> None:
        self.host = host
        self.id = id
        self.cwd = cwd
        self.arguments = arguments
