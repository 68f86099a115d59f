"""The folder that OpenClaw's agent works in, as its config names it: `agents.defaults.workspace` of a JSON5 file."""

import re
from collections.abc import Iterator

# A text, a comment, or a letter that shapes an object; a key may stand without quotes.
_TOKEN = re.compile(
    r"""(?s)"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|//[^\n]*|/\*.*?\*/|([A-Za-z_$][\w$]*)|([{}:,\[\]])"""
)
_PATH = ("agents", "defaults", "workspace")


def named(config: str) -> str | None:
    """What the config's text names, as it stands there; None when it names none or cannot be followed."""
    path: list[str] = []  # keys of the objects that are open; "" for an object in a list
    key = last = ""
    for kind, text in _tokens(config):
        if kind == "text":
            if tuple(path[1:]) == _PATH[:2] and key == _PATH[2]:
                return text
            last = text
        elif text == ":":
            key = last
        elif text in "{[":
            path.append(key)
            key = last = ""
        elif text in "}]":
            if not path:
                return None
            path.pop()
            key = last = ""
        elif text == ",":
            key = last = ""
    return None


def _tokens(config: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.finditer(config):
        double, single, word, mark = found.groups()
        if mark:
            yield "mark", mark
        elif (text := next((one for one in (double, single, word) if one is not None), None)) is not None:
            yield "text", text.replace("\\\\", "\\").replace("\\/", "/")
