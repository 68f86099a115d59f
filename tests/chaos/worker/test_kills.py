"""Workers are killed at any point, and so is the board: each task is done once, and no line that was kept is lost or doubled."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.worker.actors import LEASE
from tests.chaos.worker.play import WORKERS, Nursery, Play, begun, logs, overlaps

pytestmark = pytest.mark.chaos


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    made = Nursery(tmp_path_factory.mktemp("nursery"))
    yield made
    made.close()


@pytest.fixture
def play(tmp_path: Path, nursery: Nursery) -> Iterator[Callable[..., Play]]:
    made: list[Play] = []

    def make(**told: Any) -> Play:
        made.append(Play(nursery, tmp_path, **told))
        return made[-1]

    yield make
    for one in made:
        one.close()


def judge(play: Play) -> None:
    """What must hold once everything is told."""
    done = Counter(task for (task,) in play.ask("SELECT task_id FROM board_runs WHERE status = 'succeeded'"))
    assert done == Counter(play.tasks), {task: n for task, n in done.items() if n != 1}
    said = Counter(task for (task,) in play.ask("SELECT task_id FROM board_comments"))
    assert said == Counter(play.tasks), {task: n for task, n in said.items() if n != 1}
    assert play.ask("SELECT DISTINCT status FROM board_runs ORDER BY status") in (
        [("cancelled",), ("succeeded",)],
        [("succeeded",)],
    )
    found = logs(play)
    texts = Counter(text for lines in found.values() for _, text in lines)
    assert not [text for text, count in texts.items() if count > 1]
    for (run,) in play.ask("SELECT id FROM board_runs WHERE status = 'succeeded'"):
        assert [text.split()[-1] for _, text in found[run]] == [str(number) for number in range(play.lines)], run
    for kept in play.kept:
        assert (kept.seq, kept.text) in found[kept.board_run], kept
    assert overlaps(play) == []


def freed(play: Play) -> None:
    """No lease is held past its expiry, and nobody is left to prolong one."""
    for name in WORKERS:
        play.end(name)
    time.sleep(LEASE)
    ((until,),) = play.ask("SELECT MAX(until) FROM board_leases WHERE connector IS NOT NULL")
    assert until is None or until < time.time() * 1_000_000


@pytest.mark.parametrize("running", [True, False])
def test_killed_workers_and_a_killed_board(play: Callable[..., Play], running: bool) -> None:
    one = play(count=16, lines=12, seconds=0.4, running=running)
    for name in ("board", *WORKERS):
        one.start(name)
    one.rage(pause=(0.0, 0.7), away=(0.1, LEASE + 1), kills=8)
    one.settle(90)
    judge(one)
    freed(one)
    assert max(begun(one).values()) > 1  # runs were cut, and done again


@pytest.mark.soak
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("running", [True, False])
def test_a_thousand_tasks(play: Callable[..., Play], running: bool) -> None:
    one = play(count=1_000, lines=20, seconds=0.5, running=running, seed=time.time_ns())
    for name in ("board", *WORKERS):
        one.start(name)
    one.rage(pause=(0.0, 1.0), away=(0.1, LEASE + 1), kills=120)
    one.settle(3000)
    judge(one)
    freed(one)
