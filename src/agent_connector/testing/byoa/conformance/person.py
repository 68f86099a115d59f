"""Time, and whoever sits on the app's side: what the suite against an app needs beside its requests."""

import asyncio
import time
from typing import Protocol

from agent_connector.testing.byoa.conformance.report import NotApplicable


class Clock(Protocol):
    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...

    @property
    def free(self) -> bool:
        """Whether an hour costs nothing."""
        ...


class RealClock:
    free = False

    def now(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class Person:
    """What only somebody on the app's side can do. What a subclass does not offer makes the checks that need it n/a.

    `patience`: seconds from asking until it must have reached us.
    """

    patience: float = 30.0

    async def approve(self, link: str, code: str) -> None:
        raise NotApplicable("nobody is there to approve a pairing")

    async def deny(self, link: str, code: str) -> None:
        raise NotApplicable("nobody is there to refuse a pairing")

    async def chat(self, title: str, text: str) -> None:
        """Send `text` to the session with this title."""
        raise NotApplicable("nobody is there to send a message")

    async def stop(self, title: str, turn: str) -> None:
        raise NotApplicable("nobody is there to stop a turn")

    async def end(self, title: str) -> None:
        raise NotApplicable("nobody is there to end a session")

    async def ends(self, turn: str) -> list[str]:
        """Every end that the app has recorded for a turn, as `outcome` or `outcome/reason`."""
        raise NotApplicable("what the app has recorded cannot be seen from outside")
