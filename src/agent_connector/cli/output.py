"""What verbs print: plain lines for a person, colour only in a terminal and without NO_COLOR, JSON for programs."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO, TypeVar

K = TypeVar("K")
V = TypeVar("V")
STYLES = {"+": "32", "~": "33", "-": "31", "=": "2", "!": "1;31", "bold": "1", "dim": "2", "ok": "32", "bad": "31"}
_COLOUR = re.compile(r"\033\[[0-9;]*m")
_DEEP = 4
_STEERING = re.compile(  # control characters but tab and line break, bidirectional marks, what is not seen
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
    r"|\r(?!\n)|[\U000e0000-\U000e007f]"
)
_OURS = {f"\033[{code}m" for code in (*STYLES.values(), "0")}
_WIDE = 120  # columns for a program that reads text
_NARROW = 20  # columns; what has less room than this to hang in hangs at the left


def coloured() -> bool:
    """True when a person looks at stdout and has not asked for plain text."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    return f"\033[{STYLES[style]}m{text}\033[0m" if text and coloured() else text


def say(text: str = "", hang: int | None = None) -> None:
    """Lines on stdout; in a terminal broken between words, and going on `hang` columns in.

    Without `hang` they go on a little deeper than they begin, and one that begins deep (a command) stays whole.
    """
    _write(sys.stdout, text, hang)


def verbatim(text: str) -> None:
    """What is to be copied, or has line breaks of its own, as it is: a diff, an edit, a command."""
    _put(sys.stdout, text)


def complain(text: str) -> None:
    """An error, on stderr."""
    _write(sys.stderr, f"agent-connector: {text}", None)


def mention(text: str) -> None:
    """What is being done, on stderr."""
    _write(sys.stderr, f"{text} ...", None)
    sys.stderr.flush()


def _write(stream: TextIO, text: str, hang: int | None) -> None:
    if stream.isatty():
        width = shutil.get_terminal_size().columns
        text = "\n".join(wrapped(line, width, hang) for line in text.split("\n"))
    _put(stream, text)


def _put(stream: TextIO, text: str, end: str = "\n") -> None:
    text = harmless(text)
    encoding = stream.encoding or "utf-8"  # what it cannot hold becomes a question mark
    stream.write(text.encode(encoding, "replace").decode(encoding) + end)


def harmless(text: str) -> str:
    """`text`, where what would steer a terminal is written out (`\\u001b`): names come from anybody. Our colours stay."""
    if text.isascii() and text.isprintable():
        return text
    kept = _COLOUR.split(text) if coloured() else [text]
    marks = _COLOUR.findall(text) if coloured() else []
    shown = [_STEERING.sub(_written_out, part) for part in kept]
    colours = [mark if mark in _OURS else _STEERING.sub(_written_out, mark) for mark in marks]
    return "".join(part + colour for part, colour in zip(shown, [*colours, ""], strict=True))


def _written_out(found: "re.Match[str]") -> str:
    return f"\\u{ord(found[0]):04x}"


class Shown:
    """Stdout for an export: bytes or text as they are, but harmless in a terminal."""

    def write(self, data: bytes | str) -> None:
        if sys.stdout.isatty():
            _put(sys.stdout, data if isinstance(data, str) else data.decode(errors="replace"), end="")
        elif isinstance(data, str):
            sys.stdout.write(data)
        else:
            sys.stdout.buffer.write(data)


def width() -> int:
    """The columns to fill: the terminal's; a program that reads text gets wide lines."""
    if sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    told = os.environ.get("COLUMNS", "")
    return int(told) if told.isdecimal() and int(told) else _WIDE


def wrapped(line: str, width: int, hang: int | None = None) -> str:
    """`line` in lines of at most `width` columns. A word stays whole, and so does what is left of `hang`."""
    depth = len(line) - len(line.lstrip())
    if _width(line) <= width or (hang is None and depth >= _DEEP):
        return line
    hang = depth + 2 if hang is None else hang
    indent = " " * (hang if width - hang >= _NARROW else 2)
    done, now = list[str](), ""
    for word in re.split(r"(?<=[^ ]) (?=[^ ])", line):
        longer = f"{now} {word}" if now else word
        if now and _width(longer) > width and _width(now) > len(indent):
            done.append(now)
            longer = indent + word
        now = longer
    return "\n".join([*done, now])


def _width(text: str) -> int:
    """The columns of `text` in a terminal."""
    return len(_COLOUR.sub("", text))


def emit(value: Any) -> None:
    """One JSON document on stdout."""
    sys.stdout.write(json.dumps(value, indent=2, default=str) + "\n")


def short(path: str, home: str | None = None) -> str:
    """A path with the home folder as `~`."""
    home = (home or os.path.expanduser("~")).rstrip("/\\")
    return "~" + path[len(home) :] if home and (path == home or path.startswith((home + "/", home + "\\"))) else path


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values of each key, in the order in which they come: what is the same is said once."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def columns(rows: Iterable[Sequence[str]], indent: str = "  ") -> None:
    """Rows with aligned columns; the last one runs on below itself."""
    held = [list(row) for row in rows]
    widths = [
        max((_width(row[i]) for row in held if i < len(row)), default=0) for i in range(max(map(len, held), default=0))
    ]
    for row in held:
        cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row[:-1], widths, strict=False)]
        before = indent + "".join(cell + "  " for cell in cells)
        say((before + "".join(row[-1:])).rstrip(), hang=_width(before))


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], styles: Mapping[str, str] | None = None) -> None:
    """A table: drawn where a person looks, else aligned text. `styles` paints cells by their text."""
    if not coloured():
        columns([headers, *rows], indent="")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    held = [[harmless(cell) for cell in row] for row in rows]
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for header in headers:
        drawn.add_column(header)
    for row in held:
        drawn.add_row(*(Text(cell, style=(styles or {}).get(cell, "")) for cell in row))
    Console().print(drawn)
