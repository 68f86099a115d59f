"""The book: what many processes append and several fold is in it once, whatever is killed."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.telemetry.proxy import LIMIT, PACKAGE

from agent_connector.errors import TelemetryError
from agent_connector.home import paths
from agent_connector.telemetry import append, store

SETUP = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
WRITE = (
    SETUP
    + """
from agent_connector.telemetry.append import append
for n in range(int(sys.argv[3])):
    append(sys.argv[1], {'scope': 'call', 'connector': 'c', 'session': sys.argv[2], 'tool': str(n), 'in': 1, 'out': 2, 'ms': 1.5})
    if sys.argv[4:] == ['tell']:
        sys.stdout.write('.'); sys.stdout.flush()
    if sys.argv[4:] == ['slowly']:
        __import__('time').sleep(0.003)
"""
)
FOLD = (
    SETUP
    + """
from agent_connector.telemetry import store
while True:
    with store.book(sys.argv[1]) as book:
        pass
    sys.stdout.write('.'); sys.stdout.flush()
"""
)


def start(code: str, *words: str, **options: Any) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.DEVNULL, **options)


def put(root: Path, **fields: Any) -> None:
    row = {"scope": "call", "connector": "c", "tool": "t", "source": "tokenizer-exact", "in": 1, "out": 2, "ms": 4.0}
    assert append.append(str(root), row | fields)


def all_rows(root: Path) -> list[tuple[str, str]]:
    with store.book(str(root)) as book:
        return sorted(book.execute("SELECT session, tool FROM rows"))


def segment(root: Path, day: str = "") -> Path:
    folder = root / "telemetry" / "segments"
    (found,) = folder.glob(f"{day}*.jsonl")
    return found


def test_eight_writers_and_two_folders_lose_nothing_and_count_nothing_twice(tmp_path: Path) -> None:
    root, writers, each = str(tmp_path), 8, 150
    folders = [start(FOLD, root) for _ in range(2)]
    busy = [start(WRITE, root, str(number), str(each)) for number in range(writers)]
    assert [writer.wait(LIMIT) for writer in busy] == [0] * writers
    for folder in folders:
        folder.kill()
        folder.wait(LIMIT)
    expected = sorted((str(number), str(n)) for number in range(writers) for n in range(each))
    assert all_rows(tmp_path) == expected
    with store.book(root) as book:
        sums = book.execute("SELECT sum(calls), sum(tokens_in), sum(tokens_out), sum(timed) FROM days").fetchone()
    assert sums == (writers * each, writers * each, 2 * writers * each, writers * each)


@pytest.mark.chaos
def test_killed_folders_leave_each_row_in_the_book_once(tmp_path: Path) -> None:
    root, dice = str(tmp_path), random.Random(7)
    writers = [start(WRITE, root, str(number), "300", "slowly") for number in range(3)]
    while any(writer.poll() is None for writer in writers):
        folder = start(FOLD, root)
        time.sleep(dice.uniform(0.06, 0.2))
        folder.send_signal(signal.SIGKILL)
        folder.wait(LIMIT)
    assert all_rows(tmp_path) == sorted((str(number), str(n)) for number in range(3) for n in range(300))


DIE = (
    SETUP
    + """
import os, time
from agent_connector.telemetry import append, store
root, killed = sys.argv[1], 0
for step in range(10_000):
    append.append(root, {'scope': 'call', 'connector': 'c', 'session': 's', 'tool': str(step), 'in': 1})
    if (pid := os.fork()) == 0:
        left = step
        def trace(frame, event, argument):
            global left
            if frame.f_code.co_filename == store.__file__ and event == 'line':
                left -= 1
                if left < 0:
                    os._exit(9)
            return trace
        sys.settrace(trace)
        with store.book(root):
            pass
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0:
        break
    killed += 1
    with store.book(root):
        pass
print(killed, step + 1)
"""
)


@pytest.mark.chaos
def test_a_folder_that_is_killed_at_any_line_of_its_code_spoils_nothing(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", DIE, str(tmp_path)]
    killed, rows = subprocess.run(argv, capture_output=True, text=True, check=True, timeout=LIMIT).stdout.split()
    assert int(killed) > 100
    assert sorted(int(tool) for _, tool in all_rows(tmp_path)) == list(range(int(rows)))
    with store.book(str(tmp_path)) as book:
        assert book.execute("SELECT sum(calls), sum(tokens_in) FROM days").fetchone() == (int(rows), int(rows))


@pytest.mark.chaos
def test_killed_writers_lose_at_most_what_they_had_not_written(tmp_path: Path) -> None:
    root = str(tmp_path)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITE, root, str(number), "100000", "tell"], stdout=subprocess.PIPE)
        for number in range(4)
    ]
    told: list[int] = []
    for writer in writers:
        assert writer.stdout
        told.append(len(os.read(writer.stdout.fileno(), 50)))
        writer.kill()
        told[-1] += len(writer.stdout.read())
        writer.stdout.close()
        writer.wait(LIMIT)
    found = all_rows(tmp_path)
    for number in range(4):
        mine = sorted(int(tool) for session, tool in found if session == str(number))
        assert mine == list(range(len(mine)))
        assert len(mine) >= told[number]


def test_folding_again_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path)
    for _ in range(3):
        assert len(all_rows(tmp_path)) == 1
    put(tmp_path)
    assert len(all_rows(tmp_path)) == 2


def test_a_row_behind_a_torn_one_is_found(tmp_path: Path) -> None:
    put(tmp_path, tool="one")
    with segment(tmp_path).open("ab") as file:
        file.write(b'{"v":1,"t":1790000000000,"scope":"ca')
    put(tmp_path, tool="two")
    assert [tool for _, tool in all_rows(tmp_path)] == ["one", "two"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff\xff",
        b'{"t":"x"}',
        b'{"v":1,"t":-5}',
        b'{"v":1,"t":9e99}',
        b'{"v":1,"t":99999999999999999}',
    ],
)
def test_what_is_no_row_is_passed_over(tmp_path: Path, line: bytes) -> None:
    put(tmp_path, tool="one")
    with segment(tmp_path).open("ab") as file:
        file.write(line + b"\n")
    put(tmp_path, tool="two")
    assert [tool for _, tool in all_rows(tmp_path)] == ["one", "two"]


def test_rows_with_odd_values_are_kept_as_far_as_they_make_sense(tmp_path: Path) -> None:
    put(tmp_path)
    with segment(tmp_path).open("ab") as file:
        file.write(json.dumps({"v": 1, "t": 1, "tool": ["x"], "in": "many", "ms": "long", "n": None}).encode() + b"\n")
    with store.book(str(tmp_path)) as book:
        found = book.execute("SELECT tokens_in, ms, n, source FROM rows WHERE t = 1").fetchone()
    assert found == (0, None, 0, "heuristic") or found == (0, None, 1, "heuristic")


def test_an_unfinished_line_waits_for_its_end(tmp_path: Path) -> None:
    put(tmp_path, tool="one")
    line = append.line({"tool": "two", "connector": "c"})
    with segment(tmp_path).open("ab") as file:
        file.write(line[:20])
    assert [tool for _, tool in all_rows(tmp_path)] == ["one"]
    with segment(tmp_path).open("ab") as file:
        file.write(line[20:])
    assert [tool for _, tool in all_rows(tmp_path)] == ["one", "two"]


def test_a_segment_goes_once_it_is_old_and_read_to_its_end(tmp_path: Path) -> None:
    put(tmp_path, tool="one")
    old = segment(tmp_path).with_name("20200101.here.jsonl")
    segment(tmp_path).rename(old)
    with old.open("ab") as file:
        file.write(b'{"v":1,"torn')
    put(tmp_path, tool="two")
    for _ in range(2):
        assert [tool for _, tool in all_rows(tmp_path)] == ["one", "two"]
    assert not old.exists()
    assert segment(tmp_path).exists()


def test_a_large_segment_is_folded_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_TAKE", 700)
    for number in range(50):
        put(tmp_path, tool=str(number))
    assert len(all_rows(tmp_path)) == 50


def test_counts_are_kept_as_long_as_the_connector_says(tmp_path: Path) -> None:
    now = time.time_ns() // 1_000_000
    for connector in ("short", "long"):
        for age in (0, 20):
            put(tmp_path, connector=connector, t=now - age * 86_400_000)
    with store.book(str(tmp_path), {"short": 7, "long": 90}) as book:
        for table in ("SELECT connector FROM rows", "SELECT connector FROM days"):
            assert sorted(name for (name,) in book.execute(table)) == ["long", "long", "short"]


def test_the_book_is_private_and_in_wal_mode(tmp_path: Path) -> None:
    put(tmp_path)
    with store.book(str(tmp_path)) as book:
        assert book.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert (tmp_path / "telemetry" / "telemetry.db").stat().st_mode & 0o777 == 0o600


def test_a_damaged_book_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    put(tmp_path)
    path = tmp_path / "telemetry" / "telemetry.db"
    path.write_bytes(b"this is no database at all" * 200)
    with pytest.raises(TelemetryError) as caught, store.book(str(tmp_path)):
        pass
    assert str(path) in str(caught.value)
    assert "move the file away" in str(caught.value)
    path.unlink()
    assert len(all_rows(tmp_path)) == 1


def test_a_reader_that_fails_half_way_rolls_back(tmp_path: Path) -> None:
    put(tmp_path)
    with store.book(str(tmp_path)) as book:
        with pytest.raises(sqlite3.OperationalError), store.transaction(book):
            book.execute("DELETE FROM rows")
            book.execute("SELECT * FROM nothing")
        assert book.execute("SELECT count(*) FROM rows").fetchone() == (1,)


@pytest.mark.parametrize(
    "field",
    [
        '"in":1e999', '"in":NaN', '"in":' + "9" * 30, '"in":-5', '"n":1e300', '"ms":NaN', '"ms":-1', '"ms":1e999',
        '"session":"\\ud800"', '"source":"\\udfff"', '"project":"p","project_name":"\\ud800"', '"x":' + "[" * 90_000,
    ],
)  # fmt: skip
def test_a_line_with_impossible_values_keeps_no_other_out(tmp_path: Path, field: str) -> None:
    put(tmp_path)
    (segment,) = Path(paths.segments_folder(str(tmp_path))).iterdir()
    with segment.open("a") as file:
        file.write(f'{{"v":1,"t":{time.time_ns() // 1_000_000},"scope":"call","connector":"c","in":1,{field}}}\n')
    put(tmp_path)
    with store.book(str(tmp_path)) as book:
        counted, least, most = book.execute("SELECT sum(calls), min(tokens_in), max(ms) FROM days").fetchone()
    assert counted in (2, 3) and least >= 0 and most < 1e6


def test_a_folder_in_the_place_of_a_segment_is_said(tmp_path: Path) -> None:
    os.makedirs(os.path.join(paths.segments_folder(str(tmp_path)), "20200101-x.jsonl"))
    with pytest.raises(TelemetryError, match="the counts cannot be read"), store.book(str(tmp_path)):
        pass


def test_a_disk_without_room_is_not_taken_for_damage(tmp_path: Path) -> None:
    """Who is told to move the book away loses what is in it."""
    root = str(tmp_path)
    with store.book(root):
        pass
    with pytest.raises(TelemetryError) as full, store.book(root) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("CREATE TABLE more AS SELECT randomblob(1000000)")
    assert "make room" in full.value.remedy and "move" not in full.value.remedy
    Path(paths.telemetry_store(root)).write_bytes(b"no database" * 1000)
    with pytest.raises(TelemetryError, match="move the file away"), store.book(root):
        pass
