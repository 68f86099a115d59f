"""Reading the hosts' own logs, beside `ccusage` over the same files: `python -m bench.usage [--size MB | --full] [--rounds N]`.

The logs are generated (agent_connector.testing.usage_logs). ccusage's native program comes from npm into `.hosts/`, in the
version below. What both count is compared: they may differ only by what docs/usage-accuracy.md explains.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench._ratio import Case, Ratio, memory, run, show

from agent_connector.testing.usage_logs import Counts, Truth, write

VERSION = "20.0.24"
HOSTS = Path(__file__).resolve().parent.parent / ".hosts" / "ccusage"
MOST = 80 * 1024  # KB of one process
GROWTH = 1 << 20


def program() -> str:
    """ccusage's native program in the pinned version, installed when it is missing."""
    machine = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    package = f"@ccusage/ccusage-{sys.platform}-{machine}"
    path = HOSTS / "node_modules" / package / "bin" / ("ccusage.exe" if sys.platform == "win32" else "ccusage")
    manifest = path.parent.parent / "package.json"
    if not manifest.exists() or json.loads(manifest.read_text(encoding="utf-8"))["version"] != VERSION:
        HOSTS.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm") or sys.exit("ccusage comes from npm, which is not on the PATH")
        asked = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(HOSTS), f"{package}@{VERSION}"]
        subprocess.run(asked, check=True, timeout=600, stdout=subprocess.DEVNULL)
    path.chmod(0o755)
    said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    if VERSION not in said:
        sys.exit(f"{path} says it is {said.strip()!r}, not {VERSION}")
    return str(path)


class Bench:
    """Both programs over one home."""

    def __init__(self, folder: Path) -> None:
        self.home, self.data = folder / "home", folder / "data"
        self.env = {**os.environ, "HOME": str(self.home), "AGENT_CONNECTOR_DATA_DIR": str(self.data)}
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
            self.env.pop(name, None)
        self.theirs = program()

    def case(self, name: str, hosts: Sequence[str], limit: float) -> Case:
        """Our scan of some hosts."""
        chosen = [word for host in hosts for word in ("--host", host)]
        argv = [sys.executable, "-m", "agent_connector", "usage", "scan", "--json", *chosen]
        return Case(name, argv, limit=limit, env=self.env)

    def ccusage(self, *verb: str) -> Case:
        return Case("ccusage " + " ".join(verb), [self.theirs, *verb, "--json", "--offline", "-z", "UTC"], env=self.env)

    def fresh(self) -> None:
        shutil.rmtree(self.data, ignore_errors=True)

    def first(self, base: Case, ours: Case, rounds: int) -> list[Ratio]:
        """A first scan beside ccusage, either first in turn."""
        pairs: list[tuple[float, float]] = []
        for number in range(rounds):
            self.fresh()
            pair: dict[str, float] = {}
            for case in (base, ours) if number % 2 else (ours, base):
                pair[case.name] = run(case)
            pairs.append((pair[ours.name], pair[base.name]))
        self.fresh()
        found = Ratio(ours, statistics.median(one / other for one, other in pairs), _middle(pairs, 0), memory(ours))
        return [Ratio(base, 1.0, _middle(pairs, 1), memory(base)), found]

    def again(self, base: float, ours: Case, rounds: int, log: Path | None = None) -> Ratio:
        """A scan when all was read; with `log`, when that one grew by a megabyte."""
        times: list[float] = []
        for number in range(rounds):
            if log is not None:
                _grow(log, number)
            times.append(run(ours))
        middle = statistics.median(times)
        return Ratio(ours, middle * 1000 / base, middle * 1000, memory(ours))


def _middle(pairs: Sequence[tuple[float, float]], place: int) -> float:
    return statistics.median(pair[place] for pair in pairs) * 1000


def _grow(log: Path, number: int) -> None:
    """A megabyte of further answers, with ids of their own."""
    with log.open("rb") as stream:
        data = stream.read(GROWTH)
    data = data[: data.rfind(b"\n") + 1].replace(b'"id":"msg_', b'"id":"msg_%d' % number)
    with log.open("ab") as stream:
        stream.write(data)


# ---- what both count


def counted(case: Case) -> Mapping[str, int]:
    """ccusage's totals."""
    done = subprocess.run(case.argv, env=dict(case.env), capture_output=True, timeout=600, check=True)
    return json.loads(done.stdout)["totals"]


def differences(bench: Bench, truth: Truth) -> list[str]:
    """Lines that say what the two count otherwise, and what of it is not explained."""
    said: list[str] = []
    for host, verb in (("claude-code", "claude"), ("codex", "codex")):
        theirs = counted(bench.ccusage(verb, "daily"))
        expected = Counts()
        expected.add(truth.hosts[host])
        if host == "claude-code":
            expected.add(truth.unnamed)
        else:
            expected.output -= truth.unread.output
            expected.input -= truth.unread.input
            expected.cache_read -= truth.unread.cache_read
        known = (expected.input, expected.cache_read, expected.output)
        found = (theirs["inputTokens"], theirs["cacheReadTokens"], theirs["outputTokens"])
        ours = truth.hosts[host]
        said.append(
            f"  {verb}: {found[2] - ours.output:+,} output tokens beside ours of {ours.output:,}: "
            + _rest(known, found)
        )
    return said


def _rest(known: tuple[int, ...], found: tuple[int, ...]) -> str:
    """What is left of a difference when all that is known of it is taken away; input, cache reads and output."""
    if known == found:
        return "all of it explained"
    return "NOT EXPLAINED: " + ", ".join(f"{there - here:+,}" for here, there in zip(known, found, strict=True))


def ours_is_true(bench: Bench, truth: Truth) -> None:
    """Our index has the truth, to the token."""
    from agent_connector.usage.index import open_index

    with open_index(str(bench.data)) as index:
        for host, counts in truth.hosts.items():
            found = index.execute(
                "SELECT count(*), sum(input), sum(cache_read), sum(cache_write_5m), sum(cache_write_1h), sum(output),"
                " sum(reasoning) FROM units WHERE host = ?",
                (host,),
            ).fetchone()
            if tuple(found) != counts.values():
                sys.exit(f"{host}: {tuple(found)} was read where {counts.values()} was written")


def main() -> int:
    """Run all; 1 when a promise is not kept."""
    options = argparse.ArgumentParser()
    options.add_argument(
        "--size", type=int, default=int(os.environ.get("BENCH_USAGE_MB", "200")), help="MB of each host"
    )
    options.add_argument("--full", action="store_true", help="1000 MB of each host")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    size = 1000 if chosen.full else chosen.size
    with tempfile.TemporaryDirectory(prefix="agent-connector-bench-") as folder:
        bench = Bench(Path(folder))
        truth = write(bench.home, size << 20, seed=5)
        return measure(bench, truth, size, chosen.rounds)


def measure(bench: Bench, truth: Truth, size: int, rounds: int) -> int:
    """The tables."""
    one, both = ("claude-code",), ("claude-code", "codex")
    log = max((bench.home / ".claude").rglob("*.jsonl"), key=lambda path: path.stat().st_size)
    claude = bench.first(bench.ccusage("claude", "daily"), bench.case("first scan", one, 0.60), rounds)
    base = claude[0].milliseconds
    claude.append(bench.again(base, bench.case("again, nothing new", one, 0.06), rounds * 3))
    every = bench.first(bench.ccusage("daily"), bench.case("first scan", both, 0.75), rounds)
    ours_is_true(bench, truth)
    said = differences(bench, truth)
    claude.append(bench.again(base, bench.case("again, one log 1 MB longer", one, 0.08), rounds, log))
    kept = show(f"usage: {size} MB of Claude Code's logs", claude)
    kept &= show(f"usage: and {size} MB of Codex'", every)
    print("what ccusage counts otherwise (docs/usage-accuracy.md)", *said, sep="\n")
    fat = [found.case.name for found in (*claude[1:], *every[1:]) if found.kilobytes > MOST]
    print(*(f"  {name}: more than {MOST >> 10} MB in one process  MISSED" for name in fat), sep="\n", end="")
    return 0 if kept and not fat and not any("NOT EXPLAINED" in line for line in said) else 1


if __name__ == "__main__":
    sys.exit(main())
