"""A lease is renewed at each third, and a run that cannot renew is stopped one kill grace before the lease ends."""

import asyncio
import heapq
from collections.abc import Callable
from typing import cast

import pytest

from agent_connector.board.values import Claim
from agent_connector.errors import BoardError, BoardRefused, BoardUnreachable
from agent_connector.testing.boards import MemoryBoard
from agent_connector.testing.byoa.fakes import ScriptedClock
from agent_connector.worker import claims
from agent_connector.worker.claims import Holding
from agent_connector.worker.config import Config, Ergonomics
from agent_connector.worker.values import Stop

CONFIG = Config("/w", "/s", Ergonomics("/k"), connector_id="w1", lease_seconds=120, kill_grace_ms=10_000)


class Clock:
    """Time goes on to the next sleeper whenever everybody waits; nothing takes as long as it says."""

    def __init__(self) -> None:
        self.script = ScriptedClock(now=0.0)
        self.sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self.script.now

    def wall(self) -> float:
        return self.script.wall()

    async def sleep(self, seconds: float) -> None:
        waiting = asyncio.get_running_loop().create_future()
        heapq.heappush(self.sleepers, (self.script.now + seconds, len(self.sleepers), waiting))
        await waiting

    async def play(self, until: Callable[[], bool], most: float) -> None:
        while not until() and self.script.now < most:
            for _ in range(10):
                await asyncio.sleep(0)
            if self.sleepers and not until():
                when, _, waiting = heapq.heappop(self.sleepers)
                if not waiting.done():
                    self.script.advance(max(0.0, when - self.script.now))
                    waiting.set_result(None)


class SlowBoard(MemoryBoard):
    """From some time on each claim ends as `fault` says; None: it never does."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock=clock.wall)
        self.time, self.since = clock, float("inf")
        self.fault: BaseException | None = BoardUnreachable("gone")
        self.asked: list[float] = []

    async def claim(self, task_id: str, *, connector_id: str, instance_id: str, lease_seconds: int) -> Claim:
        self.asked.append(self.time.now())
        if self.time.now() >= self.since:
            if self.fault is None:
                await asyncio.Event().wait()
            else:
                raise self.fault
        return await super().claim(
            task_id, connector_id=connector_id, instance_id=instance_id, lease_seconds=lease_seconds
        )


def held(
    since: float,
    fault: BaseException | None,
    most: float,
    meanwhile: Callable[[SlowBoard, str], None] = lambda *_: None,
    say: Callable[[str], None] = lambda line: None,
) -> tuple[Stop, SlowBoard, float]:
    """How a run's hold on its lease went, until it was stopped or for `most` seconds."""
    clock = Clock()
    board = SlowBoard(clock)

    async def go() -> tuple[Stop, SlowBoard, float]:
        task = board.add("x").id
        lease = await claims.take(board, task, CONFIG, "i", clock)
        assert isinstance(lease, claims.Lease)
        board.since, board.fault = since, fault
        meanwhile(board, task)
        stop = Stop()
        holding = asyncio.create_task(Holding(board, task, CONFIG, "i", clock, lease, stop, say).run())
        await clock.play(lambda: stop.reason is not None, most)
        holding.cancel()
        return stop, board, clock.now()

    return asyncio.run(asyncio.wait_for(go(), 30))


def test_it_is_renewed_at_each_third_for_as_long_as_the_run_lasts() -> None:
    stop, board, _ = held(float("inf"), None, 3600)
    assert stop.reason is None
    assert board.asked[:4] == [0, 40, 80, 120] and len(board.asked) == 90


@pytest.mark.parametrize("fault", [BoardUnreachable("gone"), BoardRefused("who are you?", code="unauthorized"), None])
def test_what_cannot_renew_is_stopped_one_grace_before_the_end(fault: BoardError | None) -> None:
    stop, board, now = held(100, fault, 3600)
    assert (stop.reason, now) == ("lease", 80 + 120 - 10)
    assert len(board.asked) == (4 if fault is None else 38)  # it tries again, unless it still waits for an answer


@pytest.mark.parametrize("fault", [ValueError("?"), ExceptionGroup("?", [OSError("no")]), asyncio.CancelledError()])
def test_what_nobody_reckoned_with_ends_no_heartbeat(fault: BaseException) -> None:
    """It is said, tried again, got over where it passes, and else the run is stopped in time."""
    said: list[str] = []

    def heals(board: SlowBoard, task: str) -> None:
        board.fail("agentops_task_claim", cast("BoardError", fault), times=3)

    stop, board, _ = held(float("inf"), None, 600, heals, said.append)
    assert stop.reason is None and board.asked[1:6] == [40, 42, 44, 46, 86]
    assert ["fault of agent-connector itself" in line for line in said] == [True] * isinstance(fault, Exception)
    stop, _, now = held(100, fault, 3600, say=said.append)
    assert (stop.reason, now) == ("lease", 80 + 120 - 10)
    assert "so its run is stopped" in said[-1]


def test_a_run_is_stopped_though_nobody_can_be_told() -> None:
    def mute(line: str) -> None:
        raise OSError("nobody listens")

    stop, _, now = held(100, BoardUnreachable("gone"), 3600, say=mute)
    assert (stop.reason, now) == ("lease", 80 + 120 - 10)


def test_a_short_trouble_is_got_over() -> None:
    def heals(board: SlowBoard, task: str) -> None:
        board.fail("agentops_task_claim", BoardUnreachable("gone"), times=20)

    stop, board, _ = held(float("inf"), None, 600, heals)
    assert stop.reason is None and board.asked[1:4] == [40, 42, 44]


def test_a_machine_that_slept_through_its_lease_stops_at_once() -> None:
    clock = Clock()
    board = SlowBoard(clock)

    async def go() -> tuple[Stop, float]:
        task = board.add("x").id
        lease = await claims.take(board, task, CONFIG, "i", clock)
        assert isinstance(lease, claims.Lease)
        stop = Stop()
        holding = asyncio.create_task(Holding(board, task, CONFIG, "i", clock, lease, stop, lambda line: None).run())
        await clock.play(lambda: clock.now() >= 5, 60)
        clock.script.advance(8 * 3600)
        await clock.play(lambda: stop.reason is not None, float("inf"))
        holding.cancel()
        return stop, clock.now() - 8 * 3600

    stop, after = asyncio.run(asyncio.wait_for(go(), 30))
    assert stop.reason == "lease" and after <= 7 and len(board.asked) == 1


def test_a_task_that_another_took_or_that_is_gone_stops_the_run_at_the_next_third() -> None:
    def other(board: SlowBoard, task: str) -> None:
        board.lease(task).holder, board.lease(task).fence = ("other", "i"), 2

    def gone(board: SlowBoard, task: str) -> None:
        del board.world.tasks[task]

    stop, _, now = held(float("inf"), None, 600, other)
    assert (stop.reason, now) == ("lease", 40)
    stop, _, now = held(float("inf"), None, 600, gone)
    assert (stop.reason, now) == ("moved", 40)
