"""Who waits for what in this process: a topic rings, and those who listened look again.

Listen first, look second, wait third: what happens between the look and the wait is not missed.
"""

import asyncio
from types import TracebackType
from typing import Self


class Bell:
    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}

    def listen(self, topic: str) -> "Listener":
        return Listener(self._waiting, topic)

    def ring(self, topic: str) -> None:
        for waiter in self._waiting.get(topic, ()):
            if not waiter.done():
                waiter.set_result(None)

    def ring_all(self) -> None:
        """Everybody looks again: rings may have been lost."""
        for topic in self._waiting:
            self.ring(topic)


class Listener:
    """`with bell.listen(topic) as listener:` and then `await listener.rung()`; every wait starts anew."""

    def __init__(self, waiting: dict[str, set[asyncio.Future[None]]], topic: str) -> None:
        self._waiting = waiting
        self._topic = topic
        self._future: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        self._arm()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, _: TracebackType | None
    ) -> None:
        self._disarm()

    def _arm(self) -> asyncio.Future[None]:
        self._future = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(self._topic, set()).add(self._future)
        return self._future

    def _disarm(self) -> None:
        waiters = self._waiting.get(self._topic)
        if waiters is not None and self._future is not None:
            waiters.discard(self._future)
            if not waiters:
                del self._waiting[self._topic]

    async def rung(self) -> None:
        """Returns when the topic rang since the last time, or at `wake()`."""
        future = self._future or self._arm()
        await future
        self._disarm()
        self._arm()

    def wake(self) -> None:
        """End the wait from here: a timer ran out."""
        if self._future is not None and not self._future.done():
            self._future.set_result(None)
