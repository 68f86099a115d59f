"""What real hosts did to the measuring process: answers before their requests, and an end by signal."""

import json
import os
import signal
import subprocess
import sys
import time

from agent_connector.telemetry import frames, measure

CALL = {
    "jsonrpc": "2.0",
    "id": 7,
    "method": "tools/call",
    "params": {"name": "query", "arguments": {"sql": "select 1"}},
}
ANSWER = {"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": "one row of many"}]}}


def frame(way: bytes, message: dict, at: int = 1_000_000) -> bytes:
    data = json.dumps(message).encode() + b"\n"
    return frames.head(way, at, len(data)) + data


def started(root) -> "subprocess.Popen[bytes]":
    argv = [sys.executable, "-I", measure.__file__, f"root={root}", "connector=acme"]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, cwd=root, env={"HOME": str(root), "PATH": os.environ["PATH"]})


def rows(root) -> list[dict]:
    segments = sorted((root / "telemetry" / "segments").glob("*.jsonl"))
    return [json.loads(line) for path in segments for line in path.read_text().splitlines()]


def test_an_answer_that_goes_by_before_its_request_is_counted(tmp_path) -> None:
    child = started(tmp_path)
    child.communicate(frame(frames.OUT, ANSWER, 999_900) + frame(frames.IN, CALL), timeout=120)
    (row,) = rows(tmp_path)
    assert (row["tool"], row["error"], row["ms"]) == ("query", 0, 0)
    assert row["in"] > 0
    assert row["out"] > 0


def test_what_waits_in_the_pipe_is_counted_though_the_host_ends_us(tmp_path) -> None:
    child = started(tmp_path)
    assert child.stdin
    while not ignores(child.pid, signal.SIGTERM):
        time.sleep(0.01)
        assert child.poll() is None
    child.send_signal(signal.SIGTERM)
    child.send_signal(signal.SIGINT)
    child.communicate(frame(frames.IN, CALL) + frame(frames.OUT, ANSWER), timeout=120)
    assert child.returncode == 0
    assert [row["tool"] for row in rows(tmp_path)] == ["query"]


def ignores(pid: int, number: int) -> bool:
    with open(f"/proc/{pid}/status") as status:
        mask = next(line.split()[1] for line in status if line.startswith("SigIgn"))
    return bool(int(mask, 16) >> (number - 1) & 1)
