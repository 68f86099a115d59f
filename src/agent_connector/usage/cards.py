"""What one model costs, as plain values: a card of rates, each for a span of time, of the day and of context.

Money is a whole number of 1e-18 USD, so that sums are exact and do not depend on their order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

CLASSES = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning")
CONTEXT = CLASSES[:4]  # what a request put before the model
SCALE = 10**18  # parts of a dollar
PER_MILLION = 10**12  # such parts for one token at one dollar per million tokens
FOREVER = 1 << 62
DAY = 86_400_000

_PART_OF = {"cache_write_1h": "cache_write_5m", "cache_write_5m": "input", "cache_read": "input", "reasoning": "output"}


class Prices(NamedTuple):
    """What one token of each class costs, and one request. `reasoning` stands for that part of the output."""

    input: int
    cache_read: int
    cache_write_5m: int
    cache_write_1h: int
    output: int
    reasoning: int
    request: int = 0


class Terms(NamedTuple):
    """The prices at one time: `steps` are (more context than, prices), the first from -1 on."""

    source: str
    version: str
    key: str
    tier: str  # whose prices these are: "" where the tier has none of its own
    steps: tuple[tuple[int, Prices], ...]


class Rate(NamedTuple):
    """One price and where it holds; `prices` is None where nothing is known."""

    begins: int
    ends: int
    day_from: int
    day_to: int
    over: int
    upto: int
    source: str
    version: str
    key: str
    tier: str
    prices: Prices | None


Card = tuple[Rate, ...]
UNKNOWN = Terms("", "", "", "", ())


def prices(given: Mapping[str, int]) -> Prices:
    """All classes from those that are given: one that has no price of its own is charged as what it is a part of."""
    known = dict(given)
    for name in ("cache_read", "cache_write_5m", "cache_write_1h", "reasoning"):
        known.setdefault(name, known.get(_PART_OF[name], 0))
    return Prices(**{name: known.get(name, 0) for name in Prices._fields})


def card(at: Callable[[int], Terms], dates: Iterable[int] = (), hours: Iterable[int] = ()) -> Card:
    """The card of what `at(time)` says, which changes only at `dates` (UTC midnights, ms) and `hours` (ms of the UTC day)."""
    begins = sorted({-FOREVER, *dates})
    hands = sorted({0, *(hour % DAY for hour in hours)})
    spans: list[tuple[int, list[tuple[int, Terms]]]] = []
    for begin, end in zip(begins, [*begins[1:], FOREVER], strict=True):
        day = begin if begin > -FOREVER else end - DAY if end < FOREVER else 0  # any day of it tells its hours
        told = [(hand, at(day + hand)) for hand in hands]
        kept = [cell for number, cell in enumerate(told) if number == 0 or cell[1] != told[number - 1][1]]
        if not spans or spans[-1][1] != kept:
            spans.append((begin, kept))
    ends = [*(begin for begin, _ in spans[1:]), FOREVER]
    return tuple(rate for (begin, cells), end in zip(spans, ends, strict=True) for rate in _rates(begin, end, cells))


def _rates(begin: int, end: int, cells: Sequence[tuple[int, Terms]]) -> Iterator[Rate]:
    """The rates of one span of time, whose days are made of `cells`."""
    for (start, terms), stop in zip(cells, [*(start for start, _ in cells[1:]), DAY], strict=True):
        where = (terms.source, terms.version, terms.key, terms.tier)
        if not terms.steps:
            yield Rate(begin, end, start, stop, -1, FOREVER, *where, None)
        uptos = [*(over for over, _ in terms.steps[1:]), FOREVER]
        for (over, step), upto in zip(terms.steps, uptos, strict=False):
            yield Rate(begin, end, start, stop, over, upto, *where, step)


def find(rates: Card, time: int, context: int) -> Rate:
    """The rate of a request at `time` with so much context."""
    day = time % DAY
    for rate in rates:
        if rate.begins <= time < rate.ends and rate.day_from <= day < rate.day_to and rate.over < context <= rate.upto:
            return rate
    raise LookupError("a card covers every time, hour and context")  # and negative contexts do not exist


def context(counts: Mapping[str, int]) -> int:
    """The tokens that one request put before the model; of several requests their mean."""
    return sum(counts.get(name, 0) for name in CONTEXT) // max(counts.get("requests", 1), 1)


def cost(known: Prices, counts: Mapping[str, int]) -> int:
    """What these tokens cost, in 1e-18 USD."""
    get = counts.get
    output = get("output", 0)
    thought = min(get("reasoning", 0), output)
    return (
        known.input * get("input", 0)
        + known.cache_read * get("cache_read", 0)
        + known.cache_write_5m * get("cache_write_5m", 0)
        + known.cache_write_1h * get("cache_write_1h", 0)
        + known.output * (output - thought)
        + known.reasoning * thought
        + known.request * get("requests", 1)
    )
