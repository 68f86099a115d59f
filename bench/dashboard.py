"""How long the dashboard takes: from its command to the first page, and a page once it runs; `python -m bench.dashboard`.

Multiples of `python -c "import click"` in the same run. The home has logs of both hosts and a book of calls.
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
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

from agent_connector.telemetry import append
from agent_connector.testing import usage_logs


def prepare(home: Path, size: int, rows: int) -> None:
    """Logs, an index, and counted calls."""
    usage_logs.write(home, size=size)
    root = str(home / ".agent-connector")
    now = time.time_ns() // 1_000_000
    for number in range(rows):
        row = {"t": now - number * 60_000, "scope": "call", "connector": "acme", "host": "codex", "surface": "server"}
        append.append(root, {**row, "tool": f"t{number % 30}", "session": f"s{number // 50}", "out": number % 9000})
    command(home, "usage", "scan", "--json")
    command(home, "telemetry", "report", "--json")


def command(home: Path, *words: str) -> None:
    argv = [sys.executable, "-m", "agent_connector", *words]
    subprocess.run(argv, env=variables(home), stdout=subprocess.DEVNULL, check=True)


def variables(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home)}


def click() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import click"], check=True)
    return time.perf_counter() - start


def shown(home: Path) -> tuple[float, float]:
    """Seconds from the command to the first page, and for one more page."""
    start = time.perf_counter()
    argv = [sys.executable, "-m", "agent_connector", "dashboard", "--json", "--no-scan", "--no-open"]
    with subprocess.Popen(argv, env=variables(home), stdout=subprocess.PIPE, text=True) as server:
        try:
            return timed(server, start)
        finally:
            server.terminate()


def timed(server: "subprocess.Popen[str]", start: float) -> tuple[float, float]:
    """The two pages of a server that was started at `start`."""
    assert server.stdout
    address = json.loads("".join(iter(server.stdout.readline, "}\n")) + "}")["url"]
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with browser.open(address) as page:
        page.read()
    first = time.perf_counter() - start
    start = time.perf_counter()
    with browser.open(address.partition("?")[0] + "?since=all") as page:
        page.read()
    return first, time.perf_counter() - start


def main() -> None:
    """Run all."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    home = Path(tempfile.mkdtemp(prefix="agent-connector-bench-"))
    print("dashboard")
    try:
        prepare(home, (4 if quick else 64) << 20, 5_000 if quick else 100_000)
        found = [(shown(home), click()) for _ in range(3 if quick else 9)]
        print(f"  command to first page: {statistics.median(a / c for (a, _), c in found):.1f} of `import click`")
        print(f"  one more page, of all time: {statistics.median(b / c for (_, b), c in found):.1f} of `import click`")
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
