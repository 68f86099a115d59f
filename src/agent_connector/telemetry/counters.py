"""Which counter counts a message: the tokenizer, loaded at first need, or the heuristic while we are behind."""

import os

from agent_connector.telemetry import calibration, tokenizer
from agent_connector.telemetry.sampling import Sampler, sampler


class Counters:
    """The tokenizer, loaded at first need; the heuristic while we are behind."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.quick = tokenizer.heuristic()
        self.exact: tokenizer.Counter | None = None
        self.sampler: Sampler | None = None
        self.hurry = False

    def usual(self) -> tokenizer.Counter:
        """For calls."""
        return self.quick if self.hurry else self.careful()

    def careful(self) -> tokenizer.Counter:
        """For what is told once and counts in every turn: definitions."""
        if self.exact is None:
            self.exact = tokenizer.load(calibration.read(self.root))
            self.sampler = sampler(self.root, os.environ)
            self.exact.heard = self.sampler.heard if self.sampler else None
        return self.exact
