"""The worker's memory: one process at a time, all or nothing, and an error that says what to do when the disk is full."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from agent_connector.errors import WorkerError
from agent_connector.worker.state import Run, State, Waiting
from agent_connector.worker.values import Session

RUN = Run("r", "t", None, False, "i", 1, "todo")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "deep" / "state.db")


def filled(state: State) -> None:
    """No page more may be written."""
    (pages,) = state.rows("PRAGMA page_count")[0]
    state.run(f"PRAGMA max_page_count = {pages}")


def test_what_was_written_is_there_after_a_restart_and_only_its_owner_reads_it(path: str) -> None:
    with State(path) as state:
        state.begin(RUN)
        state.post("r", "t", "log", {"events": [{"text": "caf\udce9 \u2028 💥"}]})  # no board takes half a character
    assert Path(path).stat().st_mode & 0o777 == 0o600
    with State(path) as state:
        assert state.held("r") == RUN
        letter = state.next_letter("r")
        assert letter is not None and letter.body["events"][0]["text"] == "caf? \u2028 💥"


def test_a_full_disk_is_said_and_nothing_is_half_written(path: str) -> None:
    with State(path) as state:
        state.begin(RUN)
        filled(state)
        with pytest.raises(WorkerError, match="no space is left") as caught, state.at_once():
            state.update("r", state="settling")
            state.post("r", "t", "log", {"text": "x" * 100_000})
        assert caught.value.where == path and "Make room" in caught.value.remedy
        state.run("PRAGMA max_page_count = 100000")
        assert state.held("r") == RUN and state.next_letter("r") is None
        with state.at_once():
            state.post("r", "t", "log", {"text": "x" * 100_000})
        assert state.posting() == ["r"]


@pytest.mark.parametrize("damage", ["no database", "torn"])
def test_a_damaged_file_is_said_and_left_as_it_is(path: str, damage: str) -> None:
    with State(path) as state:
        for number in range(300):
            state.post(f"r{number}", "t", "log", {"text": "x" * 500})
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    data = Path(path).read_bytes()
    Path(path).write_bytes(b"not a database " * 1_000 if damage == "no database" else data[: len(data) // 2])
    before = Path(path).read_bytes()
    with pytest.raises(WorkerError, match="the state cannot be used") as caught:
        State(path)
    assert "damaged" in caught.value.remedy and Path(path).read_bytes() == before


def test_a_state_of_a_later_version_is_not_touched(path: str) -> None:
    with State(path) as state:
        state.run("PRAGMA user_version = 9")
    with pytest.raises(WorkerError, match="another version"):
        State(path)


def test_a_state_of_an_earlier_version_is_brought_up(path: str) -> None:
    with State(path) as state:
        state.begin(RUN)
        state.run("DROP TABLE movers")
        state.run("PRAGMA user_version = 1")
    for _ in range(2):
        with State(path) as state:
            state.moved_by("t", "ada@example.com")
            assert state.held("r") == RUN and state.mover("t") == "ada@example.com"


HOLDER = """
import sys
from agent_connector.worker.state import State
with State(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_refused_until_the_first_is_dead(path: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        with pytest.raises(WorkerError, match="another worker works with this state"):
            State(path)
        holder.kill()
    State(path).close()


def test_the_session_of_a_task_is_known_until_the_task_is_done(path: str) -> None:
    from agent_connector.drive.events import Usage
    from agent_connector.worker.values import Session

    session = Session("codex", "s", Usage(1, output=2))
    with State(path) as state:
        assert state.attempt("t") == (1, None)
        state.go_on_with("t", session)
        state.go_on_with("t", None)
        assert state.attempt("t") == (2, session)
        state.settle("t", "2026-01-01T00:00:00Z", away=True)
        assert state.attempt("t") == (1, None)


def test_half_a_character_is_no_fault_and_what_no_database_holds_is_said(path: str) -> None:
    with State(path) as state:
        state.allow("t", "x \ud83d")
        assert state.allowed("t") == {"x ?"}
        state.wait_for_person("t", Waiting("marker", "why \ud83d", "", "", Session("codex", "\ud83d")))
        assert state.waiting("t") == Waiting("marker", "why ?", "", "", Session("codex", "?"))
        with pytest.raises(WorkerError, match="cannot hold"):
            state.rows("SELECT ?", 2**70)


def test_who_waits_for_a_person_is_known_until_the_answer(path: str) -> None:
    with State(path) as state:
        for task in ("b", "a", "c"):
            state.wait_for_person(task, Waiting("marker", "why", "", "", None))
        state.answered("c")
        assert state.waiting_tasks() == ["a", "b"]
