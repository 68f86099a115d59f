"""Streams of JSON lines: one line as an object, and its parts as what they should be."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast


@lru_cache(1)  # whoever reads a stream may ask for what a facet has just read
def record(line: str) -> Mapping[str, Any]:
    """The object in `line`; empty for a blank line, a log line or any other value."""
    if line[:1] != "{" and not line.lstrip().startswith("{"):  # to fail at it costs more than to look
        return {}
    try:
        return table(json.loads(line))
    except (ValueError, RecursionError):  # the latter: nested too deep, which anybody can write
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
