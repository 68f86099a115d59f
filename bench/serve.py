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
SIZES = {200: 3000, 10_000: 3000, 1_000_000: 480}  # bytes of a result: calls
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


Rounds = list[dict[str, list[float]]]


def latencies(clients: dict[str, Client], size: int, calls: int) -> Rounds:
    """Call times by kind, in rounds, each kind first in its turn: within a round all meet the same machine."""
    kinds, turn = list(clients), max(calls // 60, 1)
    rounds: Rounds = []
    for number in range(calls // turn):
        first = number % len(kinds)
        rounds.append({kind: [clients[kind].call(size) for _ in range(turn)] for kind in kinds[first:] + kinds[:first]})
    return rounds


def blocks(rounds: Rounds, number: int = 6) -> Rounds:
    """Several rounds together, enough for a percentile."""
    size = max(len(rounds) // number, 1)
    parts = [rounds[at : at + size] for at in range(0, len(rounds), size)]
    return [{kind: [time for one in part for time in one[kind]] for kind in part[0]} for part in parts]


def promise(text: str, value: float, limit: float, most: bool = True) -> bool:
    """Print one figure that is promised; True when it is kept."""
    kept = value <= limit if most else value >= limit
    print(f"    {text:<44}{value:>8.2f}  {'<=' if most else '>='} {limit}{'' if kept else '  MISSED'}")
    return kept


def show_size(rounds: Rounds, size: int) -> bool:
    """Print one size; True when its promises are kept."""
    (times,) = blocks(rounds, 1)
    mid = {kind: percentile(values, 0.5) * 1e6 for kind, values in times.items()}
    high = {kind: percentile(values, 0.99) * 1e6 for kind, values in times.items()}
    print(
        f"  results of {size:,} B, {len(times['bare'])} calls: microseconds of a call and what is added to the bare server's"
    )
    for kind, values in times.items():
        added = "" if kind == "bare" else f"  + {mid[kind] - mid['bare']:>6.0f}  + {high[kind] - high['bare']:>7.0f}"
        rate = len(values) / sum(values)
        print(f"    {kind:<12} p50 {mid[kind]:>6.0f}  p99 {high[kind]:>7.0f}{added:<22}  {rate:>7.0f} calls/s")
    pump_adds = max(mid["pump"] - mid["bare"], mid["bare"] * 0.02)  # less than that is noise
    faster = statistics.median(sum(one["pump"]) / sum(one["serve"]) for one in rounds)
    late = statistics.median(percentile(one["serve"], 0.99) - percentile(one["bare"], 0.99) for one in blocks(rounds))
    return all(
        [
            promise("added p50, of the pump's", (mid["serve"] - mid["bare"]) / pump_adds, 2),
            promise("throughput, of the pump's", faster, 0.8, most=False),
            promise("added p99, ms", late * 1000, 1),
        ]
    )


def big(root: Path, rounds: int) -> bool:
    """One result of 50 MB: time against direct, and memory."""
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    pump_size = measurer_size = 0
    for number in range(rounds):
        for kind in KINDS[number % 4 :] + KINDS[: number % 4]:
            client = Client(kind, root)
            client.call(BIG)
            times[kind] += [min(client.call(BIG) for _ in range(2))]
            if kind == "serve":
                time.sleep(0.5)
                pump_size = max(pump_size, resident(client.process.pid))
                measurer_size = max([measurer_size, *map(resident, children(client.process.pid))])
            client.close()
    ratios = {kind: statistics.median(a / b for a, b in zip(times[kind], times["bare"], strict=True)) for kind in KINDS}
    others = ", ".join(f"{kind} {ratio:.2f}" for kind, ratio in ratios.items() if kind != "serve")
    print(f"  one result of 50 MB, {statistics.median(times['bare']) * 1000:.0f} ms bare; of that: {others}")
    return all(
        [
            promise("serve, of direct", ratios["serve"], 1.6),
            promise("pump process, MB at its peak", pump_size / 1024, 32),
            promise("measuring process, MB at its peak", measurer_size / 1024, 160),
        ]
    )


def main() -> int:
    """Run all and print ratios; 1 when one of the promises is missed."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    root = Path(tempfile.mkdtemp(prefix="agent-connector-bench-"))
    print("serve: between a host and its server, against the bare server and a plain two-thread byte pump")
    try:
        clients = {kind: Client(kind, root) for kind in KINDS}
        time.sleep(1)
        kept = [
            show_size(latencies(clients, size, calls // 5 if quick else calls), size) for size, calls in SIZES.items()
        ]
        for client in clients.values():
            client.close()
        kept.append(big(root, 3 if quick else 9))
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return 0 if all(kept) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["server"]:
        server()
    elif sys.argv[1:2] == ["pump"]:
        pump(sys.argv[2:])
    else:
        sys.exit(main())
