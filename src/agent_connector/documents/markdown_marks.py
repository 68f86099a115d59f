"""Finding managed blocks in a Markdown text: markers, fences, lone markers, and whether a person changed a block."""

import hashlib
import re
from typing import NamedTuple

from agent_connector.documents.lines import line_end, start_of

NOTE = "<!-- Managed by agent-connector. Do not edit: a changed block is no longer updated or removed. -->"

_NOTE_BEGINS = NOTE.partition(". ")[0]

_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)+"
NAME = re.compile(_NAME + r"\Z")
MARKER = re.compile(
    rf"<!-- agent-connector:(?:begin (?P<begin>{_NAME}) hash=(?P<hash>[0-9a-f]{{12}})|end (?P<end>{_NAME})) -->[ \t]*\Z"
)
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})(?P<rest>.*)\Z")
_BREAK = re.compile(r"\r\n?")


class Block(NamedTuple):
    """A managed block. `start` and `end` are the offsets of its whole lines, `hash` is what its marker says.

    `lone`: one of its markers is gone; then `start` and `end` hold what is left of it for certain.
    """

    name: str
    text: str
    hash: str
    start: int
    end: int
    lone: bool = False

    @property
    def edited(self) -> bool:
        """True when a person changed the text between the markers."""
        return not self.lone and digest(self.text) != self.hash


class Line(NamedTuple):
    """A line without its ending, and the offsets of its beginning and of the next line."""

    text: str
    start: int
    end: int


def normal_ends(text: str) -> str:
    """`text` with LF line endings."""
    return _BREAK.sub("\n", text)


def normal(text: str) -> str:
    """`text` with LF line endings and without blanks around it."""
    return normal_ends(text).strip()


def digest(text: str) -> str:
    """The hash that a marker holds: twelve digits of SHA-256 over the normal text."""
    return hashlib.sha256(normal(text).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def lines(text: str) -> list[Line]:
    """The lines of `text`; a byte order mark is no part of the first."""
    out: list[Line] = []
    at = start_of(text)
    while at < len(text):
        end = line_end(text, at)
        out.append(Line(text[at:end].rstrip("\r\n"), at, end))
        at = end
    return out


def blocks(text: str) -> list[Block]:
    """Every managed block, whole or lone, in the order of the text. A marker in a code fence is text."""
    return _scan(text)[0]


def has_line(text: str, wanted: str) -> bool:
    """True when a person wrote a line that is `wanted`: in no block of ours and in no code fence."""
    ours = blocks(text)
    fence, at = "", -1
    for line in lines(text):
        if any(block.start <= line.start < block.end for block in ours):
            continue
        if not fence and line.text.strip() == wanted:
            return True
        fence, at = _next_fence(line, fence, at)
    return False


def open_fence(text: str) -> int:
    """The offset of the line that opens a code fence which never closes, else -1."""
    return _scan(text)[1]


def _scan(text: str) -> tuple[list[Block], int]:
    found: list[Block] = []
    all_lines = lines(text)
    fence, fence_at, number = "", -1, 0
    while number < len(all_lines):
        line = all_lines[number]
        marker = None if fence else MARKER.match(line.text)
        if not marker:
            fence, fence_at = _next_fence(line, fence, fence_at)
            number += 1
        elif marker["end"]:
            found.append(Block(marker["end"], "", "", line.start, line.end, lone=True))
            number += 1
        else:
            last = _end_of(all_lines, number, marker["begin"])
            found.append(_block(text, all_lines, number, last, marker))
            number = last + 1 if last > 0 else _rest_of_lone(all_lines, number, marker["hash"])
    return found, fence_at


def _next_fence(line: Line, fence: str, fence_at: int) -> tuple[str, int]:
    """The fence that is open behind `line` ("": none) and where it opened."""
    found = _FENCE.match(line.text)
    if not found:
        return fence, fence_at
    if not fence:
        return found["mark"], line.start
    closes = found["mark"].startswith(fence) and not found["rest"].strip(" \t")
    return ("", -1) if closes else (fence, fence_at)


def _end_of(all_lines: list[Line], begin: int, name: str) -> int:
    """The line of the end marker that belongs to the begin marker in line `begin`, else 0: the next marker must be it.

    Fences in between do not count: the block is ours, and a person's open fence in it must not hide its end.
    """
    for number in range(begin + 1, len(all_lines)):
        marker = MARKER.match(all_lines[number].text)
        if marker:
            return number if marker["end"] == name else 0
    return 0


def _block(text: str, all_lines: list[Line], begin: int, last: int, marker: re.Match[str]) -> Block:
    body = begin + 1 + _has_note(all_lines, begin)
    start = all_lines[begin].start
    if last:
        content = text[all_lines[body].start : all_lines[last].start]
        return Block(marker["begin"], normal(content), marker["hash"], start, all_lines[last].end)
    rest = _rest_of_lone(all_lines, begin, marker["hash"])
    content = "\n".join(line.text for line in all_lines[body:rest])
    return Block(marker["begin"], normal(content), marker["hash"], start, all_lines[rest - 1].end, lone=True)


def _has_note(all_lines: list[Line], begin: int) -> bool:
    """True when the line behind a begin marker is our note, in these words or in those of another version."""
    return begin + 1 < len(all_lines) and all_lines[begin + 1].text.startswith(_NOTE_BEGINS)


def _rest_of_lone(all_lines: list[Line], begin: int, expected: str) -> int:
    """The line behind what a begin marker without an end surely holds.

    That is the text whose hash the marker tells, when such a text follows; else the marker and the note alone.
    """
    body = begin + 1 + _has_note(all_lines, begin)
    running, blanks, started = hashlib.sha256(), "", False
    for number in range(body, len(all_lines)):
        line = all_lines[number].text
        if MARKER.match(line):
            break
        kept = line.rstrip() if started else line.strip()
        if not kept:
            blanks += line + "\n" if started else ""
            continue
        attempt = running.copy()
        attempt.update((blanks + kept).encode("utf-8", "surrogatepass"))
        if attempt.hexdigest()[:12] == expected:
            return number + 1
        running.update((blanks + (line if started else line.lstrip())).encode("utf-8", "surrogatepass"))
        started, blanks = True, "\n"
    return body
