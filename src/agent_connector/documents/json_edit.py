"""Reading and editing JSON, JSONC and JSON5 texts in place: one set of functions for the three strictnesses.

Every edit parses the text before, splices, parses the result and compares the two values: what differs is our path.
"""

from dataclasses import dataclass
from typing import Any

from agent_connector.documents import paths
from agent_connector.documents.brackets import Box, Brackets, Item
from agent_connector.documents.json_render import look_of, member, render
from agent_connector.documents.json_spans import Walk, root_at, value_end, walk
from agent_connector.documents.json_syntax import Syntax
from agent_connector.documents.json_values import load
from agent_connector.documents.lines import Edit, indent_at, position, splice, start_of
from agent_connector.documents.paths import MISSING, Path, Place
from agent_connector.errors import ParseError

_BREAKS = ("\n", "\r")


@dataclass(frozen=True, slots=True)
class Json:
    """The functions of `documents.formats.Format` for one strictness."""

    syntax: Syntax

    def load(self, text: str) -> Any:
        """The whole value; {} when the text holds none."""
        value = load(text, self.syntax)
        return {} if value is MISSING else value

    def get(self, text: str, path: Path) -> Any:
        """The value at `path`, or MISSING."""
        value = load(text, self.syntax)
        way = self._walk(text, path, adding=False)
        return paths.walk(value, way.place) if value is not MISSING and way.whole else MISSING

    def missing_parents(self, text: str, path: Path) -> tuple[Place, ...]:
        """The places that `put` would create to reach `path`, outermost first: () when there is no value at all."""
        if load(text, self.syntax) is MISSING:
            return tuple(_settled(path)[:length] for length in range(len(path)))
        way = self._walk(text, path, adding=True)
        return tuple(way.place[:length] for length in range(len(way.hits) + 1, len(path)))

    def put(self, text: str, path: Path, value: Any) -> str:
        """The text with `value` at `path`, its missing parents made."""
        value = paths.plain(value)
        before = load(text, self.syntax)
        if before is MISSING:
            place = _settled(path)
            whole = paths.nest(place, value)
            return self._checked(self._created(text, whole), whole, place, value)
        way = self._walk(text, path, adding=True)
        if way.whole:
            if paths.same(paths.walk(before, way.place), value):
                return text
            edits = self._replace(text, way, value)
        else:
            edits = self._insert(text, way, value)
        return self._checked(splice(text, edits), paths.with_put(before, way.place, value), way.place, value)

    def drop(self, text: str, path: Path) -> str:
        """The text without what is at `path`; () takes the whole value away."""
        before = load(text, self.syntax)
        if before is MISSING:
            return text
        way = self._walk(text, path, adding=False)
        if not way.whole:
            return text
        if not path:
            return self._checked(self._emptied(text), MISSING, ())
        box = way.boxes[-1]
        edits = self._brackets.cut(text, box, box.items.index(way.hits[-1]))
        return self._checked(splice(text, edits), paths.with_drop(before, way.place), way.place)

    @property
    def _brackets(self) -> Brackets:
        return Brackets(self.syntax.comment)

    def _walk(self, text: str, path: Path, *, adding: bool) -> Walk:
        """Follow `path`; a value of the wrong kind on the way is an error where something is to be added."""
        way = walk(text, self.syntax, path, adding=adding)
        if way.blocked >= 0 and (adding or not way.hits):
            value = load(text[way.blocked : value_end(text, self.syntax, way.blocked)], self.syntax)
            depth = len(way.hits) + 1
            raise paths.wrong_kind(path[:depth], paths.kind(value), *position(text, way.blocked))
        if adding and not way.whole and isinstance(step := way.place[len(way.hits)], int) and way.boxes:
            length = len(way.boxes[-1].items)
            if step != length:
                raise paths.beyond(path[: len(way.hits) + 1], length)
        return way

    def _replace(self, text: str, way: Walk, value: Any) -> list[Edit]:
        look = look_of(text, self.syntax, way.boxes)
        if not way.hits:
            start = root_at(text, self.syntax)
            return [(start, value_end(text, self.syntax, start), render(value, look, "", lines=True))]
        item = way.hits[-1]
        one_line = text[item.value] in "{[" and item.end - item.value > len("{}")  # and so it stays
        lines = _spans_lines(text, item) or (not one_line and _leads_line(text, way.boxes[-1], item))
        return [(item.value, item.end, render(value, look, indent_at(text, item.start), lines=lines))]

    def _insert(self, text: str, way: Walk, value: Any) -> list[Edit]:
        look = look_of(text, self.syntax, way.boxes)
        box, depth = way.boxes[-1], len(way.hits)
        spread = depth == 0 or _leads_line(text, way.boxes[-2], way.hits[-1])
        spot = self._brackets.spot(text, box, spread=spread, unit=look.unit, newline=look.newline, gap=look.gap)
        # In `[{` ... `}]` the elements hug their brackets: the new one opens over lines as its neighbour does.
        lines = spot.own_line or (bool(box.items) and _spans_lines(text, box.items[-1]))
        rendered = render(paths.nest(way.place[depth + 1 :], value), look, spot.indent, lines=lines)
        return spot.edits(member(way.place[depth], rendered, look))

    def _created(self, text: str, value: Any) -> str:
        """`value` behind a text of blanks and comments; where that ends in the middle of a line, so does the result."""
        look = look_of(text, self.syntax, ())
        rendered = render(value, look, "", lines=True)
        ended = len(text) == start_of(text) or text.endswith(_BREAKS)
        return text + rendered + look.newline if ended else text + look.newline + rendered

    def _emptied(self, text: str) -> str:
        """The text without its value: the inverse of `_created`."""
        start = root_at(text, self.syntax)
        before, behind = text[:start], text[value_end(text, self.syntax, start) :]
        for newline in ("\r\n", "\n", "\r"):
            if behind.startswith(newline):
                return before + behind[len(newline) :]
        for newline in ("\r\n", "\n", "\r"):
            if not behind and before.endswith(newline):
                return before[: -len(newline)]
        return before + behind

    def _checked(self, text: str, expected: Any, place: Place, value: Any = MISSING) -> str:
        """`text`, when it says what is expected: `==` takes 1 for true, so a value that was put is compared by type too."""
        try:
            actual = load(text, self.syntax)
            good = actual == expected and (value is MISSING or paths.same(paths.walk(actual, place), value))
        except ParseError as error:
            raise paths.internal(place) from error
        except RecursionError:
            raise ParseError(f"{self.syntax.title} nested too deeply", remedy=paths.EDIT_BY_HAND) from None
        if not good:
            raise paths.internal(place)
        return text


def _settled(path: Path) -> Place:
    return tuple(0 if step is paths.END else step for step in path)


def _leads_line(text: str, box: Box, item: Item) -> bool:
    """True when the element stands on a line of its own, and not behind its bracket or neighbour."""
    index = box.items.index(item)
    lead = text[box.items[index - 1].end if index else box.open : item.start]
    return "\n" in lead or "\r" in lead


def _spans_lines(text: str, item: Item) -> bool:
    return text[item.value] in "{[" and ("\n" in text[item.value : item.end] or "\r" in text[item.value : item.end])
