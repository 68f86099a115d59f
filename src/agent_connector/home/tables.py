"""Tables for people: short numbers, columns that go where there is no room, bars and small curves."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_GAP = "  "
_LEAST = 8  # columns that a text keeps when it is cut
_BAR = 12
_LEVELS = "▁▂▃▄▅▆▇█"
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_UNITS = ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))


@dataclass(frozen=True)
class Column(Generic[T]):
    """A head and what it shows of a row. `drop`: the highest goes first where there is no room; 0 stays."""

    head: str
    show: Callable[[T], str]
    left: bool = False
    drop: int = 0
    total: str | None = None  # what stands in the row of totals, where that is a word


def draw(columns: Sequence[Column[T]], rows: Sequence[T], width: int, rule: int = 0) -> list[str]:
    """The lines of a table; what stands from row `rule` on, where that is one, is totals below a line."""
    held = list(columns)
    cells = {id(column): _cells(column, rows, rule) for column in held}
    while _wide(held, cells) > width and any(column.drop for column in held):
        held.remove(max(held, key=lambda column: column.drop))
    widths = [max(map(len, cells[id(column)])) for column in held]
    _squeeze(held, widths, width)
    lines = [
        _GAP.join(
            _fit(cells[id(column)][row], size, column.left) for column, size in zip(held, widths, strict=True)
        ).rstrip()
        for row in range(len(rows) + 1)
    ]
    return [*lines[: rule + 1], "-" * min(max(map(len, lines)), width), *lines[rule + 1 :]] if rule else lines


def _cells(column: Column[T], rows: Sequence[T], rule: int) -> list[str]:
    shown = [clean(column.show(row)) for row in rows]
    if rule and column.total is not None:
        shown[rule:] = [column.total] * (len(rows) - rule)
    return [column.head, *shown]


def clean(text: str) -> str:
    """A name out of a log, without what would move a terminal's cursor."""
    return text if text.isprintable() else "".join(one if one.isprintable() else "?" for one in text)


def no_formula(value: Any) -> Any:
    """A value of a CSV: a name that a spreadsheet would take for a formula gets an apostrophe in front."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _wide(columns: Sequence[Column[T]], cells: dict[int, list[str]]) -> int:
    return sum(max(map(len, cells[id(column)])) for column in columns) + len(_GAP) * (len(columns) - 1)


def _squeeze(columns: Sequence[Column[T]], widths: list[int], width: int) -> None:
    """Take from the widest text what is too much."""
    while (over := sum(widths) + len(_GAP) * (len(widths) - 1) - width) > 0:
        texts = [number for number, column in enumerate(columns) if column.left and widths[number] > _LEAST]
        if not texts:
            return
        widest = max(texts, key=lambda number: widths[number])
        widths[widest] = max(widths[widest] - over, _LEAST)


def cut(text: str, width: int) -> str:
    """`text` in so many columns; what is cut ends with `~`."""
    return text if len(text) <= width else text[: width - 1] + "~"


def _fit(text: str, width: int, left: bool) -> str:
    return cut(text, width).ljust(width) if left else cut(text, width).rjust(width)


def number(value: int) -> str:
    """`123`, `4,567`, `45.7k`, `1.23M`: four characters and a unit at most where it is long."""
    if abs(value) < 10_000:
        return f"{value:,}"
    for size, unit in _UNITS:
        if abs(value) >= size:
            shown = value / size
            return (
                f"{shown:.2f}{unit}" if shown < 10 else f"{shown:.1f}{unit}" if shown < 100 else f"{shown:,.0f}{unit}"
            )
    return str(value)


def usd(value: float | None) -> str:
    """Dollars: cents, or more places for less than one."""
    if value is None:
        return "-"
    return f"{value:,.2f}" if value >= 0.995 or value == 0 else f"{value:.4f}"


def amount(value: float | None) -> str:
    """A number of some unit of a host's own."""
    return "-" if value is None else f"{value:,.2f}"


def bar(value: int, most: int, plain: bool = False) -> str:
    """A bar of at most twelve columns."""
    if most <= 0 or value <= 0:
        return ""
    if plain:
        return "#" * max(round(value * _BAR / most), 1)
    eighths = max(round(value * _BAR * 8 / most), 1)
    return _EIGHTHS[8] * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def spark(values: Sequence[float]) -> str:
    """A small curve, one column for each value."""
    most = max(values, default=0)
    if most <= 0:
        return _LEVELS[0] * len(values)
    top = len(_LEVELS) - 1
    return "".join(_LEVELS[min(round(max(value, 0) * top / most), top)] for value in values)


def fold(lines: Sequence[str], width: int) -> list[str]:
    """Lines of text broken between words."""
    found: list[str] = []
    for line in lines:
        found += textwrap.wrap(clean(line), max(width, 20), subsequent_indent="  ", break_on_hyphens=False) or [""]
    return found
