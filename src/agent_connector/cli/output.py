"""What verbs print: plain lines for a person, colour only in a terminal and without NO_COLOR, JSON for programs."""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

STYLES = {"+": "32", "~": "33", "-": "31", "=": "2", "!": "1;31", "bold": "1", "dim": "2", "ok": "32", "bad": "31"}
WIDTH = 100


def coloured() -> bool:
    """True when a person looks at stdout and has not asked for plain text."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str) -> str:
    return f"\033[{STYLES[style]}m{text}\033[0m" if text and coloured() else text


def say(text: str = "") -> None:
    """A line on stdout, whatever its encoding can hold."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def complain(text: str) -> None:
    """An error, on stderr."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"agent-connector: {text}\n".encode(encoding, "replace").decode(encoding))


def emit(value: Any) -> None:
    """One JSON document on stdout."""
    sys.stdout.write(json.dumps(value, indent=2, default=str) + "\n")


def short(path: str, home: str | None = None) -> str:
    """A path with the home folder as `~`."""
    home = (home or os.path.expanduser("~")).rstrip("/\\")
    return "~" + path[len(home) :] if home and (path == home or path.startswith((home + "/", home + "\\"))) else path


def columns(rows: Iterable[Sequence[str]], indent: str = "  ") -> None:
    """Rows with aligned columns; the last one runs on."""
    held = [list(row) for row in rows]
    widths = [
        max((len(row[i]) for row in held if i < len(row)), default=0) for i in range(max(map(len, held), default=0))
    ]
    for row in held:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        say((indent + "  ".join([*cells, *row[-1:]])).rstrip())


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], styles: Mapping[str, str] | None = None) -> None:
    """A table: drawn where a person looks, else aligned text. `styles` paints cells by their text."""
    if not coloured():
        columns([headers, *rows], indent="")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for header in headers:
        drawn.add_column(header)
    for row in rows:
        drawn.add_row(*(Text(cell, style=(styles or {}).get(cell, "")) for cell in row))
    Console().print(drawn)
