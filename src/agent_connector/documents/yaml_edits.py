"""Where a YAML text is cut and where new lines go: edits of one container, found by the marks of its nodes."""

import re
from typing import Any

from agent_connector.documents import yaml_render as write
from agent_connector.documents.brackets import Box, Brackets, Item
from agent_connector.documents.lines import (
    first_on_line,
    insert_lines,
    line_cuts,
    line_end,
    line_start,
    newline_of,
    position,
    splice,
)
from agent_connector.documents.paths import EDIT_BY_HAND
from agent_connector.documents.yaml_nodes import Document, Node
from agent_connector.errors import DocumentError

_COMMENT = re.compile(r"#[^\r\n]*+")
_BRACKETS = Brackets(_COMMENT)
_TRIVIA = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+")
_TO_COMMENT = re.compile(r"[ \t]++(?=#)")
_BLANK_LINES = re.compile(r"(?:[ \t]*+(?:\r\n|\n|\r))*+")
_BLANKS = " \t\r\n"


def create(text: str, document: Document, key: str | int, value: Any) -> str:
    """The first entry of a document that holds nothing: behind its comments, before its end mark."""
    return insert_lines(text, document.end, write.entry(key, value, write.look_of(None)))


def insert(text: str, document: Document, box: Node, key: str | int, value: Any) -> str:
    """A new last entry of a map or list."""
    look = write.look_of(document.root)
    if box.flow:
        return _insert_flow(text, box, key, value, look)
    lines = [" " * box.column + line for line in write.entry(key, value, look)]
    leaf = box.last_leaf
    if leaf.style in ("|", ">") and not text.endswith(("\n", "\r"), 0, leaf.end):
        # A line behind a block scalar that ends the file without a line end would give the scalar one.
        return insert_lines(text, line_start(text, _entry_start(text, box, len(box.items) - 1)), lines)
    return insert_lines(text, _line_behind(text, box.end), lines)


def fill(text: str, document: Document, parent: Node, empty: Node, key: str | int, value: Any) -> str:
    """The first entry under a key or dash that has nothing behind it."""
    look = write.look_of(document.root)
    lines = write.entry(key, value, look)
    if parent.flow:
        raise _by_hand(text, empty.start, "a null between brackets is not opened")
    if parent.kind == "map" or empty.start < empty.end:  # behind a dash with an anchor nothing may stand
        deeper = "  " if parent.kind == "seq" else look.unit if isinstance(key, str) else look.dash
        indent = " " * parent.column + deeper
        return insert_lines(text, _line_behind(text, empty.end), [indent + line for line in lines])
    first, *others = lines
    newline = newline_of(text) + " " * (parent.column + 2)
    return splice(text, [(empty.end, empty.end, " " + newline.join((first, *others)))])


def replace(text: str, document: Document, box: Node, index: int, value: Any) -> str:
    """Another value in place of an entry's."""
    key, old = box.items[index]
    is_lines = old.kind in ("map", "seq") and not old.flow
    if box.flow or (not is_lines and (old.flow or not write.is_block(value))):
        blank = "" if old.end > old.start or text[old.start - 1] in _BLANKS else " "
        tail = _line_end_in(text, old.start, old.end)
        return splice(text, [(old.start, old.end, blank + write.inline(value) + tail)])
    look = write.look_of(document.root)
    before = key.end if key else _entry_start(text, box, index) + 1
    lead = text[before : old.start]
    own_line = first_on_line(text, old.start) and "#" in lead  # a comment behind the key stays there
    start = line_start(text, old.start) if own_line else before + len(lead.rstrip(_BLANKS))
    new = _as_value(text, box, value, look, own_line=own_line, keyed=key is not None)
    return splice(text, [(start, old.end, new + _line_end_in(text, start, old.end))])


def cut(text: str, document: Document, box: Node, index: int) -> str:
    """The text without one entry; a block map or list that loses its last one becomes the nothing that it was."""
    if box.flow:
        return splice(text, _BRACKETS.cut(text, _flow_box(text, box), index))
    start, end = _entry_start(text, box, index), _entry_end(box, index)
    if box is document.root and len(box.items) == 1 and document.bound:
        return splice(text, [(start, end, "{}" + _line_end_in(text, start, end))])
    if not first_on_line(text, start):
        if index < len(box.items) - 1:
            return splice(text, [(start, _entry_start(text, box, index + 1), "")])
        return splice(text, [(start - len(text[:start]) + len(text[:start].rstrip(" \t")), end, "")])
    comment = _TO_COMMENT.match(text, end)
    if comment:
        return splice(text, [(start, comment.end(), "")])
    behind = _line_behind(text, end)
    above = box.items[index - 1][1].last_leaf if index else None
    in_block = above is not None and above.style in ("|", ">")
    if above and in_block and "+" in text[above.start : line_end(text, above.start)]:
        behind = _end(_BLANK_LINES, text, behind)  # else they would belong to the text above, which keeps such lines
    return splice(text, line_cuts(text, [(line_start(text, start), behind)], keep_end=in_block))


def _insert_flow(text: str, box: Node, key: str | int, value: Any, look: write.Look) -> str:
    if text[box.begin] not in "{[":
        raise _by_hand(text, box.begin, "a map without braces in a list in brackets is not edited")
    newline = newline_of(text)
    spot = _BRACKETS.spot(text, _flow_box(text, box), spread=False, unit=look.unit, newline=newline, gap=" ")
    element = write.inline(value)
    return splice(text, spot.edits(f"{write.inline(key)}: {element}" if isinstance(key, str) else element))


def _flow_box(text: str, box: Node) -> Box:
    items: list[Item] = []
    start = _after(text, box.begin + 1)
    for key, value in box.items:
        end = max(key.end, value.end) if key else value.end
        following = _after(text, end)
        comma = following if text[following] == "," else -1
        items.append(Item(None, start, value.start, end, comma))
        start = _after(text, comma + 1)
    return Box(box.begin, box.end - 1, items)


def _as_value(text: str, box: Node, value: Any, look: write.Look, *, own_line: bool, keyed: bool) -> str:
    """A value as it stands behind a key or dash, or on the lines below."""
    newline = newline_of(text)
    deeper = look.dash if keyed and isinstance(value, list) and value else look.unit if keyed else "  "
    inner = " " * box.column + deeper
    if not write.is_block(value):
        return (inner if own_line else " ") + write.inline(value)
    lines = (newline + inner).join(write.block(value, look))
    if own_line:
        return inner + lines
    return newline + inner + lines if keyed else " " + lines


def _entry_start(text: str, box: Node, index: int) -> int:
    """The offset of an entry's key, `?` or dash."""
    if index == 0:
        return box.begin
    key, value = box.items[index]
    if key and text[key.start] != "?" and _column(text, key.start) == box.column:
        return key.start
    # Between two entries stand only blanks and comments, then the dash or `?` in the container's column.
    return _after(text, _entry_end(box, index - 1)) if key or value else value.start


def _entry_end(box: Node, index: int) -> int:
    key, value = box.items[index]
    return max(key.end, value.end) if key else value.end


def _line_end_in(text: str, start: int, end: int) -> str:
    """The line ending that a node's text includes: a block scalar's does."""
    return newline_of(text) if text.endswith(("\n", "\r"), start, end) else ""


def _column(text: str, at: int) -> int:
    return at - line_start(text, at)


def _line_behind(text: str, end: int) -> int:
    """The beginning of the line behind a node; a block scalar's end already is one."""
    return end if text.endswith(("\n", "\r"), 0, end) else line_end(text, end)


def _after(text: str, at: int) -> int:
    return _end(_TRIVIA, text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _by_hand(text: str, at: int, why: str) -> DocumentError:
    line, column = position(text, at)
    return DocumentError(why, where=f"line {line}", remedy=EDIT_BY_HAND, line=line, column=column)
