"""What a report of usage costs over a large index; `python -m bench.usage_report [--quick]`.

Whole processes, over `python -c "import click"`. The index is made up: a year, 2,000 sessions, eight models. What is
summed once, after a scan, is shown in units a second.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

from bench._ratio import Case, paired, show

from agent_connector.home import moments
from agent_connector.usage import index, prices, rollups

UNITS, SESSION = 1_000_000, 500
NOW = 1_796_079_600_000
YEAR = 365 * 86_400_000
HOSTS = {
    "claude-code": [(name, "anthropic") for name in ("claude-sonnet-4-5", "claude-opus-4-6", "claude-haiku-4-5")],
    "codex": [("gpt-5.5", "openai"), ("gpt-5.2-codex", "openai")],
    "gemini-cli": [("gemini-2.5-pro", "google")],
    "opencode": [("deepseek-v4-pro", "deepseek")],
    "qwen-code": [("a-model-without-a-price", "")],
}
CASES = {
    "by day": ("--by", "day"),
    "by model": ("--by", "model"),
    "by session": ("--by", "session"),
    "by month, another zone": ("--by", "month", "--zone", "Asia/Kathmandu"),
    "by host, the last 7 days": ("--by", "host", "--since", "7d"),
    "by hour-block": ("--by", "hour-block", "--since", "2d"),
}
PROMISED = 6.0


def fill(root: str, units: int) -> None:
    """An index of so many units."""
    some = random.Random(7)
    contexts: list[tuple[object, ...]] = []
    facts: list[tuple[int, ...]] = []
    for session in range(units // SESSION):
        host = some.choice([*HOSTS, "claude-code", "claude-code", "codex"])
        project, first = some.randrange(40), len(contexts) + 1
        for model, provider in HOSTS[host]:
            row = (host, f"s-{session}", "", model, provider, f"{project:016x}", f"project-{project}", "", "")
            contexts.append((len(contexts) + 1, *row, "host-reported"))
        moment = NOW - some.randrange(YEAR)
        for _ in range(SESSION):
            moment += some.randrange(40_000)
            counts = (
                some.randrange(3000),
                some.randrange(250_000),
                some.randrange(9000),
                0,
                some.randrange(2000),
                0,
                1,
            )
            facts.append((len(facts) + 1, 1, some.randint(first, len(contexts)), moment, *counts))
    with index.writing(root) as connection:
        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO contexts VALUES ({', '.join('?' * 11)})", contexts)  # noqa: S608
        connection.executemany(
            "INSERT INTO facts (key, file, context, time, input, cache_read, cache_write_5m, cache_write_1h, output,"
            " reasoning, requests) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            facts,
        )
        connection.execute("UPDATE meta SET value = 1 WHERE name = 'generation'")
        connection.execute("COMMIT")


def summed(root: str, units: int) -> None:
    """The sums that the first report after a scan makes; the list of prices is loaded before."""
    prices.card("anthropic", "claude-sonnet-4-5", root=root)
    with index.writing(root) as connection:
        start = time.perf_counter()
        rollups.refresh(connection, root, moments.zone())
        seconds = time.perf_counter() - start
        rows = [connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("sums", "days")]  # noqa: S608
    print(f"  {units:,} units summed into {rows[0]:,} quarters and {rows[1]:,} days: {units / seconds:,.0f} a second")


def main() -> int:
    """Run all."""
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    units = UNITS // 10 if quick else UNITS
    root = tempfile.mkdtemp(prefix="agent-connector-bench-")
    try:
        fill(root, units)
        summed(root, units)
        env = {**os.environ, "AGENT_CONNECTOR_DATA_DIR": root, "HOME": root, "COLUMNS": "100"}
        start = [sys.executable, "-m", "agent_connector", "usage", "report", "--no-scan"]
        cases = [Case(name, [*start, *words], limit=PROMISED, env=env) for name, words in CASES.items()]
        base = Case('python -c "import click"', [sys.executable, "-c", "import click"], env=env)
        return not show(f"usage report over {units:,} units", paired(base, cases, 5 if quick else 11))
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
