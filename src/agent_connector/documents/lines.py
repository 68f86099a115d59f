"""Lines, line endings and indentation of a text, and the splice: pure functions of text and offsets.

No `str.splitlines`: it also cuts at characters that are no line ends in the formats that we edit.
"""

import re
from collections.abc import Iterable, Sequence

BOM = "\ufeff"
Edit = tuple[int, int, str]  # from, to, what stands there instead

_BREAK = re.compile(r"\r\n|\n|\r")
_BLANK = re.compile(r"[ \t]*")


def newline_of(text: str) -> str:
    """The line ending of the text's first line."""
    found = _BREAK.search(text)
    return found.group() if found else "\n"


def start_of(text: str) -> int:
    """Where the content begins: after a byte order mark."""
    return 1 if text.startswith(BOM) else 0


def line_start(text: str, at: int) -> int:
    """The offset of the first character of the line that holds `at` (a byte order mark is no part of it)."""
    return max(text.rfind("\n", 0, at) + 1, text.rfind("\r", 0, at) + 1, start_of(text) if at else 0)


def line_end(text: str, at: int) -> int:
    """The offset after the line that holds `at`, its line ending included."""
    found = _BREAK.search(text, at)
    return found.end() if found else len(text)


def indent_at(text: str, at: int) -> str:
    """The blanks at the beginning of the line that holds `at`."""
    found = _BLANK.match(text, line_start(text, at))
    return found.group()[: at - found.start()] if found else ""


def first_on_line(text: str, at: int) -> bool:
    """True when only blanks stand before `at` on its line."""
    return not text[line_start(text, at) : at].strip(" \t")


def position(text: str, at: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1."""
    start = line_start(text, at)
    breaks = text.count("\n", 0, at) + text.count("\r", 0, at) - text.count("\r\n", 0, at)
    return breaks + 1, at - start + 1


def splice(text: str, edits: Iterable[Edit]) -> str:
    """`text` with each edit carried out; edits do not overlap."""
    pieces: list[str] = []
    done = 0
    for start, end, new in sorted(edits):
        pieces += (text[done:start], new)
        done = max(done, end)
    return "".join((*pieces, text[done:]))


def insert_lines(text: str, at: int, lines: Sequence[str]) -> str:
    """`text` with whole lines at a line's beginning; behind a last line without an end, they have none either."""
    newline = newline_of(text)
    block = newline.join(lines)
    ended = at == start_of(text) or text[at - 1] in "\r\n"
    return splice(text, [(at, at, block + newline if ended else newline + block)])


def line_cuts(text: str, spans: Iterable[tuple[int, int]], *, keep_end: bool = False) -> list[Edit]:
    """Cuts of whole lines, neighbours as one: the inverse of `insert_lines`.

    A last line without an end gives that to the line before it, unless that must `keep_end`.
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and joined[-1][1] >= start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    if joined and not keep_end and joined[-1][1] == len(text) and not text.endswith(("\n", "\r")):
        start = joined[-1][0]
        for newline in ("\r\n", "\n", "\r"):
            if text.endswith(newline, start_of(text), start):
                joined[-1] = (start - len(newline), len(text))
                break
    return [(start, end, "") for start, end in joined]
