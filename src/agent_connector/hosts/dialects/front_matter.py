"""Markdown files with a YAML head: commands, skills and subagents of most hosts."""

import json
import re
from collections.abc import Mapping, Sequence

# What YAML reads as itself, as plain text, whatever the reader's version.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./@-]*(?: [A-Za-z0-9_./@()-]+)*")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # what YAML does not take as it is
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})

Value = str | bool | Sequence[str]


def document(head: Mapping[str, Value | None], body: str) -> str:
    """The head's keys in order (None is left out) and the body, with one newline at the end."""
    lines = [f"{key}: {_scalar(value)}" for key, value in head.items() if value is not None]
    top = "---\n" + "\n".join(lines) + "\n---\n\n" if lines else ""
    return top + body.strip("\n") + "\n"


def join(folder: str, *names: str) -> str:
    """A path below `folder`, in the style that `folder` is written in: paths of other systems are text here."""
    separator = "\\" if "\\" in folder and "/" not in folder else "/"
    return separator.join([folder.rstrip("/\\"), *(name.replace("/", separator) for name in names)])


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return text(value)
    return "[" + ", ".join(text(item) for item in value) + "]"


def text(value: str) -> str:
    """`value` plain where no YAML reader can take it for something else, else in double quotes."""
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))
