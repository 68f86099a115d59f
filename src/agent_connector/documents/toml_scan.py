"""Where things stand in a TOML text that is known to parse: its sections, their pairs, and what inline values hold.

`tomlkit` gives no offsets and takes ten times as long as `tomllib`, so the text is scanned here: once `tomllib` has
said that it is TOML, a few patterns find every statement.
"""

import re
import tomllib
from typing import NamedTuple

from agent_connector.documents.brackets import Box, Item
from agent_connector.documents.lines import start_of
from agent_connector.documents.paths import Place

_BASIC = r'"(?:[^"\\\n]++|\\.)*+"'
_STRING = (
    r'"""(?:[^"\\]++|\\.|"(?!""))*+"""(?:"{0,2})|'
    r"'''(?:[^']++|'(?!''))*+'''(?:'{0,2})|" + _BASIC + r"|'[^'\n]*+'"
)
COMMENT = re.compile(r"#[^\r\n]*+")
_TRIVIA = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+")
_BLANK = re.compile(r"[ \t]*+")
_SKIP = re.compile(rf"(?:[^\"'#{{}}\[\]]++|{_STRING}|#[^\r\n]*+)*+", re.DOTALL)
_KEY = re.compile(rf"{_BASIC}|'[^'\n]*+'|[A-Za-z0-9_-]++", re.DOTALL)
_QUOTED = re.compile(_STRING, re.DOTALL)
_SCALAR = re.compile(r"[^,\]}#\r\n]*[^,\]}#\r\n \t]")


class Pair(NamedTuple):
    """A `key = value`: its place in the whole document, and where key, value and value's end are."""

    place: Place
    start: int
    value: int
    end: int


class Section(NamedTuple):
    """A header and its pairs; the first section has no header and begins where the content does."""

    place: Place
    array: bool
    start: int
    head_end: int
    pairs: list[Pair]

    @property
    def end(self) -> int:
        """The end of the last statement."""
        return self.pairs[-1].end if self.pairs else self.head_end


def scan(text: str) -> list[Section]:
    """Every section with its pairs, in the order of the text."""
    begin = start_of(text)
    sections = [Section((), False, begin, begin, [])]
    counts: dict[Place, int] = {}
    at = _after(_TRIVIA, text, begin)
    while at < len(text):
        if text[at] == "[":
            sections.append(_header(text, at, counts))
            at = sections[-1].head_end
        else:
            keys, equals = _keys(text, at)
            value = _after(_BLANK, text, equals + 1)
            end = value_end(text, value)
            sections[-1].pairs.append(Pair((*sections[-1].place, *keys), at, value, end))
            at = end
        at = _after(_TRIVIA, text, at)
    return sections


def value_end(text: str, at: int) -> int:
    """The end of the value at `at`."""
    if text[at] not in "{[":
        return _after(_QUOTED if text[at] in "\"'" else _SCALAR, text, at)
    depth = 0
    while True:
        depth += 1 if text[at] in "{[" else -1
        if not depth:
            return at + 1
        at = _after(_SKIP, text, at + 1)


def box(text: str, at: int) -> tuple[Box, list[tuple[str, ...]]]:
    """The inline table or array whose bracket opens at `at`, and the keys of its elements (several when dotted)."""
    items: list[Item] = []
    dotted: list[tuple[str, ...]] = []
    keyed = text[at] == "{"
    start = _after(_TRIVIA, text, at + 1)
    while text[start] not in "}]":
        keys, value = _keys(text, start) if keyed else ((), start)
        value = _after(_TRIVIA, text, value + 1) if keyed else value
        end = value_end(text, value)
        following = _after(_TRIVIA, text, end)
        comma = following if text[following] == "," else -1
        items.append(Item(".".join(keys) if keyed else None, start, value, end, comma))
        dotted.append(keys)
        start = following if comma < 0 else _after(_TRIVIA, text, comma + 1)
    return Box(at, start, items), dotted


def _header(text: str, at: int, counts: dict[Place, int]) -> Section:
    array = text.startswith("[[", at)
    keys, closing = _keys(text, at + (2 if array else 1))
    place: Place = ()
    for number, key in enumerate(keys):
        place = (*place, key)
        if array and number == len(keys) - 1:
            counts[place] = counts.get(place, -1) + 1
        if place in counts:
            place = (*place, counts[place])
    return Section(place, array, at, closing + (2 if array else 1), [])


def _keys(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """The parts of a dotted key, and the offset of what follows it (`=` or `]`)."""
    keys: list[str] = []
    while True:
        at = _after(_BLANK, text, at)
        end = _after(_KEY, text, at)
        raw = text[at:end]
        keys.append(tomllib.loads(f"k = {raw}")["k"] if "\\" in raw else raw[1:-1] if raw[0] in "\"'" else raw)
        at = _after(_BLANK, text, end)
        if text[at] != ".":
            return tuple(keys), at
        at += 1


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
