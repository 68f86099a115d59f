"""Managed blocks in Markdown files that people own: added, updated in place and taken out, the rest byte for byte.

    <!-- agent-connector:begin acme-db/guide hash=0123456789ab -->
    <!-- Managed by agent-connector. Do not edit: ... -->
    The author's text.
    <!-- agent-connector:end acme-db/guide -->

A block that a person changed is left as it is unless `force` is said. Duplicates become one; a marker that lost its
partner is taken out together with what surely was ours.
"""

import re
from collections.abc import Iterable

from agent_connector.documents.lines import line_end, newline_of, splice, start_of
from agent_connector.documents.markdown_marks import (
    MARKER,
    NAME,
    NOTE,
    Block,
    blocks,
    digest,
    has_line,
    lines,
    normal,
    normal_ends,
    open_fence,
)
from agent_connector.errors import DocumentError

__all__ = ["Block", "blocks", "drop_block", "find", "has_line", "put_block"]

_BLANK_LINES_BEFORE = re.compile(r"\A(?:[ \t]*\n)+")


def find(text: str, name: str) -> Block | None:
    """The first block of that name (a whole one before a lone one)."""
    named = [block for block in blocks(text) if block.name == name]
    return min(named, key=lambda block: block.lone, default=None)


def put_block(text: str, name: str, body: str, *, force: bool = False) -> str:
    """The text with the block `name` ("<id>/<name>") holding `body`: in place where it stands, else at the end.

    The same text when it already says so, or when a person changed the block and `force` is not said.
    """
    content = _checked(name, body)
    kept = find(text, name)
    if kept is None:
        return _added(text, name, content)
    if kept.edited and not force:
        return text
    others = [block for block in blocks(text) if block.name == name and block.start != kept.start]
    text = _without(text, [block for block in others if force or not block.edited])
    kept = find(text, name) or kept
    if not kept.lone and kept.text == normal(content) and not kept.edited:
        return text
    newline = newline_of(text)
    end = newline if text[kept.end - 1] in "\r\n" else ""
    return splice(text, [(kept.start, kept.end, newline.join(_lines_of(name, content)) + end)])


def drop_block(text: str, name: str, *, force: bool = False) -> str:
    """The text without the blocks of that name; a block that a person changed stays unless `force` is said."""
    named = (block for block in blocks(text) if block.name == name)
    return _without(text, [block for block in named if force or not block.edited])


def _checked(name: str, body: str) -> str:
    """The body as it is written, LF line endings; a body that would break its own block is an error."""
    if not NAME.match(name):
        raise DocumentError(f"{name!r} is no name of a block", remedy='Name it "<connector id>/<name>".')
    content = _BLANK_LINES_BEFORE.sub("", normal_ends(body)).rstrip()
    if any(MARKER.match(line.text) for line in lines(content)):
        raise DocumentError(f"the text of {name} holds a line that is a marker of agent-connector", where=name)
    if open_fence(content) >= 0:
        raise DocumentError(f"the text of {name} opens a code fence that it does not close", where=name)
    return content


def _lines_of(name: str, content: str) -> Iterable[str]:
    begin = f"<!-- agent-connector:begin {name} hash={digest(content)} -->"
    return (begin, NOTE, *(content.split("\n") if content else ()), f"<!-- agent-connector:end {name} -->")


def _added(text: str, name: str, content: str) -> str:
    """A new block behind a blank line at the end; before a code fence that never closes, for in it it would be text."""
    newline = newline_of(text)
    block = newline.join(_lines_of(name, content))
    fence = open_fence(text)
    at = fence if fence >= 0 else len(text)
    if at == start_of(text):
        return splice(text, [(at, at, block + newline)])
    if text[at - 1] in "\r\n":
        if text[at - 1] == "\r" and newline == "\n":
            newline = "\r\n"  # behind a lone CR our LF would read as one line ending with it
        return splice(text, [(at, at, newline + block + newline)])
    return text + newline + newline + block


def _without(text: str, gone: Iterable[Block]) -> str:
    """The inverse of `_added` for each block: with its blank line and, at an end without one, the line end before it."""
    for block in sorted(gone, key=lambda block: block.start, reverse=True):
        start, end = _before_blank_line(text, block.start), block.end
        if start == start_of(text) and text[end : end + 1] in ("\r", "\n"):
            end = line_end(text, end)  # the blank line of the next block, which is the first now
        if block.end == len(text) and text[-1] not in "\r\n" and start > start_of(text):
            start -= 2 if text.endswith("\r\n", 0, start) else 1
        text = text[:start] + text[end:]
    return text


def _before_blank_line(text: str, start: int) -> int:
    """The beginning of the empty line before `start`, else `start`."""
    for newline in ("\r\n", "\n", "\r"):
        if text.endswith(newline, 0, start):
            above = start - len(newline)
            return above if above > start_of(text) and text[above - 1] in "\r\n" else start
    return start
