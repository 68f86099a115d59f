"""Values of JSON: a string is also a secret when the key it stands under says so."""

from collections.abc import Callable
from functools import cache
from typing import cast

from agent_connector.redaction import engine, shapes, spared
from agent_connector.redaction.model import MARK

# how a name and its value stand side by side: a list of variables, of headers, of fields
PAIRS = (("name", "value"), ("key", "value"), ("header", "value"), ("Name", "Value"))
_KINDS: tuple[tuple[str, str, spared.Spared], ...] = (
    ("authorization", r"(?:.*-)?authorization", spared.placeholder),
    ("cookie", r"(?:set-)?cookie2?", spared.placeholder),
    ("password", rf"(?:.*{shapes.PASSWORD}|pass|pwd){shapes.MORE}", spared.placeholder),
    ("secret", rf".*{shapes.SECRET}{shapes.MORE}", spared.placeholder),
    ("token", rf".*{shapes.TOKEN}{shapes.MORE}", spared.name),
)


@cache
def _searches() -> tuple[tuple[str, engine.Search, spared.Spared], ...]:
    return tuple((kind, engine.search(rf"\A(?i:{pattern})\z"), harmless) for kind, pattern, harmless in _KINDS)


def _kind(key: str) -> tuple[str, spared.Spared] | None:
    data = key.encode("utf-8", "surrogatepass")
    return next(((kind, harmless) for kind, search, harmless in _searches() if search(data, 0)), None)


def redacted(value: object, text: Callable[[str], str], key: str = "") -> object:
    """A copy in which no string is a secret."""
    match value:
        case str():
            return _string(value, text, key)
        case dict():
            return _mapping(cast("dict[object, object]", value), text)
        case list() | tuple():
            return [redacted(item, text, key) for item in cast("list[object]", value)]
        case int() | float() if not isinstance(value, bool) and (kind := _kind(key)) and kind[0] == "password":
            return MARK.format(kind[0])
        case _:
            return value


def _string(value: str, text: Callable[[str], str], key: str) -> str:
    kind = _kind(key) if key and value else None
    if kind and not kind[1](b"", value.encode("utf-8", "surrogatepass")):
        return MARK.format(kind[0])
    return text(value)


def _mapping(value: dict[object, object], text: Callable[[str], str]) -> dict[object, object]:
    names = {right: str(value[left]) for left, right in PAIRS if isinstance(value.get(left), str)}
    found: dict[object, object] = {}
    for key, item in value.items():
        shown: object = text(key) if isinstance(key, str) else key
        place, number = shown, 1
        while place in found:
            number += 1
            place = f"{shown} ({number})"
        named = names.get(str(key), str(key))
        found[place] = redacted(item, text, named)
    return found
