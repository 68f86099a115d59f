"""A home that is only to be read, or has no room: reports say what they can read, and that nothing of it is kept."""

import json
import os
import subprocess
import sys

import pytest

from agent_connector.telemetry import append
from agent_connector.testing import usage_logs

pytestmark = pytest.mark.chaos

REPORTS = (
    ("usage", "report", "--by", "host"),
    ("usage", "sessions"),
    ("usage", "leaderboard"),
    ("usage", "live", "--count", "1"),
    ("usage", "export", "--format", "json"),
    ("telemetry", "report"),
    ("telemetry", "leaderboard"),
    ("telemetry", "export", "--format", "json"),
    ("leaderboard",),
)


@pytest.fixture
def disk(tmp_path):
    """A home on a file system of its own, with logs and one counted call; `mount` is called with options for it."""
    home = tmp_path / "home"
    home.mkdir()

    def mount(options):
        words = ["mount", "-t", "tmpfs", "-o", options, "none", str(home)]
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)

    mounted = mount("size=64m,mode=0755")
    if mounted.returncode != 0:
        pytest.skip(f"NOT RUN: mounting a tmpfs needs root on Linux ({mounted.stderr.strip()})")
    usage_logs.write(home, size=1 << 20)
    row = {"scope": "call", "connector": "acme", "host": "codex", "tool": "query", "in": 3, "out": 40, "n": 1}
    assert append.append(str(home / ".agent-connector"), row)
    yield home, mount
    subprocess.run(["umount", "--lazy", str(home)], timeout=60, check=True)


def run(home, *words):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_CONNECTOR")}
    done = subprocess.run(
        [sys.executable, "-m", "agent_connector.cli.main", *words],
        env={**kept, "HOME": str(home)},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done.returncode, done.stdout, done.stderr


def tokens(home):
    """What both books say, and what was said beside it."""
    usage, telemetry = (run(home, *words, "--json") for words in (REPORTS[0], REPORTS[5]))
    assert usage[0] == telemetry[0] == 0, usage[2] + telemetry[2]
    logs = json.loads(usage[1])["total"]["tokens"]["total"]
    return logs, [line["tokens_out"] for line in json.loads(telemetry[1])["rows"]], usage[2] + telemetry[2]


def test_a_home_that_is_only_to_be_read_is_reported_without_an_index(disk):
    home, mount = disk
    assert mount("remount,ro").returncode == 0
    before = sorted(home.rglob("*"))
    for words in REPORTS:
        code, out, err = run(home, *words)
        assert code == 0, err
        assert "nothing is kept" in err
        assert out
    code, _, err = run(home, "telemetry", "otlp", "--endpoint", "http://127.0.0.1:9")
    assert code == 1 and "nothing was sent" in err
    assert sorted(home.rglob("*")) == before
    assert mount("remount,rw").returncode == 0
    logs, servers, said = tokens(home)
    assert mount("remount,ro").returncode == 0
    assert tokens(home)[:2] == (logs, servers)
    assert logs > 0 and servers == [40] and "kept" not in said


@pytest.mark.parametrize("left", [0, 65_536])
def test_a_full_disk_is_reported_with_what_came_since(disk, left):
    home, _ = disk
    assert tokens(home)[1] == [40]
    row = {"scope": "call", "connector": "acme", "host": "codex", "tool": "query", "in": 3, "out": 2, "n": 1}
    assert append.append(str(home / ".agent-connector"), row)
    log = next((home / ".claude" / "projects").rglob("*.jsonl"))
    usage = {"input_tokens": 7_000_000, "output_tokens": 1}
    message = {"id": "msg_new", "role": "assistant", "model": "claude-opus-4-5", "content": [], "usage": usage}
    line = {"message": message, "requestId": "req_new", "type": "assistant", "timestamp": "2026-11-30T10:00:00.000Z"}
    with open(log, "a") as file:
        file.write(json.dumps({**line, "sessionId": "new", "cwd": "/x"}) + "\n")
    with open(home / "ballast", "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            os.truncate(file.fileno(), file.tell() - left)
    logs, servers, said = tokens(home)
    assert logs > 7_000_000
    assert servers == [42]
    assert "nothing is kept" in said
    (home / "ballast").unlink()
    assert tokens(home) == (logs, servers, "")
