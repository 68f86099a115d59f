r"""A table of patterns as one automaton, and what a stream has to know about the end of what it has seen.

Three passes never happen per pattern: one search finds the next match of any, one set says which it was, and only then that one
pattern says where in it the secret stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from agent_connector.redaction import engine, grammar
from agent_connector.redaction.model import UNDECIDED, Pattern, mark

EDGE = r"\b"
# Where a word also begins: after a line's end as JSON writes it, after a colour of a terminal, after a coded character of an address.
CODED = r"(?:\\[nrtbf]|[0-9;\[]m|%[0-9A-Fa-f]{2})"
# Characters that tell whether it is worth looking for the beginning of a match: few words open like a secret.
OPENING = 6


@dataclass(frozen=True, slots=True)
class Tail:
    """What goes on after a head: how far, and whether the rest could still become one more of it."""

    more: engine.Search
    begun: engine.Search

    def end(self, data: bytes, at: int) -> int:
        """Where it ends in `data`."""
        found = self.more(data, at)
        return at if found is None else found[0][1]

    def undecided(self, data: bytes, at: int) -> bool:
        """More data could carry on from here."""
        return at == len(data) or self.begun(data, at) is not None


@dataclass(frozen=True, slots=True)
class Found:
    """One secret: the match around it, where it stands, and what takes its place."""

    start: int
    secret: int
    secret_end: int
    end: int
    mark: bytes
    pattern: Pattern
    tail: Tail | None

    @property
    def long(self) -> bool:
        """Too long to be anything else than a secret."""
        return self.secret_end - self.secret > UNDECIDED

    def spared(self, data: bytes) -> bool:
        """It looks like one and is none."""
        if self.pattern.spared is None or self.long:
            return False
        return self.pattern.spared(data[self.start : self.secret], data[self.secret : self.secret_end])


class Scanner:
    """Compiled once for a table."""

    def __init__(self, table: Sequence[Pattern]) -> None:
        words = [pattern for pattern in table if pattern.head.startswith(EDGE)]
        self.table = (*table, *words)
        heads = [pattern.head for pattern in table] + [CODED + pattern.head.removeprefix(EDGE) for pattern in words]
        self._exact = heads
        trees = [grammar.read(head) for head in heads]
        whole = [self._whole(index, grammar.plain(tree)) for index, tree in enumerate(trees)]
        self._any = engine.search("|".join(whole))
        self._which = engine.fitting(whole)
        self._opening = engine.search("|".join(grammar.opening(head, OPENING)[0] for head in trees))
        self._begun = engine.match(f"(?:{'|'.join(grammar.beginnings(head) for head in trees)})\\z")
        self._longest = max(grammar.width(head) for head in trees)
        self._details: dict[int, tuple[engine.Search, Tail | None]] = {}

    def _whole(self, index: int, head: str) -> str:
        tail = self.table[index].tail
        return f"(?:{head}){f'(?:{tail})*' if tail else ''}"

    @property
    def bound(self) -> int:
        """The most bytes that can be held back: the longest head, and a value that is still short enough to be spared."""
        return self._longest + UNDECIDED + max(grammar.width(grammar.read(pattern.tail)) for pattern in self.table)

    def begun(self, data: bytes, at: int) -> int:
        """From where on the end of `data` could be the beginning of a match."""
        place = max(at, len(data) - self._longest)
        while place < len(data) - OPENING:  # where nothing opens, nothing has begun
            found = self._opening(data, place)
            if found is None:
                break
            place = found[0][0]
            if self._begun(data, place):
                return place
            place += 1
        for place in range(max(at, len(data) - OPENING, 0), len(data)):
            if self._begun(data, place):
                return place
        return len(data)

    def next(self, data: bytes, at: int) -> Found | None:
        """The leftmost match from `at` on; of several at one place, the one that stands first in the table."""
        found = self._any(data, at)
        if found is None:
            return None
        start, end = found[0]
        for index in self._which(data[start:end]):
            exact, tail = self._detail(index)
            spans = exact(data, start)
            if spans is not None and spans[0][1] == end:  # what stands around it has a say too
                secret, secret_end = spans[-1]
                pattern = self.table[index]
                return Found(start, secret, end if tail else secret_end, end, mark(pattern.kind), pattern, tail)
        raise AssertionError(f"no pattern of the table makes the match {data[start:end]!r}")

    def _detail(self, index: int) -> tuple[engine.Search, Tail | None]:
        if index not in self._details:
            pattern = self.table[index]
            tail = _tail(pattern.tail) if pattern.tail else None
            self._details[index] = engine.match(self._whole(index, self._exact[index])), tail
        return self._details[index]


@cache
def _tail(pattern: str) -> Tail:
    return Tail(
        engine.match(rf"(?:{pattern})*"),
        engine.match(rf"(?:{grammar.beginnings(grammar.read(pattern))})\z"),
    )
