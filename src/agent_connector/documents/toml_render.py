"""A value as TOML text: inline after a key, or as sections of their own."""

import re
from datetime import date, datetime, time
from typing import Any, cast

from agent_connector.documents.paths import as_list, as_map
from agent_connector.errors import DocumentError

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_TO_ESCAPE = re.compile('["\\\\\x00-\x1f\x7f]')
_SURROGATE = re.compile("[\ud800-\udfff]")


def key(name: str) -> str:
    """A key, quoted where it must be."""
    return name if _BARE.match(name) else _text(name)


def keys(names: tuple[str, ...]) -> str:
    """A dotted key."""
    return ".".join(map(key, names))


def inline(value: Any) -> str:
    """A value on one line."""
    members, elements = as_map(value), as_list(value)
    if members is not None:
        inside = ", ".join(f"{key(name)} = {inline(member)}" for name, member in members.items())
        return f"{{ {inside} }}" if inside else "{}"
    if elements is not None:
        return f"[{', '.join(map(inline, elements))}]"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    raise DocumentError("null cannot be written in TOML", remedy="Leave that key out.")


def is_table(value: Any) -> bool:
    """True when the value is written as a section."""
    return isinstance(value, dict)


def is_tables(value: Any) -> bool:
    """True when the value is written as `[[sections]]`."""
    elements = as_list(value)
    return bool(elements) and all(map(is_table, elements or ()))


def sections(names: tuple[str, ...], value: Any, *, array: bool = False) -> list[list[str]]:
    """A table as sections, each a list of lines: its own header and pairs first, then its tables.

    A table that holds nothing but tables needs no header of its own.
    """
    members = as_map(value) or {}
    pairs = [f"{key(name)} = {inline(m)}" for name, m in members.items() if not is_table(m) and not is_tables(m)]
    header = f"[[{keys(names)}]]" if array else f"[{keys(names)}]"
    out = [[header, *pairs]] if pairs or array or not members else []
    for name, member in members.items():
        out += nested((*names, name), member)
    return out


def nested(names: tuple[str, ...], value: Any) -> list[list[str]]:
    """A table or a list of tables as sections; nothing for other values."""
    if is_table(value):
        return sections(names, value)
    if is_tables(value):
        return [lines for element in cast("list[Any]", value) for lines in sections(names, element, array=True)]
    return []


def _text(value: str) -> str:
    if _SURROGATE.search(value):
        raise DocumentError("half of a character (a lone surrogate) cannot be written in TOML")
    return '"' + _TO_ESCAPE.sub(_escape, value) + '"'


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found.group()) or f"\\u{ord(found.group()):04x}"
