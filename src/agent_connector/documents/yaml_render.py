"""A value as YAML text, as block lines or on one line, so that YAML 1.1 and 1.2 readers read the same."""

import re
from typing import Any, NamedTuple

from agent_connector.documents.paths import as_list, as_map
from agent_connector.documents.yaml_nodes import Node
from agent_connector.errors import DocumentError

# Plain only what no reader takes for anything but a text; all else is quoted.
_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+-]+)*\Z")
_RESERVED = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\0": "\\0"}
_TO_ESCAPE = re.compile('["\\\\\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]')
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_KEY = 1000  # a longer key could not stand before its colon


class Look(NamedTuple):
    """How far a map stands in from its parent, and a list from the key that holds it."""

    unit: str
    dash: str


def look_of(root: Node | None) -> Look:
    """The look of a file, read off its first nested map and its first nested list."""
    unit, dash = 0, -1
    waiting = [root] if root and not root.flow else []
    while waiting and (not unit or dash < 0):
        node = waiting.pop(0)
        for _, child in node.items:
            if child.kind in ("map", "seq") and not child.flow:
                waiting.append(child)
                if node.kind == "map" and child.kind == "map":
                    unit = unit or child.column - node.column
                elif node.kind == "map" and dash < 0:
                    dash = child.column - node.column
    return Look(" " * (unit or 2), " " * (dash if dash >= 0 else 2))


def entry(key: str | int, value: Any, look: Look) -> list[str]:
    """A map's entry (or, for an index, a list's element) as lines."""
    if not isinstance(key, str):
        return _element(value, look)
    name = inline(key)
    if len(name) > _LONGEST_KEY:
        raise DocumentError("a key of that length cannot be written in YAML")
    if not is_block(value):
        return [f"{name}: {inline(value)}"]
    indent = look.unit if as_map(value) is not None else look.dash
    return [f"{name}:", *(indent + line for line in block(value, look))]


def block(value: Any, look: Look) -> list[str]:
    """A map or list that is not empty, as lines."""
    members = as_map(value)
    if members is not None:
        return [line for key, member in members.items() for line in entry(key, member, look)]
    return [line for element in as_list(value) or () for line in _element(element, look)]


def inline(value: Any) -> str:
    """A value on one line."""
    members, elements = as_map(value), as_list(value)
    if members is not None:
        return "{" + ", ".join(f"{inline(key)}: {inline(member)}" for key, member in members.items()) + "}"
    if elements is not None:
        return f"[{', '.join(map(inline, elements))}]"
    if isinstance(value, str):
        return value if _PLAIN.match(value) and value.lower() not in _RESERVED else _quoted(value)
    return _scalar(value)


def is_block(value: Any) -> bool:
    """True for maps and lists that are not empty: they are written as lines."""
    return bool(as_map(value) or as_list(value))


def _element(value: Any, look: Look) -> list[str]:
    if not is_block(value):
        return [f"- {inline(value)}"]
    first, *others = block(value, look)
    return [f"- {first}", *(f"  {line}" for line in others)]


def _scalar(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        text = repr(value)
        if text.lstrip("-") in ("inf", "nan"):
            return text.replace("inf", ".inf").replace("nan", ".nan")
        mantissa, exponent, power = text.partition("e")
        return text if not exponent or "." in mantissa else f"{mantissa}.0e{power}"  # YAML 1.1 wants the dot
    if isinstance(value, int):
        return str(value)
    raise DocumentError(f"{value} cannot be written in YAML")


def _quoted(text: str) -> str:
    if _SURROGATE.search(text):
        raise DocumentError("half of a character (a lone surrogate) cannot be written in YAML")
    return '"' + _TO_ESCAPE.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found.group()) or f"\\u{ord(found.group()):04x}"
