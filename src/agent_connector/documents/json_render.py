"""A value as JSON text in the look of the file that it goes into."""

import json
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from agent_connector.documents.brackets import Box
from agent_connector.documents.json_syntax import Syntax
from agent_connector.documents.lines import newline_of
from agent_connector.documents.paths import as_list, as_map
from agent_connector.errors import DocumentError

_FIRST_INDENT = re.compile(r"[{\[][ \t]*(?:\r\n|\n|\r)([ \t]+)[^\s]")
_FIRST_LIST = re.compile(r"""\[\s*["'\w+.-]""")
_TO_ESCAPE = re.compile("[\ud800-\udfff\u2028\u2029]")  # no UTF-8, and line ends to some readers
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")
_NUMBERS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}


class Look(NamedTuple):
    """What the file's own hand looks like."""

    unit: str
    newline: str
    colon: str
    gap: str  # behind a comma on one line
    json5: bool
    quote: str
    bare_keys: bool
    flat_lists: bool  # lists of scalars stay on one line where the file's first list does


def look_of(text: str, syntax: Syntax, boxes: Sequence[Box]) -> Look:
    """The look of `text`, read off the containers on the way to the edit, the nearest first."""
    indent = _FIRST_INDENT.search(text)
    members = [item for box in reversed(boxes) for item in box.items[:1] if item.key is not None]
    colon, bare = ": ", False
    if members:
        bare = text[members[0].start] not in "\"'"
        colon = _colon(text[members[0].start : members[0].value])
    listed = _FIRST_LIST.search(text)
    quotes = re.search("[\"']", text) if syntax.json5 else None
    return Look(
        indent[1] if indent else "  ",
        newline_of(text),
        colon,
        " " if colon[-1] != ":" else "",
        syntax.json5,
        quotes.group() if quotes else '"',
        syntax.json5 and bare,
        listed is not None and "\n" not in listed.group() and "\r" not in listed.group(),
    )


def render(value: Any, look: Look, indent: str, *, lines: bool) -> str:
    """`value` as text; `lines`: one element per line, the closing bracket at `indent`."""
    members, elements = as_map(value), as_list(value)
    if members is not None:
        parts = [
            _key(key, look) + look.colon + render(v, look, indent + look.unit, lines=lines)
            for key, v in members.items()
        ]
        return _brackets("{", parts, "}", look, indent, lines)
    if elements is not None:
        if look.flat_lists and not any(isinstance(element, dict | list) for element in elements):
            lines = False
        parts = [render(element, look, indent + look.unit, lines=lines) for element in elements]
        return _brackets("[", parts, "]", look, indent, lines)
    if isinstance(value, str):
        return _quoted(value, look)
    return _scalar(value, look)


def member(key: str | int, value: str, look: Look) -> str:
    """A rendered value as the element that `key` names: with the key in an object, alone in a list."""
    return _key(key, look) + look.colon + value if isinstance(key, str) else value


def _colon(lead: str) -> str:
    """The colon of `"key" : ` with the blanks around it."""
    upto = lead.rstrip(" \t")
    key = upto.removesuffix(":").rstrip(" \t")
    return lead[len(key) :] if upto.endswith(":") else ": "


def _brackets(opening: str, parts: list[str], closing: str, look: Look, indent: str, lines: bool) -> str:
    if not lines or not parts:
        return opening + ("," + look.gap).join(parts) + closing
    inner = look.newline + indent + look.unit
    return opening + inner + ("," + inner).join(parts) + look.newline + indent + closing


def _key(key: str, look: Look) -> str:
    return key if look.bare_keys and _NAME.match(key) else _quoted(key, look)


def _quoted(text: str, look: Look) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    if look.quote == "'":
        quoted = "'" + quoted[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
    return _TO_ESCAPE.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)


def _scalar(value: Any, look: Look) -> str:
    if isinstance(value, float) and repr(value) in _NUMBERS:
        if look.json5:
            return _NUMBERS[repr(value)]
    elif value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    raise DocumentError(f"{value} cannot be written in {'JSON5' if look.json5 else 'JSON'}")
