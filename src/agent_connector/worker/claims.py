"""The lease on a task: taken, renewed at each third, and given up in time when it cannot be renewed."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from agent_connector.board.port import Board
from agent_connector.board.values import Claim
from agent_connector.errors import BoardError, BoardRefused
from agent_connector.worker.clock import Clock, until
from agent_connector.worker.config import Config
from agent_connector.worker.values import Reason, Stop

CLAIM = "agentops_task_claim"
AGAIN = 2.0  # seconds until a renewal that failed is tried again


@dataclass(slots=True)
class Lease:
    """`until` is on the worker's own clock, counted from before the board was asked: never later than the board's."""

    fence: int | None
    until: float


async def take(board: Board, task: str, config: Config, instance: str, clock: Clock) -> Lease | Claim:
    """The lease, or the claim that says who holds it. A board without leases gives one without a fence."""
    if CLAIM not in board.offers:
        return Lease(None, float("inf"))
    asked = clock.now()
    claim = await board.claim(
        task, connector_id=config.holder, instance_id=instance, lease_seconds=config.lease_seconds
    )
    return Lease(claim.fence, asked + config.lease_seconds) if claim.claimed else claim


@dataclass(slots=True)
class Holding:
    """Keeps a lease for as long as a run lasts: `run` renews until it is cancelled, or stops the run."""

    board: Board
    task: str
    config: Config
    instance: str
    clock: Clock
    lease: Lease
    stop: Stop
    say: Callable[[str], None]
    _faulted: bool = False

    @property
    def last_moment(self) -> float:
        """When a run that could not renew has to be stopped: it needs its grace to be gone before the lease is."""
        return self.lease.until - self.config.kill_grace_ms / 1000

    async def run(self) -> None:
        if self.lease.until == float("inf"):
            return
        third, failed = self.config.lease_seconds / 3, ""
        due = self.lease.until - 2 * third
        while self.stop.reason is None or self.stop.reason not in ("lease", "moved"):
            await until(self.clock, min(due, self.last_moment))
            if self.clock.now() >= self.last_moment:
                self._end("lease", f"cannot be renewed, so its run is stopped: {failed or 'this machine was asleep'}")
                return
            failed = await self._renewed()
            due = self.clock.now() + (min(third, AGAIN) if failed else third)

    async def _renewed(self) -> str:
        """Why not; "" when it is. A board that does not answer in time is left waiting."""
        asking = asyncio.ensure_future(take(self.board, self.task, self.config, self.instance, self.clock))
        ending = asyncio.ensure_future(until(self.clock, self.last_moment))
        try:
            await asyncio.wait((asking, ending), return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                return "the board does not answer"
            if asking.cancelled():
                return "the call to the board was cut off"
            renewed = asking.result()
        except BoardRefused as error:
            if error.code == "not_found":
                self._end("moved", "is gone: the task is not on the board any more")
            return error.what
        except BoardError as error:
            return error.what
        except Exception as error:  # noqa: BLE001 - the top level of a task: nobody would see it end, and two could run at once
            return self._fault(error)
        finally:
            for one in (asking, ending):
                one.cancel()
        if isinstance(renewed, Lease) and renewed.fence == self.lease.fence:
            self.lease.until = renewed.until
            return ""
        self._end("lease", "was lost: another worker holds the task by now, its run here is stopped")
        return "lost"

    def _fault(self, error: Exception) -> str:
        what = f"a fault of agent-connector itself: {type(error).__name__}: {error}"
        if not self._faulted:
            self._faulted = True
            self.say(f"the lease on task {self.task} could not be renewed, it is tried again: {what}")
        return what

    def _end(self, reason: Reason, why: str) -> None:
        self.stop.set(reason)
        self.say(f"the lease on task {self.task} {why}")
