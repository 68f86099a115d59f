"""From a child's output to events: lines per second through `drive.run`, against bare loops over the same pipe.

The floors read the same output of the same child in the same run: one throws the lines away, one parses each as JSON
(what any reader of records has to do), or decodes it where it is text. `python -m bench.drive [--quick]`.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from agent_connector.drive.events import Job, RunEvent
from agent_connector.drive.run import run
from agent_connector.hosts.claude_code import headless

# About twice what is seen, against the loop that parses.
MOST = {"records": 3.5, "text": 30.0}
RECORD = {
    "type": "assistant",
    "message": {
        "id": "msg_1",
        "content": [{"type": "text", "text": "One sentence of the agent, as long as they are."}],
    },
    "parent_tool_use_id": None,
    "session_id": "0b0b0b0b-0000",
}


class Cat:
    """A host whose stream is a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def argv(self, job: Job) -> list[str]:
        return ["cat", str(self.path)]

    def environment(self, job: Job) -> dict[str, str]:
        return {}

    def read(self, line: str) -> Sequence[RunEvent]:
        return headless.read(line)


def bare(path: Path, look: Callable[[bytes], object]) -> int:
    """The least that a reader can do."""
    with subprocess.Popen(["cat", str(path)], stdout=subprocess.PIPE) as child:
        assert child.stdout
        return sum(1 for line in child.stdout if look(line) is not False)


def driven(path: Path) -> int:
    """All of it: lines, records, events, the tally, two listeners."""
    count = [0]

    def heard(*_: object) -> None:
        count[0] += 1

    job = Job("", cwd=str(path.parent))
    run(Cat(path), job, {"PATH": "/usr/bin:/bin"}, on_event=heard, on_line=heard, keep=1000)  # type: ignore[arg-type]
    return count[0]


def timed(work: Callable[[], int], lines: int) -> float:
    """Lines per second."""
    start = time.perf_counter()
    if (found := work()) != lines:
        raise RuntimeError(f"{found} of {lines} lines came out")
    return lines / (time.perf_counter() - start)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the lines")
    lines = 20_000 if parser.parse_args().quick else 200_000
    kept = True
    print(f"{lines} lines from a child\n{'':34}{'lines/s':>10}  {'ratio':>6}  promised")
    with tempfile.TemporaryDirectory() as folder:
        for kind, line in (("records", json.dumps(RECORD)), ("text", "plain words of a program, not of the host " * 4)):
            path = Path(folder, kind)
            path.write_text(f"{line}\n" * lines)
            parse = json.loads if kind == "records" else bytes.decode
            works: dict[str, Callable[[], int]] = {
                "a loop that throws away": lambda path=path: bare(path, len),
                "a loop that parses": lambda path=path, parse=parse: bare(path, parse),
                "drive.run": lambda path=path: driven(path),
            }
            speeds: dict[str, list[float]] = {name: [] for name in works}
            for _ in range(5):  # in turn, so that all meet the same machine
                for name, work in works.items():
                    speeds[name].append(timed(work, lines))
            floor = speeds["a loop that parses"]
            for name, found in speeds.items():
                ratio = statistics.median(one / other for one, other in zip(floor, found, strict=True))
                limit = MOST[kind] if name == "drive.run" else None
                kept &= limit is None or ratio <= limit
                promise = "" if limit is None else f"<= {limit:.1f}{'' if ratio <= limit else '  MISSED'}"
                print(f"  {kind + ': ' + name:<32}{statistics.median(found):>10,.0f}  {ratio:>6.2f}  {promise}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
