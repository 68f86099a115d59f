"""What the proxy costs: calls per second, added latency at 200 B, 10 kB and 1 MB, one result of 50 MB, and memory.

Each figure is a ratio within one run: `serve` (counting switched on) and a plain two-thread byte pump, each against the
bare server, in turns. `python -m bench.serve [--quick]`.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve()
PACKAGE = HERE.parent.parent / "src" / "agent_connector"
PYTHON = [sys.executable, "-I", "-S"]
SERVER = [*PYTHON, str(HERE), "server"]
SIZES = {200: 3000, 10_000: 2000, 1_000_000: 150}  # bytes of a result: calls
BIG = 50_000_000
WORDS = b"the quick brown fox jumps over the lazy dog and counts 12345 tokens; "
KINDS = ("bare", "pump", "serve", "serve, off")


def server() -> None:
    """A server without a JSON parser, so that the proxy is what is measured."""
    texts: dict[int, bytes] = {}
    for line in iter(sys.stdin.buffer.readline, b""):
        ident = line[line.index(b'"id":') + 5 :].split(b",", 1)[0]
        size = int(line.rsplit(b'"size":', 1)[1].split(b"}", 1)[0])
        if size not in texts:
            texts[size] = (WORDS * (size // len(WORDS) + 1))[:size]
        head = b'{"jsonrpc":"2.0","id":' + ident + b',"result":{"content":[{"type":"text","text":"'
        os.write(1, head) if size > 100_000 else None
        data = texts[size] + b'"}]}}\n' if size > 100_000 else head + texts[size] + b'"}]}}\n'
        while data:
            data = data[os.write(1, data) :]


def pump(command: list[str]) -> None:
    """Two threads that move bytes and do nothing else."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert child.stdin
    assert child.stdout

    def move(source: int, sink: int) -> None:
        while data := os.read(source, 1 << 16):
            while data:
                data = data[os.write(sink, data) :]
        os.close(sink)

    ways = [(0, child.stdin.fileno()), (child.stdout.fileno(), 1)]
    threads = [threading.Thread(target=move, args=way) for way in ways]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.exit(child.wait())


class Client:
    """A host that calls and waits for the answer."""

    def __init__(self, kind: str, root: Path) -> None:
        prefix = {
            "bare": [],
            "pump": [*PYTHON, str(HERE), "pump"],
            "serve": [*PYTHON, str(PACKAGE / "runtime" / "entry.py"), "serve", "--connector", "bench", "--"],
        }[kind.partition(",")[0]]
        variables = {**os.environ, "AGENT_CONNECTOR_DATA_DIR": str(root)}
        variables["AGENT_CONNECTOR_TELEMETRY"] = "0" if kind.endswith("off") else "1"
        self.process = subprocess.Popen(
            [*prefix, *SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=variables, cwd=root
        )
        assert self.process.stdin and self.process.stdout
        self.to, self.out = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.number = 0
        self.call(200)

    def call(self, size: int) -> float:
        """Seconds of one call."""
        self.number += 1
        params = {"name": "echo", "arguments": {"size": size}}
        request = {"jsonrpc": "2.0", "id": self.number, "method": "tools/call", "params": params}
        data = json.dumps(request, separators=(",", ":")).encode() + b"\n"
        start = time.perf_counter()
        os.write(self.to, data)
        while not os.read(self.out, 1 << 20).endswith(b"\n"):
            pass
        return time.perf_counter() - start

    def close(self) -> None:
        """End the server and wait for everything."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(timeout=30)


def resident(pid: int) -> int:
    """Peak resident kilobytes of a process."""
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM"))


def children(pid: int) -> list[int]:
    """Process ids of a process's children."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def percentile(values: list[float], part: float) -> float:
    """The value below which `part` of the values lie."""
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def latencies(clients: dict[str, Client], size: int, calls: int) -> dict[str, list[float]]:
    """Call times by kind, in short turns so that all meet the same machine."""
    times: dict[str, list[float]] = {kind: [] for kind in clients}
    turn = max(calls // 50, 1)
    for _ in range(calls // turn):
        for kind, client in clients.items():
            times[kind] += [client.call(size) for _ in range(turn)]
    return times


def show_size(times: dict[str, list[float]], size: int) -> dict[str, float]:
    """Print one size and return its ratios."""
    bare = times["bare"]
    mid = {kind: percentile(values, 0.5) * 1e6 for kind, values in times.items()}
    high = {kind: percentile(values, 0.99) * 1e6 for kind, values in times.items()}
    rate = {kind: len(values) / sum(values) for kind, values in times.items()}
    print(f"{size:>9} B   bare p50 {mid['bare']:.0f} us, p99 {high['bare']:.0f} us, {rate['bare']:.0f} calls/s")
    for kind in times:
        if kind != "bare":
            print(
                f"            {kind:<11} added p50 {mid[kind] - mid['bare']:>6.0f} us  "
                f"p99 {high[kind] - high['bare']:>6.0f} us  {rate[kind]:>7.0f} calls/s"
            )
    added = (mid["serve"] - mid["bare"]) / max(mid["pump"] - mid["bare"], 1e-9)
    print(
        f"            serve/pump: added p50 {added:.2f} (<= 2), throughput {rate['serve'] / rate['pump']:.2f} (>= 0.8)"
    )
    assert len(bare) > 0
    return {
        "added_p50": added,
        "throughput": rate["serve"] / rate["pump"],
        "added_p99_us": high["serve"] - high["bare"],
    }


def big(root: Path, rounds: int) -> dict[str, float]:
    """One result of 50 MB: time against direct, and memory."""
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    memory = {"pump process": 0, "measuring process": 0}
    for _ in range(rounds):
        for kind in KINDS:
            client = Client(kind, root)
            client.call(BIG)
            times[kind] += [client.call(BIG)]
            if kind == "serve":
                time.sleep(1)
                pump_id = client.process.pid
                memory["pump process"] = max(memory["pump process"], resident(pump_id))
                memory["measuring process"] = max([memory["measuring process"], *map(resident, children(pump_id))])
            client.close()
    ratios = {kind: statistics.median(a / b for a, b in zip(times[kind], times["bare"], strict=True)) for kind in KINDS}
    print(f"50 MB result: direct {statistics.median(times['bare']) * 1e3:.0f} ms; " + ", ".join(
        f"{kind} {ratio:.2f}x" for kind, ratio in ratios.items() if kind != "bare") + " (serve <= 1.6)")  # fmt: skip
    for name, size in memory.items():
        print(f"              {name}: {size / 1024:.1f} MB at its peak ({'<= 32' if name[0] == 'p' else '<= 160'})")
    return {"big": ratios["serve"], **{name: size / 1024 for name, size in memory.items()}}


def main() -> None:
    """Run all and print ratios."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    root = Path(tempfile.mkdtemp(prefix="agent-connector-bench-"))
    try:
        clients = {kind: Client(kind, root) for kind in KINDS}
        time.sleep(1)
        for size, calls in SIZES.items():
            show_size(latencies(clients, size, calls // 5 if quick else calls), size)
        for client in clients.values():
            client.close()
        big(root, 2 if quick else 7)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["server"]:
        server()
    elif sys.argv[1:2] == ["pump"]:
        pump(sys.argv[2:])
    else:
        main()
