"""Adding to and cutting from what stands in brackets: JSON's objects and lists, TOML's and YAML's inline ones.

The two are each other's inverse byte for byte. For that, an addition goes directly behind the last element or the
last comment, so that all blanks between those and the new element are ours to cut; and an empty bracket keeps its
blanks on the side where the cut leaves them alone.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from agent_connector.documents.lines import Edit, first_on_line, indent_at

_LINE_ENDS = ("\n", "\r", "\u2028", "\u2029")
_LAST_BREAK = re.compile(r"(?:\r\n|\n|\r)[^\n\r]*\Z")
_BREAK = re.compile(r"\r\n|[\n\r\u2028\u2029]")


class Item(NamedTuple):
    """An element: its key (None in a list), where it, its value and its end are, and its comma (-1: none)."""

    key: str | None
    start: int
    value: int
    end: int
    comma: int


class Box(NamedTuple):
    """A bracketed container: the offsets of its brackets and its elements."""

    open: int
    close: int
    items: Sequence[Item]


class Spot(NamedTuple):
    """Where and how an element is added: what surrounds it, its indentation, and the comma that must be set before."""

    at: int
    before: str
    after: str
    comma: int
    own_line: bool
    indent: str

    def edits(self, element: str) -> list[Edit]:
        """The edits that add `element`."""
        edits: list[Edit] = [(self.at, self.at, self.before + element + self.after)]
        # A comma at the same offset must come first, so the two are one edit.
        if self.comma == self.at:
            return [(self.at, self.at, "," + edits[0][2])]
        return edits if self.comma < 0 else [(self.comma, self.comma, ","), *edits]


class Brackets(NamedTuple):
    """How a format writes comments between the elements (None: it has none)."""

    comment: re.Pattern[str] | None

    def _last_comment(self, text: str, start: int, end: int) -> tuple[int, bool]:
        """Where the last comment in the blanks and comments `text[start:end]` ends (else -1); does it need a line end?"""
        found = list(self.comment.finditer(text, start, end)) if self.comment else []
        return (found[-1].end(), not found[-1].group().startswith("/*")) if found else (-1, False)

    def spot(self, text: str, box: Box, *, spread: bool, unit: str, newline: str, gap: str) -> Spot:
        """Where the next element goes. `spread`: a bracket with nothing at all in it is opened over lines."""
        return (
            self._after_last(text, box, unit, newline, gap)
            if box.items
            else self._first(text, box, spread, unit, newline)
        )

    def _after_last(self, text: str, box: Box, unit: str, newline: str, gap: str) -> Spot:
        last = box.items[-1]
        lead = text[box.items[-2].comma + 1 if len(box.items) > 1 else box.open + 1 : last.start]
        behind = last.comma + 1 if last.comma >= 0 else last.end
        comment, open_ended = self._last_comment(text, behind, box.close)
        at = comment if comment >= 0 else behind
        own_line = open_ended or _has_break(lead)
        indent = indent_at(text, last.start)
        if own_line and not first_on_line(text, last.start):
            indent = indent_at(text, box.open) + unit
        if not own_line and len(box.items) > 1 and not lead.strip(" "):
            gap = lead
        trailing = last.comma >= 0
        before = newline + indent if own_line else gap
        return Spot(at, before, "," if trailing else "", -1 if trailing else last.end, own_line, indent)

    def _first(self, text: str, box: Box, spread: bool, unit: str, newline: str) -> Spot:
        inside = text[box.open + 1 : box.close]
        outer = indent_at(text, box.open)
        comment, _ = self._last_comment(text, box.open + 1, box.close)
        if comment >= 0:
            if _has_break(text[comment : box.close]):
                return Spot(comment, newline + outer + unit, "", -1, True, outer + unit)
            return Spot(comment, " ", "", -1, False, outer)
        if _has_break(inside) or (spread and not inside):
            # A lone CR before our LF would read as one line ending, and the cut would take both.
            newline = "\r\n" if inside.endswith("\r") and newline == "\n" else newline
            closing = indent_at(text, box.close) if inside else outer
            return Spot(box.close, newline + outer + unit, newline + closing, -1, True, outer + unit)
        return Spot(box.close, "", inside, -1, False, outer)

    def cut(self, text: str, box: Box, index: int) -> list[Edit]:
        """The edits that take the element at `index` out, with its comma and the blanks that were its own."""
        if len(box.items) == 1:
            edits = self._cut_only(text, box)
        elif index == len(box.items) - 1:
            edits = self._cut_last(text, box)
        else:
            edits = self._cut_inner(text, box, index)
        return [edit for edit in edits if edit[0] < edit[1]]

    def _cut_only(self, text: str, box: Box) -> list[Edit]:
        item = box.items[0]
        edits: list[Edit] = [(item.comma, item.comma + 1, "")] if item.comma >= 0 else []
        comment, _ = self._last_comment(text, box.open + 1, item.start)
        if comment >= 0:
            return [(self._tail(text, box.open + 1, item), item.end, ""), *edits]
        found = _LAST_BREAK.search(text, box.open + 1, item.start)
        edits.append((found.start() if found else item.start, item.end, ""))
        behind = item.comma + 1 if item.comma >= 0 else item.end
        if self._last_comment(text, behind, box.close)[0] < 0:
            edits.append((behind, box.close, ""))
        return edits

    def _cut_last(self, text: str, box: Box) -> list[Edit]:
        item, before = box.items[-1], box.items[-2]
        comma = item.comma if item.comma >= 0 else before.comma
        return [(comma, comma + 1, ""), (self._tail(text, before.comma + 1, item), item.end, "")]

    def _cut_inner(self, text: str, box: Box, index: int) -> list[Edit]:
        item, following = box.items[index], box.items[index + 1]
        lead = box.items[index - 1].comma + 1 if index else box.open + 1
        start = self._tail(text, lead, item)
        if index == 0 and self._last_comment(text, lead, item.start)[0] < 0:
            if self._last_comment(text, item.comma, following.start)[0] < 0:
                # The next one takes the first one's place, with the blanks that stood before that.
                return [(item.start, item.end, ""), (item.comma, following.start, "")]
            found = _LAST_BREAK.search(text, lead, item.start)
            start = found.start() if found else item.start
        return [(start, item.end, ""), (item.comma, item.comma + 1, "")]

    def _tail(self, text: str, lead: int, item: Item) -> int:
        """Where the blanks before an element may be cut from: the last comment stays, and so does its line end."""
        comment, open_ended = self._last_comment(text, lead, item.start)
        if comment < 0:
            return lead
        behind = item.end + 1 if item.comma == item.end else item.end
        found = _BREAK.search(text, comment, item.start) if open_ended else None
        return found.end() if found and not text.startswith(_LINE_ENDS, behind) else comment


def _has_break(text: str) -> bool:
    return _BREAK.search(text) is not None
