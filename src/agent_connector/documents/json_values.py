"""A JSON text's value in one of the three strictnesses, or where it does not parse.

The standard library's scanner does the reading: comments and trailing commas are blanked out before it, at the same
offsets, and what only JSON5 has is written in strict JSON (`json5_values`).
"""

import json
import re
from typing import Any

from agent_connector.documents.json5_values import to_strict
from agent_connector.documents.json_syntax import JSONC, STRICT, Syntax
from agent_connector.documents.lines import position, start_of
from agent_connector.documents.paths import EDIT_BY_HAND, MISSING
from agent_connector.errors import ParseError

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_TO_COMMENT = re.compile(rf'(?:[^"/]++|{_STRING}|/(?![/*]))*+', re.DOTALL)
_NO_BREAK = re.compile(r"[^\r\n]")
_TRAILING = re.compile(r",(?=[ \t\r\n]*+[\]}])")
_TO_TRAILING = re.compile(rf'(?:[^",]++|{_STRING}|,(?![ \t\r\n]*+[\]}}]))*+', re.DOTALL)
_TO_CONSTANT = re.compile(rf'(?:[^"IN]++|{_STRING})*+', re.DOTALL)
_LINE_ENDS5 = re.compile("[\u2028\u2029]")
_NAN = float("nan")
_CONSTANTS = {"NaN": _NAN, "Infinity": float("inf"), "-Infinity": float("-inf")}


def load(text: str, syntax: Syntax) -> Any:
    """The value of `text`, MISSING when it holds none at all; ParseError when it does not parse."""
    if not text[start_of(text) :].strip(" \t\r\n"):
        return MISSING
    try:
        return _load(text, syntax)
    except RecursionError:
        raise ParseError(f"not readable {syntax.title}: nested too deeply", remedy=EDIT_BY_HAND) from None


def _load(text: str, syntax: Syntax) -> Any:
    if syntax is STRICT:
        return _strict(text, text, syntax)
    if not syntax.json5:
        return _relaxed(text, syntax)
    if not _LINE_ENDS5.search(text):  # these end a comment in JSON5 alone; else JSONC reads the same, and faster
        try:
            return _relaxed(text, syntax)
        except ParseError:
            pass
    strict, offsets = to_strict(text)
    return _decode(text, strict, syntax, offsets) if strict else MISSING


def _strict(text: str, source: str, syntax: Syntax) -> Any:
    try:
        return _decode(text, source, syntax)
    except ParseError as error:
        try:
            _relaxed(text, JSONC)
        except (ParseError, RecursionError):
            raise error from None
        error.remedy = "This file is read as strict JSON: take out its comments and trailing commas by hand."
        raise


def _relaxed(text: str, syntax: Syntax) -> Any:
    source = _without_trailing(text, _without_comments(text), syntax)
    if not source[start_of(source) :].strip(" \t\r\n"):
        return MISSING
    return _decode(text, source, syntax)


def _without_comments(text: str) -> str:
    """`text` with each comment as blanks, so that every offset stays."""
    pieces: list[str] = []
    at = 0
    while found := _TO_COMMENT.match(text, at):
        start = found.end()
        comment = JSONC.comment.match(text, start) if JSONC.comment else None
        pieces.append(text[at:start])
        if comment is None:
            return "".join((*pieces, text[start:]))
        pieces.append(_NO_BREAK.sub(" ", comment.group()))
        at = comment.end()
    return text


def _without_trailing(text: str, source: str, syntax: Syntax) -> str:
    """`source` with each trailing comma as a blank; a comma that follows no element is an error."""
    if not _TRAILING.search(source):
        return source
    pieces: list[str] = []
    at = 0
    while (comma := _to_trailing(source, at)) < len(source) and source[comma] == ",":
        before = comma - 1
        while source[before] in " \t\r\n":
            before -= 1
        if source[before] in ",:[{":
            raise _error(text, comma, syntax, "a comma without an element before it")
        pieces += (source[at:comma], " ")
        at = comma + 1
    return "".join((*pieces, source[at:]))


def _to_trailing(source: str, at: int) -> int:
    found = _TO_TRAILING.match(source, at)
    return found.end() if found else len(source)


def _decode(text: str, source: str, syntax: Syntax, offsets: list[tuple[int, int]] | None = None) -> Any:
    """The value of strict `source`; `offsets` leads from places in it to places in `text`."""

    def constant(name: str) -> float:
        if syntax.json5:
            return _CONSTANTS[name]  # one object per name, so that two readings compare as equal
        found = _TO_CONSTANT.match(text)
        raise _error(text, found.end() if found else 0, syntax, f"{name} is no value here")

    begin = start_of(source)
    try:
        return json.loads(source[begin:], parse_constant=constant)
    except json.JSONDecodeError as error:
        at = error.pos + begin
        if offsets is not None:
            at = max((there for here, there in offsets if here <= at), default=0)
        raise _error(text, at, syntax, error.msg[:1].lower() + error.msg[1:]) from None
    except ValueError as error:  # an integer of thousands of digits
        raise _error(text, begin, syntax, str(error).partition(";")[0]) from None


def _error(text: str, at: int, syntax: Syntax, why: str) -> ParseError:
    line, column = position(text, at)
    what = f"not valid {syntax.title}: {why}"
    return ParseError(what, where=f"line {line}, column {column}", remedy=EDIT_BY_HAND, line=line, column=column)
