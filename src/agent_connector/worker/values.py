"""What passes between the loop, which takes tasks and writes back, and the runner, which does one of them."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agent_connector.board.values import Bundle, Role, Task
from agent_connector.drive.events import Usage

Status = Literal["succeeded", "failed", "awaiting_human", "cancelled", "timed_out"]
Kind = Literal["guard", "marker", "risk", "spend", "push", "canary"]
Reason = Literal["moved", "lease", "kill-switch", "spend", "shutdown", "timeout", "stall"]
CostSource = Literal["host-reported", "estimated", "reserve"]
Began = Callable[["Session"], object]  # a host's session is there: from any thread, never raises or blocks
Emit = Callable[
    [str, str, Mapping[str, Any]], None
]  # (type, channel, payload): from any thread, never raises or blocks


@dataclass(frozen=True, slots=True)
class Session:
    """A host's session that a later run goes on with, and what it had used, where the host only tells the whole."""

    host_id: str
    id: str
    used: Usage | None = None


def _nothing(session: Session) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Assignment:
    """One run of a task. `answer` is the text that answers an escalation; `attempt` counts from 1; `began` is told of each
    session that the run is in."""

    task: Task
    run_id: str | None
    role: Role | None
    roles: tuple[Role, ...]
    answer: str | None
    session: Session | None
    budget_usd: float
    attempt: int = 1
    bundle: Bundle | None = None  # as the board serves it now
    began: Began = _nothing


@dataclass(frozen=True, slots=True)
class Escalation:
    """A person is needed: what kind of thing it is about, and why, in words for that person."""

    kind: Kind
    reason: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a run came out. `routing` has one entry for each model that was tried.

    One that is "cancelled", was not started and was not stopped either says that this worker cannot do the task now.
    """

    status: Status
    summary: str
    reason: str | None = None
    escalation: Escalation | None = None
    host: str | None = None
    provider: str | None = None
    model: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    cost_source: CostSource | None = None
    session: Session | None = None
    branch: str | None = None
    diff_stat: str | None = None
    exit_code: int | None = None
    routing: tuple[Mapping[str, Any], ...] = ()
    started: bool = True  # False: no host was started, so nothing was spent
    risky: tuple[str, ...] = ()  # risky words in what the agent said beside its summary


class Stop:
    """Set once, from any thread, with the reason; waited for in threads and in the event loop that it was made in."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.reason: Reason | None = None
        self._loop = asyncio.get_running_loop()
        self._waiting = asyncio.Event()

    def set(self, reason: Reason) -> None:
        """The first reason stays."""
        if self.event.is_set():
            return
        self.reason = reason
        self.event.set()
        self._loop.call_soon_threadsafe(self._waiting.set)

    def wait_sync(self, timeout: float | None = None) -> bool:
        """True when it is set within `timeout` seconds."""
        return self.event.wait(timeout)

    async def wait(self) -> None:
        await self._waiting.wait()


Runner = Callable[[Assignment, Emit, Stop], Awaitable[Result]]
