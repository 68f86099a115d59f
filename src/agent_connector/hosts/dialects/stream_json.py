"""Streams of JSON lines: one line as an object, and its parts as what they should be."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast


def record(line: str) -> Mapping[str, Any]:
    """The object in `line`; empty for a blank line, a log line or any other value."""
    try:
        return table(json.loads(line))
    except ValueError:
        return {}


def table(value: Any) -> Mapping[str, Any]:
    """`value` when it is an object, else an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def rows(value: Any) -> Sequence[Mapping[str, Any]]:
    """The objects in `value` when it is a list."""
    return (
        [table(item) for item in cast("list[Any]", value) if isinstance(item, dict)] if isinstance(value, list) else []
    )


def number(value: Any) -> int:
    """A count; 0 when there is none."""
    return value if isinstance(value, int) else 0
