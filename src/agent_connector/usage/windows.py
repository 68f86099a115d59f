"""Which day, week or month a moment falls into, and the quarters of an hour that sums are kept by.

Moments are ms since 1970. What is summed is summed by quarters of an hour: every zone's days begin at such a quarter.
"""

from datetime import date
from typing import NamedTuple

from agent_connector.home.moments import DAY, END, EPOCH, Zone

QUARTER = 900_000
DAY_QUARTERS = DAY // QUARTER


class Span(NamedTuple):
    """From this quarter on the zone is so many quarters ahead of UTC."""

    begins: int
    ahead: int


def spans(where: Zone, first: int, last: int) -> list[Span]:
    """The stretches of an unchanged offset between two quarters, the first and the last included."""
    found = [Span(first, _ahead(where, first))]
    low = first
    while low < last:
        high = min(low + DAY_QUARTERS, last)
        while (ahead := _ahead(where, high)) != found[-1].ahead:
            begins = _change(where, low, high)
            ahead = _ahead(where, begins)
            found.append(Span(begins, ahead))
            low = begins
        low = high
    return found


def _change(where: Zone, low: int, high: int) -> int:
    """The first quarter after `low` that has another offset than it; `high` has one."""
    same = _ahead(where, low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _ahead(where, middle) == same else (low, middle)
    return high


def _ahead(where: Zone, quarter: int) -> int:
    return where.offset(quarter * QUARTER) // QUARTER


def day_of_quarter(where: Zone, quarter: int) -> int:
    """The number of the day that a quarter falls into."""
    return (quarter + _ahead(where, quarter)) // DAY_QUARTERS


def _date(day: int) -> date:
    return date.fromordinal(min(day, END // DAY) + EPOCH)


def day_name(day: int) -> str:
    """`2026-11-30`."""
    return _date(day).isoformat()


def week_name(day: int) -> str:
    """`2026-W49`: the ISO week, which begins on a Monday."""
    year, week, _ = _date(day).isocalendar()
    return f"{year}-W{week:02}"


def month_name(day: int) -> str:
    """`2026-11`."""
    return day_name(day)[:7]
