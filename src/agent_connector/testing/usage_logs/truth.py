"""What was written: each unit once, however often the logs repeat it."""

import random
from dataclasses import dataclass, field

SECRETS = ("sk-planted-4b1d7f0c", "PLANTED-PASSWORD-hunter2", "planted prompt about the merger")
_CLASSES = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning")


@dataclass(slots=True)
class Counts:
    """Sums of units."""

    units: int = 0
    input: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    output: int = 0
    reasoning: int = 0

    def add(self, other: "Counts") -> None:
        self.units += other.units
        for name in _CLASSES:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def values(self) -> tuple[int, ...]:
        return (self.units, *(getattr(self, name) for name in _CLASSES))


@dataclass(slots=True)
class Truth:
    """Sums by host, by (host, model) and by (host, session); and of what other readers are known to see otherwise.

    `unnamed`: lines of Claude Code's answers without a request id, all but one of each answer, and but for lines that
    stand somewhere word for word; of subagents' answers one line for each session. `unread`: units of Codex in
    compressed rollouts, and the first one of a fork or subagent whose count is told twice at once.
    """

    hosts: dict[str, Counts] = field(default_factory=dict[str, Counts])
    models: dict[tuple[str, str], Counts] = field(default_factory=dict[tuple[str, str], Counts])
    sessions: dict[tuple[str, str], Counts] = field(default_factory=dict[tuple[str, str], Counts])
    bytes: dict[str, int] = field(default_factory=dict[str, int])
    files: dict[str, int] = field(default_factory=dict[str, int])
    unnamed: Counts = field(default_factory=Counts)
    unread: Counts = field(default_factory=Counts)

    def unit(self, host: str, session: str, model: str, counts: Counts) -> None:
        """One more unit."""
        for book, key in ((self.hosts, host), (self.models, (host, model)), (self.sessions, (host, session))):
            book.setdefault(key, Counts()).add(counts)  # pyright: ignore[reportArgumentType, reportCallIssue]


class Words:
    """Text of any length out of one long piece, which is made once."""

    def __init__(self, chance: random.Random) -> None:
        words = [
            "alpha",
            "return",
            "if x:",
            "value =",
            "0x7f",
            "the",
            "of",
            "error",
            "path/to/file.py",
            "\\n",
            "\\t",
            "def",
        ]
        said = [chance.choice(words) for _ in range(60_000)]
        for secret in SECRETS:
            for _ in range(40):
                said[chance.randrange(len(said))] = secret
        self.chance = chance
        self.text = " ".join(said).replace('"', "'")

    def some(self, length: int) -> str:
        """`length` characters, fit to stand in a JSON string."""
        text = self.text
        start = self.chance.randrange(len(text) - 1)
        piece = text[start : start + length]
        while len(piece) < length:
            piece += text[: length - len(piece)]
        return piece.strip("\\")

    def result(self) -> str:
        """A tool's result: mostly short, now and then huge."""
        drawn = self.chance.random()
        if drawn < 0.70:
            return self.some(self.chance.randrange(100, 2_000))
        if drawn < 0.94:
            return self.some(self.chance.randrange(2_000, 8_000))
        if drawn < 0.99:
            return self.some(self.chance.randrange(10_000, 40_000))
        return self.some(self.chance.randrange(100_000, 400_000))
