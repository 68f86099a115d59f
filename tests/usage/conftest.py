"""A home with logs, the index that a scan of it makes, and short ways to ask it."""

import json
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from agent_connector.hosts.machine import Machine
from agent_connector.usage import index, scan

GOLDEN = Path(__file__).parents[1] / "golden"
CLASSES = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning")
SUMS = ", ".join(("count(*)", *(f"coalesce(sum({name}), 0)" for name in CLASSES)))
TOTALS = (
    "SELECT host, count(*), sum(input + cache_read + cache_write_5m + cache_write_1h + output) FROM units GROUP BY 1"
)
WHERE = {"claude-code": ".claude", "codex": ".codex"}


class Home(NamedTuple):
    """A home folder, and the data root whose index holds what was read of it."""

    path: Path
    root: str

    def scan(self, *hosts, **more):
        done = scan.scan(self.root, self.machine(), hosts or ("claude-code", "codex"), **more)
        there = {host: sums for host, *sums in self.ask(TOTALS)}
        assert all([each.units, each.tokens] == there.get(each.host, [0, 0]) for each in done.hosts)
        return done

    def machine(self, **variables):
        return Machine(str(self.path), "linux", variables)

    def ask(self, query, *values):
        with index.open_index(self.root) as connection:
            return connection.execute(query, values).fetchall()

    def sums(self, host):
        return self.ask(f"SELECT {SUMS} FROM units WHERE host = ?", host)[0]  # noqa: S608  # names of columns

    def by(self, column, host):
        rows = self.ask(f"SELECT {column}, {SUMS} FROM units WHERE host = ? GROUP BY 1", host)  # noqa: S608
        return {row[0]: row[1:] for row in rows}

    def everything(self):
        """All units; equal for two indexes that came about in different ways."""
        return sorted(self.ask("SELECT * FROM units"), key=repr)

    def session(self, name="s1", folder="-p"):
        """The path of a transcript of Claude Code."""
        path = self.path / ".claude" / "projects" / folder / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


def answer(number, output=10, session="s1", **more):
    """A line of Claude Code's: one answer, with an input of its number."""
    usage = {"input_tokens": number, "output_tokens": output}
    line = {
        "message": {"id": f"msg_{number}", "role": "assistant", "model": "m", "content": [], "usage": usage},
        "requestId": f"req_{number}",
        "type": "assistant",
        "timestamp": f"2026-11-30T{number % 24:02}:00:00.000Z",
        "cwd": "/home/user/shop",
        "sessionId": session,
    }
    return json.dumps({**line, **more}).encode() + b"\n"


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / "home", str(tmp_path / "data"))


@pytest.fixture
def golden(home):
    """The recorded logs of a host in that home, and their truth by session."""

    def place(host):
        source = GOLDEN / host / "usage"
        shutil.copytree(source, home.path / WHERE[host], ignore=shutil.ignore_patterns("TRUTH.json"))
        told = json.loads((source / "TRUTH.json").read_text())["sessions"]
        return {
            session: (counts["units"], *(counts.get(name, 0) for name in CLASSES)) for session, counts in told.items()
        }

    return place


@pytest.fixture
def touch():
    """Set a file's time so that no clock hides a change."""

    def set_time(path, seconds):
        os.utime(path, (1_796_000_000 + seconds, 1_796_000_000 + seconds))

    return set_time
