"""RE2 behind three typed doors: search in one pass, tell which patterns fit a piece whole, and say what is missing without it.

Everything is bytes in Latin-1: a position is a byte, no text is invalid, and a class that is left out of a pattern holds every byte.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any, cast

from agent_connector.errors import AgentConnectorError

MEMORY = 64 << 20  # what the automaton may take before it starts anew; the table needs about a tenth of it

Span = tuple[int, int]
Search = Callable[[bytes, int], tuple[Span, ...] | None]


def _re2() -> Any:
    try:
        return importlib.import_module("re2")
    except ImportError as error:
        raise AgentConnectorError(
            "secrets cannot be hidden: the module re2 is not installed",
            where="agent_connector.redaction",
            remedy="install the extra `worker`: in the checkout, pip install '.[worker]'",
        ) from error


def _options(re2: Any) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = MEMORY
    options.log_errors = False
    return options


def search(pattern: str) -> Search:
    """The leftmost match from a position on, as the spans of the match and of its groups."""
    return _finder(pattern, "search")


def match(pattern: str) -> Search:
    """The match that starts at a position, as the spans of the match and of its groups."""
    return _finder(pattern, "match")


def _finder(pattern: str, method: str) -> Search:
    re2 = _re2()
    compiled = re2.compile(pattern.encode("ascii"), _options(re2))
    finder, groups = getattr(compiled, method), range(compiled.groups + 1)

    def find(data: bytes, start: int) -> tuple[Span, ...] | None:
        found = finder(data, start)
        return None if found is None else tuple(found.span(group) for group in groups)

    return find


def fitting(patterns: Sequence[str]) -> Callable[[bytes], list[int]]:
    """Which patterns match all of a piece, in order, as if nothing stood around it."""
    re2 = _re2()
    several = re2.Set.FullMatchSet(_options(re2))
    for pattern in patterns:
        several.Add(pattern.encode("ascii"))
    several.Compile()

    def fit(piece: bytes) -> list[int]:
        return sorted(cast("list[int]", several.Match(piece) or []))

    return fit
