"""Percentiles of result sizes from a few counts: sizes fall into classes, each 4.4 % wider than the one before.

Up to sixteen tokens a class is one size, so small results are exact; above, a percentile is at most 4 % off.
"""

from collections.abc import Mapping
from math import floor, log2

_STEPS = 16  # classes for each doubling


def class_of(tokens: int) -> int:
    """The class of a result of so many tokens."""
    return tokens if tokens <= _STEPS else floor(log2(tokens) * _STEPS) - _STEPS * 4 + _STEPS


def middle(size: int) -> int:
    """The number of tokens that stands for a class."""
    return size if size <= _STEPS else round(2 ** ((size + _STEPS * 3 + 0.5) / _STEPS))


def percentile(counts: Mapping[int, int], share: float) -> int | None:
    """The size below or at which `share` (0..1) of the calls lie; None of no calls."""
    wanted, passed = share * sum(counts.values()), 0
    for size in sorted(counts):
        passed += counts[size]
        if passed >= wanted and passed:
            return middle(size)
    return None
