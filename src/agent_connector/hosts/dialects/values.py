"""Parts of a payload that may be missing or of another kind than expected. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def mapping(value: "Any") -> "dict[str, Any]":
    """`value` when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]
