"""Time and chance as they are passed in: a test stands still, and a test's codes are the same in every run."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Cancellable(Protocol):
    def cancel(self) -> None: ...


class Clock(Protocol):
    """Processes that share a store have to agree on the time within a few seconds."""

    def now(self) -> float:
        """Seconds since 1970."""
        ...

    def later(self, seconds: float, call: Callable[[], None]) -> Cancellable:
        """Call `call` once after that many seconds, on the running event loop."""
        ...


class SystemClock:
    def now(self) -> float:
        return time.time()

    def later(self, seconds: float, call: Callable[[], None]) -> Cancellable:
        return asyncio.get_running_loop().call_later(seconds, call)


Randomness = Callable[[int], bytes]
"""`random(count)` gives unguessable bytes."""
