"""Where a TOML text is cut and where new lines go: pure functions of the text and its sections.

What is added as lines can be cut again byte for byte: a section brings the blank line before it and takes it along; a
text whose last line has no end keeps having none.
"""

import re
from collections.abc import Sequence
from typing import Any

from agent_connector.documents import toml_render as write
from agent_connector.documents.brackets import Box, Brackets, Item
from agent_connector.documents.lines import (
    indent_at,
    insert_lines,
    line_cuts,
    line_end,
    line_start,
    newline_of,
    position,
    splice,
    start_of,
)
from agent_connector.documents.paths import EDIT_BY_HAND, Place, show
from agent_connector.documents.toml_scan import COMMENT, Pair, Section, box
from agent_connector.errors import DocumentError

_BRACKETS = Brackets(COMMENT)
_COMMENT_LINES = re.compile(r"(?:[ \t]*+#[^\n]*+(?:\n|\Z))*+")
_BLANK_LINE = re.compile(r"[ \t]*+(?:\r?\n|\Z)")
_AFTER_VALUE = re.compile(r"[ \t]*+(?=#)")
_UNIT = re.compile(r"\n([ \t]+)[^\s]")


def pair_over(sections: Sequence[Section], place: Place) -> Pair | None:
    """The pair whose value is or holds what is at `place`."""
    for section in sections:
        for pair in section.pairs:
            if place[: len(pair.place)] == pair.place:
                return pair
    return None


def line_of(text: str, sections: Sequence[Section], place: Place) -> tuple[int, int]:
    """Line and column of the first statement that makes `place`."""
    pair = pair_over(sections, place)
    starts = [s.start for s in sections if s.place[: len(place)] == place]
    starts += [p.start for s in sections for p in s.pairs if p.place[: len(place)] == place]
    return position(text, pair.start if pair else min(starts, default=0))


def replace_inline(text: str, pair: Pair, place: Place, value: Any) -> str:
    """The text with another value at `place`, which `pair` is or holds."""
    start, end = pair.value, pair.end
    for _, item in _descend(text, pair, place):
        start, end = item.value, item.end
    return splice(text, [(start, end, write.inline(value))])


def insert(text: str, sections: Sequence[Section], parent: Place, key: str | int, value: Any) -> str:
    """The text with `value` as the new child `key` of `parent`, which exists."""
    pair = pair_over(sections, parent)
    if pair:
        return _insert_inline(text, pair, parent, key, value)
    names = tuple(step for step in parent if isinstance(step, str))
    if isinstance(key, int):
        if not write.is_table(value):
            raise DocumentError(f"{show(parent)} is a list of tables: only a table can be added to it")
        return _insert_sections(text, sections, parent, write.sections(names, value, array=True))
    if write.is_table(value) or write.is_tables(value):
        return _insert_sections(text, sections, parent, write.nested((*names, key), value))
    return _insert_pair(text, sections, (*parent, key), value)


def cut(text: str, sections: Sequence[Section], place: Place) -> str:
    """The text without what is at `place`, which exists."""
    pair = pair_over(sections, place)
    if pair and pair.place != place:
        inside, item = _descend(text, pair, place)[-1]
        return splice(text, _BRACKETS.cut(text, inside, inside.items.index(item)))
    spans: list[tuple[int, int]] = []
    for section in sections:
        if section.head_end > section.start and section.place[: len(place)] == place:
            spans.append((_with_blank_line(text, line_start(text, section.start)), line_end(text, section.end)))
        else:
            spans += [_pair_span(text, sections, p) for p in section.pairs if p.place[: len(place)] == place]
    cuts = line_cuts(text, spans)
    if cuts[0][0] == start_of(text) and not sections[0].pairs and (blank := _BLANK_LINE.match(text, cuts[0][1])):
        cuts[0] = (cuts[0][0], blank.end(), "")  # the blank line of the next section, which is the first now
    return splice(text, cuts)


def _descend(text: str, pair: Pair, place: Place) -> list[tuple[Box, Item]]:
    """The boxes and items that lead from a pair's value to `place`."""
    way: list[tuple[Box, Item]] = []
    at = pair.value
    for step in place[len(pair.place) :]:
        inside, keys = box(text, at)
        index = step if isinstance(step, int) else next((n for n, k in enumerate(keys) if k[0] == step), -1)
        if isinstance(step, str) and len(keys[index]) > 1:
            line, column = position(text, inside.items[index].start)
            what = f"{show(place)} is written with a dotted key in an inline table, which is not edited"
            raise DocumentError(what, where=f"line {line}", remedy=EDIT_BY_HAND, line=line, column=column)
        way.append((inside, inside.items[index]))
        at = inside.items[index].value
    return way


def _insert_inline(text: str, pair: Pair, parent: Place, key: str | int, value: Any) -> str:
    way = _descend(text, pair, parent)
    inside, _ = box(text, way[-1][1].value if way else pair.value)
    unit = _UNIT.search(text)
    newline = newline_of(text)
    spot = _BRACKETS.spot(text, inside, spread=False, unit=unit[1] if unit else "  ", newline=newline, gap=" ")
    element = write.inline(value)
    return splice(text, spot.edits(f"{write.key(key)} = {element}" if isinstance(key, str) else element))


def _insert_sections(text: str, sections: Sequence[Section], parent: Place, new: list[list[str]]) -> str:
    lines = [line for section in new for line in ("", *section)]
    at = _behind(text, sections, parent)
    return insert_lines(text, at, lines if at > start_of(text) else lines[1:])


def _behind(text: str, sections: Sequence[Section], parent: Place) -> int:
    """Behind the last section that says something of `parent`, and behind the comments that close it."""
    if not parent:
        return len(text)
    ends = [
        section.end
        for section in sections
        if section.place[: len(parent)] == parent or any(p.place[: len(parent)] == parent for p in section.pairs)
    ]
    at = line_end(text, ends[-1])
    comments = _COMMENT_LINES.match(text, at)
    closing = comments.end() if comments else at
    return closing if _BLANK_LINE.match(text, closing) else at


def _insert_pair(text: str, sections: Sequence[Section], place: Place, value: Any) -> str:
    home = max((s for s in sections if place[: len(s.place)] == s.place), key=lambda s: len(s.place))
    names = tuple(step for step in place[len(home.place) :] if isinstance(step, str))
    line = f"{write.keys(names)} = {write.inline(value)}"
    if home.pairs:
        last = home.pairs[-1]
        return insert_lines(text, line_end(text, last.end), [indent_at(text, last.start) + line])
    if home.head_end > home.start:
        return insert_lines(text, line_end(text, home.head_end), [indent_at(text, home.start) + line])
    if len(sections) == 1:
        return insert_lines(text, len(text), [line])
    return insert_lines(text, _comments_above(text, sections[1].start), [line, ""])


def _comments_above(text: str, at: int) -> int:
    """The beginning of the comment lines that stand directly above the line of `at`."""
    at = line_start(text, at)
    while at > start_of(text):
        above = line_start(text, at - 1)
        if not text[above:at].lstrip(" \t").startswith("#"):
            break
        at = above
    return at


def _pair_span(text: str, sections: Sequence[Section], pair: Pair) -> tuple[int, int]:
    """A pair's line; a comment behind it stays."""
    comment = _AFTER_VALUE.match(text, pair.end)
    if comment:
        return pair.start, comment.end()
    end = line_end(text, pair.end)
    root = sections[0]
    blank = _BLANK_LINE.match(text, end)
    if len(sections) > 1 and root.pairs == [pair] and blank:
        end = blank.end()  # the line that parts the only pair from the first section
    return line_start(text, pair.start), end


def _with_blank_line(text: str, start: int) -> int:
    for blank in ("\r\n", "\n"):
        if text.endswith("\n" + blank, 0, start):
            return start - len(blank)
    return start
