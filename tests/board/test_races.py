"""Two processes at one SQLite file."""

from pathlib import Path

from tests.board.races import race


def test_two_processes_claim_every_task_once(tmp_path: Path):
    made, got = race(f"sqlite:///{tmp_path}/board.db", 60, ("one", "two"))
    claimed = [id for ids in got for id in ids]
    assert sorted(claimed) == sorted(made)
