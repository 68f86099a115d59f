"""Take a JSON value as what it should be; what is something else counts as empty. Hosts' bodies are only read."""

from typing import Any, cast

Object = dict[str, Any]


def obj(value: object) -> Object:
    """An object."""
    return cast("Object", value) if isinstance(value, dict) else {}


def objects(value: object) -> list[Object]:
    """The objects of a list."""
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Object", item) for item in items if isinstance(item, dict)]


def text(value: object) -> str:
    """A text."""
    return value if isinstance(value, str) else ""


def parts(value: object) -> list[Object]:
    """Content that may be one text, one part or a list of parts."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    return [obj(cast("object", value))] if isinstance(value, dict) else objects(value)


def leaves(value: object) -> list[str]:
    """Every string inside a JSON value, map keys left out, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [leaf for item in obj(cast("object", value)).values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in cast("list[object]", value) for leaf in leaves(item)]
    return []
