"""What counting costs: a row appended, rows folded, a report over many; `python -m bench.telemetry [--quick]`.

Times are multiples of what they stand beside in one run: a row of a bare `write`, a report of a bare start of Python.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from agent_connector.telemetry import append, store, sums, tokenizer

ROWS = 1_000_000
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
    """Many rows of ninety days into the book, against the same lines only parsed."""
    now, lines, path = time.time_ns() // 1_000_000, list[bytes](), Path(root, "telemetry", "segments")
    step = 90 * 86_400_000 // count
    for number in range(count):
        row = {**ROW, "t": now - number * step, "tool": f"tool-{number % 40}", "session": f"s-{number // 500}"}
        lines.append(append.line({**row, "out": number * 7919 % 9000}))
    start = time.perf_counter()
    for line in lines[: count // 10]:
        json.loads(line)
    parsed = (time.perf_counter() - start) * 10
    path.joinpath("29990101.bench.jsonl").write_bytes(b"".join(lines))
    del lines
    start = time.perf_counter()
    with store.book(root):
        pass
    print(f"  {count:,} rows folded: {(time.perf_counter() - start) / parsed:.1f} times what parsing them takes")


def reported(root: str, count: int, rounds: int) -> None:
    """The report over the book against a bare start with click; and its sums against those over all rows."""
    bare = [sys.executable, "-c", "import click"]
    variables = {**os.environ, "AGENT_CONNECTOR_DATA_DIR": root}

    def run(argv: list[str]) -> float:
        return timed(lambda: subprocess.run(argv, env=variables, check=True, stdout=subprocess.DEVNULL), 1)

    for by in ("tool", "session", "day"):
        report = [sys.executable, "-m", "agent_connector", "telemetry", "report", "--by", by, "--json"]
        ratio = statistics.median(run(report) / run(bare) for _ in range(rounds))
        print(f"  a report by {by} over {count:,} rows: {ratio:.1f} of `import click`")
    with store.book(root) as connection:
        every = "SELECT tool, count(*), sum(tokens_in), sum(tokens_out), max(ms) FROM rows GROUP BY tool"
        keys = ("connector", "scope", "tool")
        whole = timed(lambda: connection.execute(every).fetchall(), 1)
        ours = timed(lambda: sums.gather(connection, keys, 0, {}), 5)
    print(f"  sums by tool over {count:,} rows: {ours / whole:.3f} of a GROUP BY over all rows")


def raced(root: str, writers: int, count: int) -> None:
    """Processes that append at once: nothing is lost, and an append costs little more than alone."""
    code = (
        "import sys, time; from agent_connector.telemetry.append import append\n"
        "root, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])\n"
        "start = time.perf_counter()\n"
        "for number in range(count): append(root, {'scope': 'call', 'connector': 'race', 'session': who, 'out': 1})\n"
        "print((time.perf_counter() - start) / count)"
    )

    def together(number: int) -> float:
        argv = [sys.executable, "-c", code, root]
        started = [
            subprocess.Popen([*argv, f"w{one}", str(count)], stdout=subprocess.PIPE, text=True) for one in range(number)
        ]
        return statistics.median(float(one.communicate()[0]) for one in started)

    alone, many = together(1), together(writers)
    with store.book(root) as connection:
        found = connection.execute("SELECT count(*) FROM rows WHERE connector = 'race'").fetchone()[0]
    expected = (writers + 1) * count
    print(
        f"  {writers} writers at once: {many / alone:.1f} of one alone for each row; {expected - found} of {expected:,} lost"
    )


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
    options.add_argument("--rows", type=int, help="how many rows the book has; 1,000,000 when left out")
    chosen = options.parse_args()
    quick = chosen.quick
    count = chosen.rows or (ROWS // 10 if quick else ROWS)
    root = tempfile.mkdtemp(prefix="agent-connector-bench-")
    print("telemetry: rows, the book and the report")
    try:
        appended(root)
        folded(root, count)
        reported(root, count, 3 if quick else 9)
        raced(root, 8, 2000 if quick else 20_000)
        counted()
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
