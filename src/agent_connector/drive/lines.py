"""The lines of a pipe in bounded memory: whole up to a size, and what is longer in pieces.

A piece that is not the last of its line ends with `CUT`, so that whoever joins the lines again knows where none ended.
"""

import codecs
from collections.abc import Callable, Iterator
from enum import Enum

CHUNK = 65_536  # bytes that are read at once
WHOLE = 8 << 20  # bytes of a line that are kept to be read as one record; the rest of a longer one is text
PIECE = 32_768  # characters of a text line that are handed on at once
CUT = "\u2026\u21a9"


class Part(Enum):
    """What of a line is there."""

    ALL = "all of it"
    MORE = "a part, and it goes on"
    LAST = "the last part"


def lines(read: Callable[[], bytes], whole: int = WHOLE) -> Iterator[tuple[str, Part]]:
    """The lines that `read` gives until it gives nothing; of a line beyond `whole` bytes the parts as they come."""
    rest, long = b"", None  # `long` decodes the line that is too long, over the borders of its parts
    while data := read():
        *ended, rest = (rest + data).split(b"\n")
        for raw in ended:
            if long is None:
                yield raw.decode("utf-8", "replace").rstrip("\r"), Part.ALL
            else:
                yield long.decode(raw, True).rstrip("\r"), Part.LAST
                long = None
        if rest and (long is not None or len(rest) > whole):
            long = long or codecs.getincrementaldecoder("utf-8")("replace")
            yield long.decode(rest), Part.MORE
            rest = b""
    if long is not None:
        yield long.decode(rest, True), Part.LAST
    elif rest:
        yield rest.decode("utf-8", "replace").rstrip("\r"), Part.ALL


def pieces(text: str, part: Part = Part.ALL, size: int = PIECE) -> Iterator[str]:
    """A text line in pieces of at most `size`, cut behind a blank where there is one: a word stays whole."""
    if len(text) <= size:
        yield text + CUT if part is Part.MORE else text
        return
    at = 0
    while len(text) - at > size:
        blank = text.rfind(" ", at + size // 2, at + size)
        end = at + size if blank < 0 else blank + 1
        yield text[at:end] + CUT
        at = end
    yield text[at:] + CUT if part is Part.MORE else text[at:]
