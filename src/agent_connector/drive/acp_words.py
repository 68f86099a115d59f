"""What an agent says over ACP, read leniently: a field that is not as it should be counts as absent, never as an error.

Agents send updates that are newer than any schema, and fields of their own; whoever listens must not stumble over one.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, cast

Object = Mapping[str, Any]
KINDS = frozenset(("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"))
NAME = re.compile(r"[A-Za-z0-9_.:-]{1,80}")
# Where agents put the name of a tool, and of the call that a subagent works for.
NAME_KEYS = ("toolName", "tool_name")
PARENT_KEYS = ("parentToolUseId", "parentToolCallId", "parent_tool_call_id")
# A mode in which a model, and not whoever is asked, judges each call; and the one to go to instead.
JUDGED, ASKS = "auto", "default"


def metadata(update: Object) -> dict[str, Any]:
    """What the agent adds: its own fields may stand one level down, under a name of its own."""
    meta = table(update.get("_meta"))
    flat: dict[str, Any] = {}
    for value in meta.values():
        flat |= table(value)
    return {**flat, **meta}


def parent(update: Object) -> str | None:
    """The call that a subagent works for, where one does."""
    meta = metadata(update)
    return next((text(meta[key]) for key in PARENT_KEYS if text(meta.get(key))), None)


def text(value: object) -> str:
    return value if isinstance(value, str) else ""


def table(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def tables(value: object) -> tuple[dict[str, Any], ...]:
    items = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(cast("dict[str, Any]", item) for item in items if isinstance(item, dict))


def mode_of(options: Iterable[Object]) -> str:
    """The mode, where an agent tells it as an option."""
    return next((text(option.get("currentValue")) for option in options if is_mode(option)), "")


def is_mode(option: Object) -> bool:
    return option.get("category") == "mode" or option.get("id") == "mode"


def asking(mode: str, available: Iterable[str]) -> str:
    """The mode to go to where a model would judge what is allowed; empty: stay."""
    return ASKS if mode == JUDGED and ASKS in available else ""


def values(options: object) -> Iterable[str]:
    """The values of an option, of groups too."""
    for option in tables(options):
        if "options" in option:
            yield from values(option["options"])
        elif text(option.get("value")):
            yield text(option.get("value"))
