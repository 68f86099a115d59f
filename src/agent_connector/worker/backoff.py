"""How long to wait before the next try: longer each time, by chance, and never less than the board asked for. Pure."""

import random

BASE, MOST = 1.0, 300.0  # seconds


def wait(failures: int, chance: random.Random, asked: float | None = None) -> float:
    """Seconds after `failures` tries in a row; chance spreads many workers over the time ("full jitter")."""
    longest = min(MOST, BASE * 2 ** min(failures, 16))
    return max(chance.uniform(0, longest), asked or 0.0, BASE / 10)
