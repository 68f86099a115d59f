"""Claims, releases, writes and time in any order: the board in memory and the one on SQLite answer alike, and never break
what leases promise."""

import tempfile
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from agent_connector.board import lease_clock, leases, tasks
from agent_connector.board.engine import Tx
from agent_connector.board.store import open_store
from agent_connector.errors import BoardRefused
from agent_connector.testing.board_stage import Clock, forward
from agent_connector.testing.boards import MemoryBoard

LEASE = 10
WORKERS = st.sampled_from([("one", "a"), ("one", "b"), ("two", "a")])


def now(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The board in memory waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("it waited")


def said(act: Any) -> Any:
    """The answer, or the code of the refusal."""
    try:
        return act()
    except BoardRefused as error:
        return error.code


class Leases(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.folder = tempfile.TemporaryDirectory()
        self.store = open_store(f"sqlite:///{self.folder.name}/b.db", self.clock)
        self.memory = MemoryBoard(clock=self.clock)
        self.fences: dict[tuple[str, str], int] = {}
        self.highest = 0
        self.holder: tuple[str, str] | None = None
        self.until = 0.0
        self.written = 0

    @initialize()
    def task(self) -> None:
        self.store.write(tasks.add, title="a", by="x", id="t")
        self.memory.add("a", id="t")

    @rule(worker=WORKERS)
    def claim(self, worker: tuple[str, str]) -> None:
        connector, instance = worker
        ours = self.store.write(leases.claim, "t", connector=connector, instance=instance, seconds=LEASE)
        other = now(self.memory.claim("t", connector_id=connector, instance_id=instance, lease_seconds=LEASE))
        assert ours == other
        held = self.holder is not None and self.until > self.clock.now
        assert ours.claimed == (not held or self.holder == worker), "two holders, or a free task that is refused"
        if ours.claimed:
            assert ours.fence is not None
            assert ours.fence == self.highest + (0 if self.holder == worker else 1)
            self.fences[worker] = self.highest = ours.fence
            self.holder, self.until = worker, self.clock.now + LEASE

    @rule(worker=WORKERS)
    def release(self, worker: tuple[str, str]) -> None:
        fence = self.fences.get(worker, 77)
        connector, instance = worker
        ours = said(lambda: self.store.write(leases.release, "t", connector=connector, instance=instance, fence=fence))
        other = said(lambda: now(self.memory.release("t", connector_id=connector, instance_id=instance, fence=fence)))
        assert ours == other == (None if fence == self.highest else "stale_fence")
        if ours is None and self.holder == worker:
            self.holder = None

    @rule(worker=WORKERS)
    def write(self, worker: tuple[str, str]) -> None:
        fence = self.fences.get(worker, 77)

        def checked(tx: Tx) -> None:
            leases.check(tx, "t", fence)
            tasks.comment(tx, "t", "x", by="x")

        ours = said(lambda: self.store.write(checked))
        other = said(lambda: now(self.memory.comment("t", "x", fence=fence)) and None)
        assert ours == other == (None if fence == self.highest else "stale_fence")
        self.written += ours is None

    @rule(seconds=st.sampled_from([1.0, LEASE / 2, LEASE - 0.5, LEASE, LEASE + 1]))
    def forward(self, seconds: float) -> None:
        forward(self.store, self.clock, seconds)

    @rule(seconds=st.sampled_from([-1e6, -3.0, 2 * LEASE, 1e6]))
    def jump(self, seconds: float) -> None:
        """The clock is put elsewhere, and no time has passed."""
        self.store.write(lease_clock.look)
        self.clock.now += seconds
        self.store.write(lease_clock.look, 0)
        self.memory.world.jumped += seconds
        self.until += seconds

    @invariant()
    def what_was_refused_left_nothing(self) -> None:
        if "t" in self.memory.world.tasks:
            assert len(self.store.read(tasks.get, "t").comments) == self.written

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()


def test_leases_in_any_order():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(Leases, settings=settings(max_examples=25, stateful_step_count=25, deadline=None))


@pytest.mark.soak
def test_leases_in_any_order_for_long():
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(Leases, settings=settings(max_examples=300, stateful_step_count=50, deadline=None))
