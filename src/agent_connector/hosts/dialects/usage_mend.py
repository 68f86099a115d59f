"""Lines that do not fit the record they should hold: a count that is none, half an emoji, NaN. What is sound in them counts."""

from typing import Any, TypeVar

import msgspec

from agent_connector.hosts.dialects import usage_values

T = TypeVar("T")

_COUNTS = "_tokens"  # what the names of counts end with


def mended(line: bytes | memoryview, kind: type[T]) -> T | None:
    """`line` as `kind`, what is no count as zero; None when it is nothing like it. Slow: for what a decoder refused."""
    value = usage_values.decode(bytes(line))
    if not isinstance(value, dict):
        return None
    try:
        return msgspec.convert(_sound(value), kind, strict=False)
    except (msgspec.ValidationError, RecursionError):
        return None


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if not isinstance(value, dict):
        return None if isinstance(value, list) else value  # no list of a log holds counts
    fields: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
    return {name: usage_values.count(each) if name.endswith(_COUNTS) else _sound(each) for name, each in fields.items()}
