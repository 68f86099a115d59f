"""Time as the loop sees it, so that a test can tell it."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

from agent_connector.errors import BoardWrong

STEP = 1.0  # seconds
_FORM = "%Y-%m-%dT%H:%M:%S.%fZ"


class Clock(Protocol):
    """`now` only goes forward and has no beginning; `wall` is the time of day and may jump."""

    def now(self) -> float:
        """Seconds."""
        ...

    def wall(self) -> float:
        """Seconds since 1970."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """This machine's. `now` goes on while the machine sleeps where the system has such a clock: leases do so too."""

    def now(self) -> float:
        if hasattr(time, "CLOCK_BOOTTIME"):
            return time.clock_gettime(time.CLOCK_BOOTTIME)
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def iso(seconds: float) -> str:
    """A moment of the wall clock as the board writes it."""
    return datetime.fromtimestamp(seconds, UTC).strftime(_FORM)


def moment(text: str) -> datetime:
    """An ISO time of the board, however it spells it; one without a zone is UTC. BoardWrong where it is none."""
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise BoardWrong("the board sent a time that is not ISO 8601", where="time") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def later(one: str, other: str) -> bool:
    """Whether the first of two times of the board is the later one."""
    return moment(one) > moment(other)


def earlier(text: str, seconds: float) -> str:
    """A time of the board, moved back. BoardWrong where nothing is that early."""
    try:
        return (moment(text) - timedelta(seconds=seconds)).astimezone(UTC).strftime(_FORM)
    except (OverflowError, ValueError):
        raise BoardWrong("the board sent a time that is out of range", where="time") from None


async def until(clock: Clock, when: float) -> None:
    """Sleep, in steps: a machine that slept meanwhile is late by one step and no more."""
    while (left := when - clock.now()) > 0:
        await clock.sleep(min(left, STEP))
