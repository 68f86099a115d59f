"""A board, workers, and somebody who kills them; afterwards, what the board and the diary tell."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.ports import free_port

from agent_connector.board import keys, tasks, users
from agent_connector.board.store import open_store
from agent_connector.testing.board_stage import hashed

WORKERS = ("w1", "w2", "w3", "w4")
ROOT = Path(__file__).parents[3]


@dataclass
class Kept:
    """A log event that a dead worker's outbox held."""

    board_run: str
    seq: int
    text: str


class Nursery:
    """The process that starts actors; see nursery.py."""

    def __init__(self, folder: Path) -> None:
        self.log = (folder / "stderr").open("w+")
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.worker.nursery"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=environment,
            cwd=ROOT,
        )
        assert self._answer() == "ready"

    def born(self, given: list[Any]) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(given) + "\n")
        self.process.stdin.flush()
        return int(self._answer())

    def said(self) -> str:
        """The end of what the actors complained about."""
        return Path(self.log.name).read_text()[-4_000:]

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.log.close()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        answer = self.process.stdout.readline().strip()
        assert answer, self.said()
        return answer


@dataclass
class Play:
    nursery: Nursery
    folder: Path
    count: int
    lines: int
    seconds: float
    running: bool = True
    seed: int = 1
    pids: dict[str, int] = field(default_factory=dict[str, int])
    kept: list[Kept] = field(default_factory=list[Kept])

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.database = f"sqlite:///{self.folder}/board.db"
        self.port = free_port()
        store = open_store(self.database)
        self.keys: dict[str, str] = {}
        for name in WORKERS:
            user = store.write(users.add, f"{name}@example.com", hashed())
            self.keys[name] = store.write(keys.mint, user.id, None)
        self.tasks = [store.write(tasks.add, title=f"task {n}", by="ada@example.com").id for n in range(self.count)]
        store.close()
        (self.folder / "diary").touch()

    def start(self, name: str) -> None:
        given: list[Any] = ["board", self.database, self.port]
        if name != "board":
            url = f"http://127.0.0.1:{self.port}"
            given = ["worker", str(self.folder), url, self.keys[name], name, self.lines, self.seconds, self.running]
        self.pids[name] = self.nursery.born(given)

    def end(self, name: str, how: signal.Signals = signal.SIGKILL) -> None:
        """Ended, and gone. What a worker's outbox held is noted."""
        pid = self.pids.pop(name)
        assert alive(pid), f"{name} ended by itself:\n{self.stderr()}"
        os.kill(pid, how)
        limit = time.monotonic() + 60
        while alive(pid):
            assert time.monotonic() < limit, f"{name} does not end"
            time.sleep(0.01)
        if name != "board":
            self._diary("gone", str(pid))
            self.kept += outbox(self.folder / f"{name}.db")

    def close(self) -> None:
        for pid in self.pids.values():
            if alive(pid):
                os.kill(pid, signal.SIGKILL)

    def left(self) -> int:
        """Tasks that are not done."""
        return self.count - self.ask("SELECT COUNT(*) FROM board_tasks WHERE status = 'done'")[0][0]

    def ask(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(self.folder / "board.db", timeout=30)) as db:
            return db.execute(query).fetchall()

    def rage(self, pause: tuple[float, float], away: tuple[float, float], kills: int) -> None:
        """Kill one worker after the other, so often, and once the board; whoever was killed comes back after a while."""
        absent: dict[str, float] = {}
        for number in range(kills):
            self.back(absent, time.monotonic())
            victim = self.chance.choice([name for name in WORKERS if name in self.pids])
            self.until_busy(self.pids[victim])
            time.sleep(self.chance.uniform(*pause))
            self.end(victim)
            absent[victim] = time.monotonic() + self.chance.uniform(*away)
            if number == kills // 2:
                self.end("board")
                time.sleep(0.8)
                self.start("board")
            while len(absent) == len(WORKERS):
                time.sleep(0.05)
                self.back(absent, time.monotonic())
        self.back(absent, float("inf"))

    def until_busy(self, pid: int) -> None:
        """Until it has begun a run, if there is one to begin."""
        limit = time.monotonic() + 3
        while f" {pid} " not in (self.folder / "diary").read_text() and self.left() and time.monotonic() < limit:
            time.sleep(0.03)

    def back(self, absent: dict[str, float], now: float) -> None:
        for name in [name for name, until in absent.items() if until <= now]:
            del absent[name]
            self.start(name)

    def settle(self, seconds: float) -> None:
        """Until everything is told: all done, and no outbox holds anything."""
        limit = time.monotonic() + seconds
        while self.left() or any(pending(self.folder / f"{name}.db") for name in WORKERS):
            assert time.monotonic() < limit, f"{self.left()} tasks are not done\n{self.stderr()}\n{self.said()}"
            time.sleep(0.1)

    def stderr(self) -> str:
        return self.nursery.said()

    def said(self) -> str:
        return "\n".join(line for line in (self.folder / "diary").read_text().splitlines() if "\tsaid\t" in line)[
            -4_000:
        ]

    def _diary(self, what: str, text: str) -> None:
        with (self.folder / "diary").open("a") as diary:
            diary.write(f"{time.monotonic():.6f}\t{what}\t{text}\n")


# What was seen.


def logs(play: Play) -> dict[str, list[tuple[int, str]]]:
    """The lines of each run, by seq."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for run, seq, type, payload in play.ask("SELECT run_id, seq, type, payload FROM board_events ORDER BY run_id, seq"):
        if type == "line":
            found[run].append((seq, json.loads(payload)["text"]))
    return found


def overlaps(play: Play) -> list[str]:
    """Tasks that two runs had in hand at the same time."""
    open_runs: dict[str, set[str]] = defaultdict(set)
    pids: dict[str, str] = {}
    found: list[str] = []
    for line in sorted((play.folder / "diary").read_text().splitlines(), key=lambda line: float(line.split("\t")[0])):
        _, what, text = line.split("\t", 2)
        if what == "begin":
            task, pid, _ = text.split()
            if open_runs[task]:
                found.append(f"{task}: {text} while {open_runs[task]}")
            open_runs[task].add(text)
            pids[text] = pid
        elif what == "end":
            open_runs[text.split()[0]].discard(text)
        elif what == "gone":
            for held in open_runs.values():
                held -= {run for run in held if pids[run] == text}
    return found


def begun(play: Play) -> Counter[str]:
    """How often each task was begun."""
    lines = (play.folder / "diary").read_text().splitlines()
    return Counter(line.split("\t")[2].split()[0] for line in lines if "\tbegin\t" in line)


def outbox(path: Path) -> Iterator[Kept]:
    """The log lines that wait in a worker's state."""
    for board_run, body in _rows(
        path, "SELECT r.board_run, o.body FROM outbox o JOIN runs r USING (run) WHERE o.kind = 'log'"
    ):
        for event in json.loads(body)["events"]:
            if event["type"] == "line":
                yield Kept(board_run, event["seq"], event["payload"]["text"])


def pending(path: Path) -> int:
    rows = _rows(path, "SELECT COUNT(*) FROM outbox")
    return rows[0][0] if rows else 0


def _rows(path: Path, query: str) -> list[Any]:
    if not path.exists():
        return []
    with closing(sqlite3.connect(path, timeout=30)) as db:
        if not db.execute("PRAGMA user_version").fetchone()[0]:
            return []  # killed while it was made
        return db.execute(query).fetchall()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
