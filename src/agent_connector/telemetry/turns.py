"""The book of turns that hosts report themselves: sums by host and model."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent_connector.telemetry import store, sums


@dataclass(frozen=True, slots=True)
class Line:
    """The turns of one model in one host."""

    host: str
    model: str
    turns: int
    tokens_in: int
    tokens_out: int


def totals(root: str, first: int = 0, hosts: Sequence[str] = ()) -> list[Line]:
    """The sums since `first` (ms) of `hosts`, or of all; the largest first."""
    groups: dict[tuple[str, ...], sums.Sum] = {}
    with store.book(root) as book:
        sums.gather(book, ("host", "tool"), first, groups, ("model_turn",), hosts)
    lines = [Line(key[0], key[1], total.calls, total.tokens_in, total.tokens_out) for key, total in groups.items()]
    return sorted(lines, key=lambda line: (-line.tokens_in - line.tokens_out, line.host, line.model))
