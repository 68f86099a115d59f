"""Where things stand in a JSON text that is known to parse: a scanner that skips all that is not on the path.

Values are jumped over bracket by bracket with compiled patterns, so only the containers on the path are taken apart.
"""

import json
from typing import NamedTuple

from agent_connector.documents.brackets import Box, Item
from agent_connector.documents.json5_values import identifier, unquote
from agent_connector.documents.json_syntax import Syntax
from agent_connector.documents.lines import position, start_of
from agent_connector.documents.paths import END, Path, Place, Step, show
from agent_connector.errors import DuplicateKeyError


class Walk(NamedTuple):
    """How far a path goes in a text: the boxes that were entered and the item found in each.

    `blocked` is the offset of a value that the next step cannot enter, else -1.
    """

    place: Place
    boxes: tuple[Box, ...]
    hits: tuple[Item, ...]
    blocked: int

    @property
    def whole(self) -> bool:
        """True when every step of the path is there."""
        return len(self.hits) == len(self.place)


def root_at(text: str, syntax: Syntax) -> int:
    """The offset of the text's value, or of its end when it has none."""
    return _after(syntax, text, start_of(text))


def value_end(text: str, syntax: Syntax, at: int) -> int:
    """The end of the value at `at`."""
    if text[at] not in "{[":
        found = syntax.string.match(text, at) or syntax.scalar.match(text, at)
        return found.end() if found else at
    depth = 0
    while True:
        depth += 1 if text[at] in "{[" else -1
        if not depth:
            return at + 1
        found = syntax.to_bracket.match(text, at + 1)
        at = found.end() if found else at + 1


def box(text: str, syntax: Syntax, at: int) -> Box:
    """The container whose bracket opens at `at`."""
    items: list[Item] = []
    keyed = text[at] == "{"
    start = _after(syntax, text, at + 1)
    while text[start] not in "}]":
        key, value = None, start
        if keyed:
            found = syntax.string.match(text, start) or syntax.scalar.match(text, start)
            key_end = found.end() if found else start
            key = _key(text[start:key_end], syntax)
            value = _after(syntax, text, _after(syntax, text, key_end) + 1)
        end = value_end(text, syntax, value)
        comma = _after(syntax, text, end)
        if text[comma] != ",":
            items.append(Item(key, start, value, end, -1))
            return Box(at, comma, items)
        items.append(Item(key, start, value, end, comma))
        start = _after(syntax, text, comma + 1)
    return Box(at, start, items)


def walk(text: str, syntax: Syntax, path: Path, *, adding: bool) -> Walk:
    """Follow `path` as far as it goes. END is one past the last element when `adding`, else the last one."""
    boxes: list[Box] = []
    hits: list[Item] = []
    place: list[str | int] = []
    at = root_at(text, syntax)
    blocked = -1
    for step in path:
        if len(hits) < len(place) or blocked >= 0 or at >= len(text):
            place.append(0 if step is END else step)
        elif text[at] != ("{" if isinstance(step, str) else "["):
            blocked = at
            place.append(0 if step is END else step)
        else:
            boxes.append(box(text, syntax, at))
            key, item = _find(text, boxes[-1], step, path[: len(place) + 1], adding)
            place.append(key)
            if item:
                hits.append(item)
                at = item.value
    return Walk(tuple(place), tuple(boxes), tuple(hits), blocked)


def _find(text: str, inside: Box, step: Step, path: Path, adding: bool) -> tuple[str | int, Item | None]:
    items = inside.items
    if not isinstance(step, str):
        index = (len(items) if adding else len(items) - 1) if step is END else step
        return index, items[index] if 0 <= index < len(items) else None
    found = [item for item in items if item.key == step]
    if len(found) > 1:
        line, column = position(text, found[1].start)
        first = position(text, found[0].start)[0]
        raise DuplicateKeyError(
            f"{show(path)} stands there twice, first in line {first}",
            where=f"line {line}",
            remedy="Keep one of the two by hand, then run the command again.",
            line=line,
            column=column,
        )
    return step, found[0] if found else None


def _key(raw: str, syntax: Syntax) -> str | None:
    if raw[0] not in "\"'":
        return identifier(raw)
    if "\\" not in raw:
        return raw[1:-1]
    return unquote(raw) if syntax.json5 else json.loads(raw)


def _after(syntax: Syntax, text: str, at: int) -> int:
    found = syntax.trivia.match(text, at)
    return found.end() if found else at
