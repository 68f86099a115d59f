"""Long faults at full size: what `make test` tries in small, for as long as it takes. Run by `make soak`."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agent_connector.telemetry import store

ROOT = Path(__file__).resolve().parents[2]
ACME = ROOT / "examples" / "acme" / "connector.py"
LIMIT = 900
OWNED = {
    ".claude.json": '{\n  "numStartups": 41\n}\n',
    ".claude/settings.json": '{\n\t"model": "opus"\n}\n',
    ".claude/CLAUDE.md": "# Mine\r\n",
    ".codex/config.toml": 'model = "gpt-5"   # mine\n',
    ".gemini/settings.json": '{\n  // mine\n  "ui": {}\n}\n',
    ".config/opencode/opencode.jsonc": '{\n  "share": "disabled", // mine\n}\n',
    ".cursor/mcp.json": '{"mcpServers":{}}',
}
WRITE = """
import sys
from agent_connector.telemetry.append import append
for n in range(int(sys.argv[3])):
    append(sys.argv[1], {"scope": "call", "connector": "c", "session": sys.argv[2], "tool": "t", "in": 1, "out": 2})
"""
FOLD = """
import sys
from agent_connector.telemetry import store
with store.book(sys.argv[1]):
    pass
"""

pytestmark = pytest.mark.soak


def owned(home: Path) -> dict[str, bytes | None]:
    """The person's files, and whatever else lies in the hosts' folders."""
    found = {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*") if path.is_file()}
    return {name: data for name, data in found.items() if not name.startswith(".agent-connector/")}


def command(home: Path, *words: str) -> "subprocess.Popen[bytes]":
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    argv = [sys.executable, "-m", "agent_connector", *words]
    return subprocess.Popen(argv, cwd=home, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_installs_and_removals_that_are_killed_at_any_time_leave_nothing(tmp_path):
    dice = random.Random(1)
    for name, text in OWNED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode())
    before = owned(tmp_path)
    install = ("install", "--connector", str(ACME), "--targets", "all")
    for _ in range(60):
        for words in (install, ("uninstall", "--connector", "acme-db")):
            process = command(tmp_path, *words)
            time.sleep(dice.uniform(0.05, 1.5))
            process.send_signal(signal.SIGKILL)
            process.wait(LIMIT)
        for name in (".claude.json", ".claude/settings.json", ".cursor/mcp.json"):
            json.loads((tmp_path / name).read_bytes())
    assert command(tmp_path, *install).wait(LIMIT) == 0
    assert command(tmp_path, "doctor").wait(LIMIT) == 0
    assert command(tmp_path, "uninstall", "--connector", "acme-db").wait(LIMIT) == 0
    assert owned(tmp_path) == before


def test_a_million_rows_of_eight_writers_are_counted_once(tmp_path):
    dice, each = random.Random(2), 125_000
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path), str(number), str(each)]) for number in range(8)
    ]
    while any(writer.poll() is None for writer in writers):
        folder = subprocess.Popen([sys.executable, "-c", FOLD, str(tmp_path)])
        time.sleep(dice.uniform(0.2, 2))
        folder.send_signal(signal.SIGKILL)
        folder.wait(LIMIT)
    assert [writer.returncode for writer in writers] == [0] * 8
    with store.book(str(tmp_path)) as book:
        found = book.execute("SELECT sum(calls), sum(tokens_in), sum(tokens_out) FROM days").fetchone()
    assert found == (8 * each, 8 * each, 16 * each)
