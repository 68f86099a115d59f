"""What counting costs: a row appended, rows folded, a report over many; `python -m bench.telemetry [--quick]`.

Times are multiples of what they stand beside in one run: a row of a bare `write`, a report of a bare start of Python.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agent_connector.telemetry import append, store, tokenizer

ROWS = 400_000
ROW = {
    "scope": "call", "connector": "acme-db", "host": "codex", "surface": "server", "tool": "query", "session": "s-17",
    "project": "5a61bea01fbb7993", "project_name": "shop", "family": "gpt", "in": 12, "out": 3456,
    "source": "tokenizer-exact", "ms": 12.345, "error": 0,
}  # fmt: skip


def timed(what: Callable[[], object], times: int) -> float:
    """Seconds of one, the median of several runs."""
    found: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        what()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def appended(root: str) -> None:
    """A row against a bare open, write and close of the same bytes."""
    path, data = root + "/bare", append.line(ROW)

    def bare() -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(descriptor, data)
        os.close(descriptor)

    append.append(root, ROW)
    rows, writes = timed(lambda: append.append(root, ROW), 3000), timed(bare, 3000)
    print(f"  a row appended: {rows * 1e6:.1f} us, {rows / writes:.2f} of a bare write of its {len(data)} bytes")


def folded(root: str, count: int) -> None:
    """Many rows of many days into the book."""
    now, text = time.time_ns() // 1_000_000, []
    for number in range(count):
        row = {**ROW, "t": now - number * 5000, "tool": f"tool-{number % 40}", "session": f"s-{number // 500}"}
        text.append(append.line(row))
    segment = Path(root, "telemetry", "segments", "29990101.bench.jsonl")
    segment.write_bytes(b"".join(text))
    start = time.perf_counter()
    with store.book(root):
        pass
    seconds = time.perf_counter() - start
    print(f"  {count:,} rows folded: {seconds:.1f} s, {count / seconds:,.0f} a second")


def reported(root: str, count: int, rounds: int) -> None:
    """The report over the book against a bare start."""
    bare = [sys.executable, "-I", "-c", "pass"]
    variables = {**os.environ, "AGENT_CONNECTOR_DATA_DIR": root}
    report = [sys.executable, "-m", "agent_connector", "telemetry", "report", "--since", "7d", "--json"]

    def run(argv: list[str]) -> float:
        return timed(lambda: subprocess.run(argv, env=variables, check=True, stdout=subprocess.DEVNULL), 1)

    ratio = statistics.median(run(report) / run(bare) for _ in range(rounds))
    print(f"  a report over {count:,} rows: {ratio:.1f} bare starts of Python")


def counted() -> None:
    """The tokenizer's start and its speed."""
    start = time.perf_counter()
    counter = tokenizer.load()
    loaded = time.perf_counter() - start
    text = "The quick brown fox jumps over the lazy dog and counts 12345 tokens.\n" * 15_000
    seconds = timed(lambda: counter.text(text, "gpt"), 5)
    print(f"  the tokenizer: {loaded * 1000:.0f} ms to load, {len(text) / seconds / 1e6:.1f} MB a second")


def main() -> None:
    """Run all."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    count = ROWS // 10 if quick else ROWS
    root = tempfile.mkdtemp(prefix="agent-connector-bench-")
    print("telemetry: rows, the book and the report")
    try:
        appended(root)
        folded(root, count)
        reported(root, count, 3 if quick else 9)
        counted()
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
