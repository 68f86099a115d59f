"""The worker's guard: commands judged, beside parsing them alone, and the start of its hook; `python -m bench.guard`.

Ratios: judging the corpus against what the parser takes for it; the hook as a host starts it, shell and all, against a bare
start of the same Python. The peer runs in the same rounds. Where bashlex is installed, its parsing is measured too.
"""

import asyncio
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

from agent_connector.worker.guard import arm, grammar, policy, tree
from agent_connector.worker.guard.denials import Denials
from agent_connector.worker.guard.values import No, Rules
from agent_connector.worker.sandbox import system

CORPUS = Path(__file__).parent.parent / "tests" / "worker" / "guard" / "corpus.toml"
ROUNDS = 9
STARTS = 15
AT_MOST_JUDGED = 8.0  # times what the parser alone takes
AT_MOST_START = 4.0  # times a bare start


def commands() -> list[str]:
    groups = tomllib.loads(CORPUS.read_text(encoding="utf-8"))["group"]
    return [command for group in groups for command in group["commands"]]


def seconds(what: Callable[[str], object], texts: list[str]) -> float:
    begun = time.perf_counter()
    for text in texts:
        what(text)
    return time.perf_counter() - begun


def parsed(command: str) -> None:
    try:
        tree.parse(command)
    except No:
        return


def judging(texts: list[str]) -> tuple[float, float]:
    """(judged per second, times what parsing takes)"""
    rules = Rules("/work/project", "/work/home")
    rounds = [(seconds(lambda text: grammar.judge(text, rules), texts), seconds(parsed, texts)) for _ in range(ROUNDS)]
    return len(texts) / min(whole for whole, _ in rounds), statistics.median(whole / part for whole, part in rounds)


def other_parser(texts: list[str]) -> float | None:
    """How much longer bashlex takes than our parser and its checks; None where it is not installed."""
    if importlib.util.find_spec("bashlex") is None:
        return None
    bashlex = __import__("bashlex")

    def parse(command: str) -> None:
        try:
            bashlex.parse(command)
        except (bashlex.errors.ParsingError, NotImplementedError, ValueError, IndexError, AttributeError, TypeError):
            return

    return statistics.median(seconds(parse, texts) / seconds(parsed, texts) for _ in range(3))


async def starts() -> float:
    """The hook, through the shell as a host runs it, against `python -I -S -c pass`."""
    with tempfile.TemporaryDirectory() as folder:
        work, home, guard = (os.path.join(folder, name) for name in ("work", "home", "guard"))
        for one in (work, home, guard):
            os.mkdir(one, 0o700)
        async with Denials(lambda *denial: None) as listener:
            armed = arm.arm("claude-code", guard, home, policy.rules(work, home), listener.path)
            settings = json.loads(await asyncio.to_thread(Path(armed.argv[1]).read_text))
            command = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
            payload = json.dumps({"cwd": work, "tool_name": "Bash", "tool_input": {"command": "git status && ls -la"}})
            return await asyncio.to_thread(_starts, ["/bin/sh", "-c", command], payload.encode())


def _starts(hook: list[str], payload: bytes) -> float:
    bare = [system.python(), "-I", "-S", "-c", "pass"]
    ratios: list[float] = []
    for round_ in range(STARTS + 2):
        whole, part = _start(hook, payload), _start(bare, b"")
        if round_ > 1:  # the first ones compile
            ratios.append(whole / part)
    return statistics.median(ratios)


def _start(argv: list[str], given: bytes) -> float:
    begun = time.perf_counter()
    done = subprocess.run(argv, input=given, capture_output=True, check=False)
    if done.returncode or done.stdout:
        sys.exit(f"the hook did not allow it: {done.stdout!r} {done.stderr!r}")
    return time.perf_counter() - begun


def main() -> int:
    texts = commands()
    each, ratio = judging(texts)
    start = asyncio.run(starts())
    other = other_parser(texts)
    print(
        f"guard: {each:,.0f} commands judged a second; {ratio:.1f} times what parsing them takes (at most {AT_MOST_JUDGED})"
    )
    print(f"guard: the hook starts in {start:.2f} times a bare start (at most {AT_MOST_START})")
    print(
        "guard: bashlex is not installed"
        if other is None
        else f"guard: bashlex takes {other:.1f} times as long to parse"
    )
    return int(ratio > AT_MOST_JUDGED or start > AT_MOST_START)


if __name__ == "__main__":
    sys.exit(main())
