"""JSON5 written again as strict JSON, token by token, for the standard library to read.

Quotes, keys and numbers are rewritten; comments and trailing commas left out; how the tokens follow each other is
left to the reader of the result, which is told where each token came from.
"""

import json
import re

from agent_connector.documents.json_syntax import JSON5
from agent_connector.documents.lines import position, start_of
from agent_connector.documents.paths import EDIT_BY_HAND
from agent_connector.errors import ParseError

_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?:(?P<hex>0[xX][0-9a-fA-F]+)|(?P<name>Infinity|NaN)"
    r"|(?P<whole>0|[1-9][0-9]*)?(?P<dot>\.)?(?P<part>[0-9]+)?(?P<power>[eE][+-]?[0-9]+)?)\Z",
)
_STRING_PART = re.compile(r"\\(?:\r\n|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|0(?![0-9])|[^1-90ux])|[^\\\r\n]", re.DOTALL)
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}
_CONTINUED = "\r\n\u2028\u2029"
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_LONGEST = 1000  # digits of a hexadecimal number: Python refuses to write very long integers
_LITERALS = ("true", "false", "null")


def to_strict(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The same value in strict JSON ("" when there is none), and (offset there, offset here) of each token."""
    pieces: list[str] = []
    offsets: list[tuple[int, int]] = []
    at, length, before = _after_trivia(text, start_of(text)), 0, ""
    while at < len(text):
        end = _token_end(text, at)
        following = _after_trivia(text, end)
        piece = _token(text, at, end, text[following : following + 1], before)
        offsets.append((length, at))
        pieces.append(piece)
        length += len(piece) + 1
        before, at = text[at], following
    return " ".join(pieces), offsets  # apart, so that `2 3` does not become a number


def unquote(raw: str) -> str | None:
    """What a quoted JSON5 string says; None when it has an escape that is none."""
    if "\\" not in raw:
        return None if "\n" in raw or "\r" in raw else raw[1:-1]
    out: list[str] = []
    at, end = 1, len(raw) - 1
    while at < end:
        found = _STRING_PART.match(raw, at, end)
        if not found:
            return None
        out.append(_unescape(found.group()))
        at = found.end()
    return _join_surrogates("".join(out))


def identifier(raw: str) -> str | None:
    """The name that an unquoted key says, escapes resolved; None when it is no name."""
    name = _UNICODE.sub(lambda found: chr(int(found[1], 16)), raw)
    # Python's rule and JavaScript's are the same Unicode rule, but for `$` and the two joiners.
    plain = re.sub("[$\u200c\u200d]", "_", name)
    return name if plain.isidentifier() else None


def _after_trivia(text: str, at: int) -> int:
    found = JSON5.trivia.match(text, at)
    return found.end() if found else at


def _token_end(text: str, at: int) -> int:
    if text[at] in "{}[],:":
        return at + 1
    pattern = JSON5.string if text[at] in "\"'" else JSON5.scalar
    found = pattern.match(text, at)
    if not found:
        raise _error(text, at, "a text or comment without an end" if text[at] in "\"'/" else "an unexpected character")
    return found.end()


def _token(text: str, at: int, end: int, following: str, before: str) -> str:
    """One token in strict JSON. `following` and `before` are the first characters of its neighbours."""
    raw = text[at:end]
    if raw in "{}[]:":
        return raw
    if raw == ",":
        if following and following in "]}":
            if before in ("", ",", ":", "[", "{"):
                raise _error(text, at, "a comma without an element before it")
            return " "
        return raw
    if raw[0] in "\"'":
        value = unquote(raw)
    elif following == ":":
        value = identifier(raw)
    else:
        literal = raw if raw in _LITERALS else _number(raw)
        if literal is None:
            raise _error(text, at, f"{raw[:40]!r} is no value")
        return literal
    if value is None:
        raise _error(text, at, "a text with a bad escape or line end" if raw[0] in "\"'" else f"{raw[:40]!r} is no key")
    return json.dumps(value)


def _number(raw: str) -> str | None:
    found = _NUMBER.match(raw)
    if not found:
        return None
    sign = "-" if found["sign"] == "-" else ""
    if found["name"]:
        return "NaN" if found["name"] == "NaN" else sign + found["name"]
    if found["hex"]:
        if len(raw) > _LONGEST:
            return None
        return sign + str(int(found["hex"], 16))
    if (not found["whole"] and not found["part"]) or (found["part"] and not found["dot"]):
        return None
    part = f".{found['part'] or '0'}" if found["dot"] else ""
    return sign + (found["whole"] or "0") + part + (found["power"] or "")


def _unescape(part: str) -> str:
    if part[0] != "\\":
        return part
    if part[1] in _CONTINUED:
        return ""
    if part[1] in "ux":
        digits = part[2:]
        return chr(int(digits, 16))
    return _ESCAPES.get(part[1], part[1])


def _join_surrogates(value: str) -> str:
    """Two escapes that are one character, as one."""
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _error(text: str, at: int, why: str) -> ParseError:
    line, column = position(text, at)
    what = f"not valid JSON5: {why}"
    return ParseError(what, where=f"line {line}, column {column}", remedy=EDIT_BY_HAND, line=line, column=column)
