"""How often somebody may ask: a bucket for each name, which fills with time. Of this process, in bounded memory."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

from agent_connector.board.guard import Refused

MOST = 10_000  # names that are remembered; the one that asked longest ago is forgotten first


class Buckets:
    """`rate` a second, and `burst` at once."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how full, and when that was

    def check(self, name: str) -> None:
        """Refused (429) where the bucket is empty."""
        full = self._full(name)
        if full < 1:
            raise Refused(429, "too_many_requests", {"retry-after": str(max(1, math.ceil((1 - full) / self._rate)))})

    def take(self, name: str) -> None:
        """As `check`, and one less is in it."""
        self.check(name)
        self._held[name] = (self._full(name) - 1, self._clock())
        self._held.move_to_end(name)
        if len(self._held) > MOST:
            self._held.popitem(last=False)

    def _full(self, name: str) -> float:
        full, at = self._held.get(name, (self._burst, 0.0))
        return min(self._burst, full + (self._clock() - at) * self._rate) if name in self._held else full
