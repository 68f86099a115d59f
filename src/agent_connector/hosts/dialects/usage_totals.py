"""Sums that a host keeps where it does not keep single calls, or did not yet; and counts that hold other counts."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from agent_connector.hosts.records import Record


def settle(totals: Iterable[Record], replaced: Collection[str], state: dict[str, Any]) -> Iterator[Record]:
    """`totals`, and an empty unit for each key given before that is `replaced`: by single calls, in a newer version.

    A total that is only gone, with the session that a person deleted, stays counted: it was paid.
    """
    given: dict[str, None] = dict.fromkeys(state.get("totals") or ())
    for record in totals:
        given[record.key] = None
        yield record
    for key in [each for each in given if each in replaced]:
        del given[key]
        yield Record(key=key, session="", time=0, model="", requests=0)
    state["totals"] = list(given)


def outside(total: int, *parts: int) -> int:
    """What of `total` is in none of `parts`. A total that is smaller than its parts never held them."""
    held = sum(parts)
    return total - held if total >= held else total


def uncached(whole: int, output: int, total: int, *cached: int) -> int:
    """The input that was not cached, out of an input that holds what was cached, or does not: the total tells.

    A total that comes to input, output and all that was cached has counted these apart.
    """
    return whole if any(cached) and total == whole + output + sum(cached) else outside(whole, *cached)
