"""Charts as SVG text: columns over days, and bars in a table. Each says in words what it shows; colours are classes.

No scripts and no inline styles, so that the page's policy can forbid both.
"""

import math
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

WIDTH, HEIGHT = 720, 180
LEFT, BOTTOM, TOP = 58, 22, 10
_LABELS = 6  # days that are named below
_STEPS = (1, 2, 2.5, 5, 10)
_LEAST = 1e-300  # below that numbers lose their digits, and a scale its steps


def columns(name: str, points: Sequence[tuple[str, float]], unit: str) -> Markup:
    """A column for each (day, value); `unit` is "$" or a word. An empty chart is a line that says so."""
    if not any(value for _, value in points):
        return Markup('<p class="empty">Nothing in this time.</p>')
    top = _ceiling(max(value for _, value in points))
    width = (WIDTH - LEFT) / len(points)
    thin = max(width - min(4.0, width * 0.25), 0.5)
    parts = [*_grid(top, unit)]
    for place, (day, value) in enumerate(points):
        tall = (HEIGHT - TOP - BOTTOM) * value / top
        x, y = LEFT + place * width + (width - thin) / 2, HEIGHT - BOTTOM - tall
        parts.append(
            f'<rect class="bar" x="{x:.1f}" y="{y:.1f}" width="{thin:.1f}" height="{tall:.1f}" rx="{min(2.0, thin / 4):.1f}">'
            f"<title>{escape(day)}: {escape(amount(value, unit))}</title></rect>"
        )
        if place % max(1, -(-len(points) // _LABELS)) == 0:
            parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 6}">{escape(day[5:] or day)}</text>')
    told = _in_words(points, unit)
    key = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
    return Markup(  # noqa: S704  # every text in it is escaped above or below
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(name)}</title><desc id="{key}-d">{escape(told)}</desc>{"".join(parts)}</svg>'
    )


def bar(share: float) -> Markup:
    """A bar of `share` (0..1) of its cell. It repeats the number beside it, so it is not read out."""
    wide = min(max(share, 0.0), 1.0) * 100
    return Markup(  # noqa: S704  # numbers alone
        f'<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="track" width="100" height="8"/><rect class="bar" width="{wide:.1f}" height="8"/></svg>'
    )


def amount(value: float, unit: str) -> str:
    """A value as people write it: $1,234.50, 1.2M tokens."""
    if unit == "$":
        return f"${value:,.2f}" if value >= 0.995 or not value else f"${value:.3g}"
    return f"{short(value)} {unit}"


def short(value: float) -> str:
    """A count in at most four letters and a unit: 950, 12.3k, 1.2M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size * 0.9995:
            return f"{value / size:.3g}{letter}" if value < size * 999.5 else f"{value / size:,.0f}{letter}"
    return f"{value:,.0f}"


def _grid(top: float, unit: str) -> list[str]:
    parts: list[str] = []
    for step in (0, 0.5, 1):
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * step
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        label = amount(top * step, "$") if unit == "$" else short(top * step)
        parts.append(f'<text class="axis" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(label)}</text>')
    return parts


def _ceiling(value: float) -> float:
    """The round number at or above `value`."""
    size = 10.0 ** math.floor(math.log10(max(value, _LEAST)))
    return next((size * step for step in _STEPS if size * step >= value), size * 10)


def _in_words(points: Sequence[tuple[str, float]], unit: str) -> str:
    most = max(points, key=lambda point: point[1])
    total = sum(value for _, value in points)
    return (
        f"{len(points)} days from {points[0][0]} to {points[-1][0]}. In all {amount(total, unit)}; "
        f"most on {most[0]}: {amount(most[1], unit)}."
    )
