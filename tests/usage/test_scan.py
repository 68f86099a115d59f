"""What a scan finds, and that it finds the same however the logs grew, moved or broke."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from tests.usage.conftest import answer

from agent_connector.errors import UsageError
from agent_connector.home import paths
from agent_connector.hosts.claude_code import usage as claude
from agent_connector.hosts.records import Place, Reader
from agent_connector.testing.usage_logs import SECRETS, write
from agent_connector.usage import batches, index, reading, rollups, scan, store, worker

HOSTS = ("claude-code", "codex")


@pytest.fixture(autouse=True, params=("merged", "filled", "crowded"))
def _way_into_the_index(request, monkeypatch):
    """Rows are merged; an empty index is filled at once; it is filled, and most keys look as if they had been met."""
    monkeypatch.setattr(index, "_MUCH", 1 << 60 if request.param == "merged" else 0)
    if request.param == "crowded":
        monkeypatch.setattr(store, "_SLOTS", 15)


@pytest.mark.parametrize("host", HOSTS)
def test_recorded_logs_come_to_what_the_model_reported(home, golden, host):
    truth = golden(host)
    assert not home.scan().problems
    assert home.by("session", host) == truth


def test_generated_logs_come_to_their_truth_and_leave_no_content_behind(home):
    truth = write(home.path, 3 << 20, seed=11)
    home.scan()
    for host in HOSTS:
        assert home.sums(host) == truth.hosts[host].values()
        models = {model: counts.values() for (of, model), counts in truth.models.items() if of == host}
        assert home.by("model", host) == models
    sessions = {session: counts.values() for (of, session), counts in truth.sessions.items() if of == "codex"}
    assert home.by("session", "codex") == sessions
    with index.writing(home.root) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = b"".join(path.read_bytes() for path in Path(home.root, "usage").iterdir())
    assert not [secret for secret in SECRETS if secret.encode() in kept]
    assert b"/home/user/" not in kept  # a project's folder; its name may be there
    assert b"shop" in kept


def test_one_process_and_two_find_the_same(home, monkeypatch):
    write(home.path, 2 << 20, seed=4)
    monkeypatch.setattr(reading, "WORTH_TWO", 0)
    home.scan()
    two = home.everything()
    monkeypatch.setattr(reading, "WORTH_TWO", 1 << 60)
    scan.rebuild(home.root, home.machine())
    assert home.everything() == two


def test_a_second_process_that_dies_takes_nothing_with_it(home, monkeypatch):
    truth = write(home.path, 2 << 20, seed=4)
    monkeypatch.setattr(reading, "WORTH_TWO", 0)
    receive, met = worker.Worker.receive, []

    def die(self):
        met.append(1)
        if len(met) == 1:
            self.process.kill()
        return receive(self)

    monkeypatch.setattr(worker.Worker, "receive", die)
    home.scan()
    assert met
    assert [home.sums(host) for host in HOSTS] == [truth.hosts[host].values() for host in HOSTS]


FORKS = """
import os, signal, sys
from agent_connector.hosts.machine import Machine
from agent_connector.usage import reading, scan, worker

home, root, dies = sys.argv[1:]
reading.WORTH_TWO, forked, receive = 0, worker._forked, worker.Worker.receive
pids = []

def noted():
    process = forked()
    pids.append(process.pid)
    return process

def die(self):
    os.kill(self.process.pid, signal.SIGKILL)
    worker.Worker.receive = receive
    return receive(self)

worker._forked = noted
if dies:
    worker.Worker.receive = die
scan.scan(root, Machine(home, "linux", {}), ("claude-code", "codex"))
assert len(pids) == 1, "a second process was forked"
try:
    os.kill(pids[0], 0)
except ProcessLookupError:
    print("gone")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks; the others start an interpreter")
@pytest.mark.parametrize("dies", ["", "dies"])
def test_a_forked_process_finds_the_same_and_leaves_nothing_behind(home, tmp_path, dies):
    """In a program of its own: only one that has no other threads forks."""
    truth = write(home.path, 2 << 20, seed=4)
    words = [sys.executable, "-c", FORKS, str(home.path), home.root, dies]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "gone\n", "")
    assert [home.sums(host) for host in HOSTS] == [truth.hosts[host].values() for host in HOSTS]


def test_only_what_grew_is_read_again(home, monkeypatch):
    path = home.session()
    path.write_bytes(answer(1) + answer(2))
    home.session("s2").write_bytes(answer(5, session="s2"))
    assert home.scan().read == path.stat().st_size + home.session("s2").stat().st_size
    assert home.scan().read == 0
    seen = []
    spy = Reader("lines", 1, lambda lines, state, source: seen.append(lines) or claude.transcript(lines, state, source))
    monkeypatch.setattr(claude, "READERS", {"transcript": spy})
    with path.open("ab") as stream:
        stream.write(answer(3))
    home.scan()
    assert seen == [answer(3)]
    assert home.sums("claude-code")[:2] == (4, 11)


def test_a_line_that_is_still_being_written_waits(home):
    path = home.session()
    line = answer(2)
    path.write_bytes(answer(1) + line[:50])
    home.scan()
    assert home.sums("claude-code")[:2] == (1, 1)
    with path.open("ab") as stream:
        stream.write(line[50:])
    home.scan()
    assert home.sums("claude-code")[:2] == (2, 3)


def test_a_last_line_without_its_end_counts_when_nothing_can_be_missing(home):
    path = home.session()
    path.write_bytes(answer(1) + answer(2)[:-1])
    home.scan()
    assert home.sums("claude-code")[:2] == (2, 3)
    with path.open("ab") as stream:
        stream.write(b"\n" + answer(3))
    home.scan()
    assert home.sums("claude-code")[:2] == (3, 6)


def test_a_host_that_writes_meanwhile_makes_a_scan_late_and_never_wrong(home):
    path, last = home.session(), 300
    path.write_bytes(b"")

    def host():
        with path.open("ab", buffering=0) as stream:
            for number in range(1, last + 1):
                line = answer(number)
                stream.write(line[: number % len(line)])
                stream.write(line[number % len(line) :])

    thread = threading.Thread(target=host)
    thread.start()
    before = 0
    while thread.is_alive():
        home.scan()
        units, total = home.sums("claude-code")[:2]
        assert units >= before
        assert total == units * (units + 1) // 2  # the first ones, and each once
        before = units
    thread.join()
    home.scan()
    assert home.sums("claude-code")[0] == last


def test_what_a_host_cleaned_up_stays_known(home):
    path = home.session()
    path.write_bytes(answer(1) + answer(2))
    home.scan()
    path.unlink()
    result = home.scan()
    assert home.sums("claude-code")[:2] == (2, 3)
    assert (result.hosts[0].files, result.hosts[0].units) == (0, 2)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.write_bytes(answer(7) + answer(2) + answer(3) + answer(4)),  # rewritten, and longer
        lambda path: path.write_bytes(answer(7)),  # truncated and begun again
        lambda path: (path.rename(path.with_suffix(".old")), path.write_bytes(answer(7) + answer(8) + answer(9))),
    ],
    ids=["rewritten", "truncated", "rotated"],
)
def test_a_file_that_was_replaced_is_read_from_its_beginning(home, touch, change):
    path = home.session()
    path.write_bytes(answer(1) + answer(2))
    touch(path, 1)
    home.scan()
    change(path)
    touch(path, 2)
    home.scan()
    found = {row[0] for row in home.ask("SELECT input FROM units")}
    assert {1, 2, 7} <= found  # what it held before was used all the same
    assert len(found) == home.sums("claude-code")[0]
    assert home.scan().read == 0


def test_a_file_that_is_rewritten_again_and_again_leaves_no_heap_of_copies(home, touch):
    path = home.session()
    for turn in range(5):
        path.write_bytes(b'{"type":"title","title":"%d"}\n' % turn + b"".join(answer(n) for n in range(1, 4)))
        touch(path, turn)
        home.scan()
    assert home.sums("claude-code")[:2] == (3, 6)
    assert home.ask("SELECT count(*) FROM sightings") == [(0,)]


def test_what_an_older_reader_made_is_made_again(home, monkeypatch):
    home.session().write_bytes(answer(1) + answer(2))
    home.scan()

    def doubled(lines, state, source):
        return [
            batches.msgspec.structs.replace(each, input=each.input * 2)
            for each in claude.transcript(lines, state, source)
        ]

    monkeypatch.setattr(claude, "READERS", {"transcript": Reader("lines", 2, doubled)})
    home.scan()
    assert home.sums("claude-code")[:2] == (2, 6)


def test_copies_of_a_transcript_add_nothing(home):
    home.session().write_bytes(answer(1) + answer(2))
    home.session(folder="-moved").write_bytes(answer(1) + answer(2) + answer(3))
    os.symlink(home.path / ".claude" / "projects" / "-p", home.path / ".claude" / "projects" / "-linked")
    result = home.scan()
    assert result.hosts[0].files == 2
    assert home.sums("claude-code")[:2] == (3, 6)


def test_a_scan_that_was_killed_goes_on_where_it_was(home):
    truth = write(home.path, 8 << 20, seed=9)
    code = (
        "import os, sys\n"
        "from agent_connector.hosts.machine import Machine\n"
        "from agent_connector.usage import reading, scan\n"
        "reading._COMMIT_ROWS, reading._MERGE_ROWS, reading.WORTH_TWO = 40, 120, 0\n"
        "commit, left = reading.Writer._commit, [int(sys.argv[3])]\n"
        "def dying(self, merge):\n"
        "    commit(self, merge)\n"
        "    left[0] -= 1\n"
        "    if not left[0]: os._exit(9)\n"
        "reading.Writer._commit = dying\n"
        "scan.scan(sys.argv[1], Machine(sys.argv[2], 'linux', {}), ('claude-code', 'codex'))\n"
    )
    before = (0, 0)
    for commits in (3, 4, 2):
        command = [sys.executable, "-c", code, home.root, str(home.path), str(commits)]
        assert subprocess.run(command, check=False, timeout=120).returncode == 9
        now = tuple(home.sums(host)[0] for host in HOSTS)
        assert all(one <= other for one, other in zip(before, now, strict=True))
        before = now
    home.scan()
    assert [home.sums(host) for host in HOSTS] == [truth.hosts[host].values() for host in HOSTS]


def test_what_a_killed_scan_had_read_counts_though_no_log_changed_since(home, monkeypatch):
    home.session().write_bytes(answer(1) + answer(2))
    with monkeypatch.context() as killed:
        killed.setattr(store.Store, "merge", lambda self: None)
        home.scan()
    assert home.scan().read == 0
    assert home.sums("claude-code")[:2] == (2, 3)


def test_sums_that_were_made_of_a_half_filled_index_are_made_again(home, monkeypatch):
    home.session().write_bytes(answer(1) + answer(2))
    with monkeypatch.context() as killed:
        killed.setattr(store.Store, "merge", lambda self: None)
        home.scan()
    with rollups.rolled(home.root):
        pass
    home.session(folder="-moved").write_bytes(answer(2, output=20) + answer(3))
    home.scan()
    with rollups.rolled(home.root) as connection:
        assert connection.execute("SELECT sum(units), sum(output) FROM sums").fetchone() == (3, 40)
        assert connection.execute("SELECT sum(units), sum(output) FROM days").fetchone() == (3, 40)


def test_two_scans_at_once_both_succeed(home):
    truth = write(home.path, 2 << 20, seed=2)
    code = (
        "import sys\n"
        "from agent_connector.hosts.machine import Machine\n"
        "from agent_connector.usage import scan\n"
        "scan.scan(sys.argv[1], Machine(sys.argv[2], 'linux', {}), ('claude-code', 'codex'))\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, home.root, str(home.path)]) for _ in range(2)]
    assert [process.wait(120) for process in both] == [0, 0]
    assert [home.sums(host) for host in HOSTS] == [truth.hosts[host].values() for host in HOSTS]


def test_a_log_that_cannot_be_read_is_said_and_the_others_are_read(home, monkeypatch):
    home.session("good").write_bytes(answer(1))
    bad = home.session("bad")
    bad.write_bytes(answer(2, session="bad"))

    def read(lines, state, source):
        if source.path == str(bad):
            raise batches.UnknownFormat("a transcript without a type", "9.9.9")
        return claude.transcript(lines, state, source)

    monkeypatch.setattr(claude, "READERS", {"transcript": Reader("lines", 1, read)})
    for _ in range(2):  # it is said as long as it is so, though nothing is read anew
        (problem,) = home.scan().problems
        assert (problem.path, problem.what, problem.version) == (str(bad), "a transcript without a type", "9.9.9")
    assert home.sums("claude-code")[:2] == (1, 1)


def test_a_database_is_read_while_its_host_writes_and_a_broken_one_is_said(home, monkeypatch):
    def rows(connection, state, source):
        found = connection.execute("SELECT id, tokens FROM calls WHERE id > ?", (state.get("last", 0),)).fetchall()
        for number, tokens in found:
            state["last"] = number
            yield batches.Record(f"call {number}", "s", 1_796_000_000_000, "m", input=tokens)

    monkeypatch.setattr(claude, "READERS", {"calls": Reader("database", 1, rows)})
    monkeypatch.setattr(claude, "logs", lambda machine: [Place(str(home.path), "*.db", "calls")])
    home.path.mkdir()
    host = sqlite3.connect(home.path / "a.db", isolation_level=None)
    host.executescript("PRAGMA journal_mode = WAL; CREATE TABLE calls (id INTEGER PRIMARY KEY, tokens INTEGER)")
    (home.path / "b.db").write_bytes(b"no database at all, but long enough to be taken for one" * 50)
    for number in (1, 2, 3):
        host.execute("INSERT INTO calls (tokens) VALUES (?)", (number,))  # it stays in the write-ahead log
        (problem,) = home.scan("claude-code").problems
        assert (problem.path, problem.what) == (str(home.path / "b.db"), "file is not a database")
        assert home.sums("claude-code")[0] == number
    host.close()
    assert home.sums("claude-code")[:2] == (3, 6)


def test_rebuild_reads_everything_again(home):
    home.session().write_bytes(answer(1))
    home.scan()
    shutil.rmtree(home.path / ".claude")
    home.session("s2").write_bytes(answer(2, session="s2"))
    scan.rebuild(home.root, home.machine())
    assert home.sums("claude-code")[:2] == (1, 2)


def test_who_keeps_sums_learns_which_hours_changed(home):
    path = home.session()
    path.write_bytes(answer(1) + answer(2))
    home.scan()
    with index.open_index(home.root) as connection:
        before = index.generation(connection)
    home.scan()
    with path.open("ab") as stream:
        stream.write(answer(2, output=90) + answer(5))
    home.scan()
    hours = home.ask("SELECT hour % 24 FROM hours WHERE generation > ? ORDER BY 1", before)
    assert hours == [(2,), (5,)]


def test_an_index_of_an_older_version_is_made_again_and_one_of_a_newer_is_left(home):
    home.session().write_bytes(answer(1))
    home.scan()
    version(home, 0)
    assert home.sums("claude-code")[0] == 0
    home.scan()
    assert home.sums("claude-code")[0] == 1
    version(home, 999)
    with pytest.raises(UsageError, match="newer"):
        home.scan()
    scan.rebuild(home.root, home.machine())
    assert home.sums("claude-code")[0] == 1


def test_a_damaged_index_is_said_and_can_be_made_again(home):
    home.session().write_bytes(answer(1))
    home.scan()
    for name in os.listdir(os.path.join(home.root, "usage")):
        Path(home.root, "usage", name).unlink()
    Path(home.root, "usage", "usage.db").write_bytes(b"no index " * 2000)
    with pytest.raises(UsageError, match="not a database"):
        home.scan()
    scan.rebuild(home.root, home.machine())
    assert home.sums("claude-code")[0] == 1


def version(home, number):
    with closing(sqlite3.connect(paths.usage_index(home.root))) as connection:
        connection.execute(f"PRAGMA user_version = {number}")
