"""Paired runs: every case in turn, again and again, so that all meet the same machine; the ratio is the pairs' median.

A busy or throttled machine moves all cases of one round alike, which ratios of separate runs do not survive.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """One way to start a program. `stdin` is a file; `limit` the ratio that the project promises."""

    name: str
    argv: Sequence[str]
    stdin: str = os.devnull
    limit: float | None = None
    env: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))


@dataclass(frozen=True)
class Ratio:
    """What came out for one case."""

    case: Case
    ratio: float
    milliseconds: float
    kilobytes: int

    @property
    def kept(self) -> bool:
        """Within its limit, or without one."""
        return self.case.limit is None or self.ratio <= self.case.limit


def paired(base: Case, cases: Sequence[Case], rounds: int) -> list[Ratio]:
    """Each case beside the base, `rounds` times, either first in turn; the ratio is the median of these pairs."""
    for case in (base, *cases):  # caches, and whatever is compiled once
        run(case)
    times: dict[str, list[tuple[float, float]]] = {case.name: [] for case in cases}
    for number in range(rounds):
        for case in cases:
            first, second = (base, case) if number % 2 else (case, base)
            pair = {first.name: run(first), second.name: run(second)}
            times[case.name].append((pair[case.name], pair[base.name]))
    found = [Ratio(case, *(_middle(pairs)), memory(case)) for case, pairs in zip(cases, times.values(), strict=True)]
    bases = [one for pairs in times.values() for _, one in pairs]
    return [Ratio(base, 1.0, statistics.median(bases) * 1000, memory(base)), *found]


def _middle(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(one / base for one, base in pairs), statistics.median(one for one, _ in pairs) * 1000


def run(case: Case) -> float:
    """Seconds of one run to its end; its output goes nowhere."""
    source, sink = os.open(case.stdin, os.O_RDONLY), os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, sink, 1), (os.POSIX_SPAWN_DUP2, sink, 2)]
    start = time.perf_counter()
    pid = os.posix_spawn(case.argv[0], list(case.argv), dict(case.env), file_actions=actions)
    _, status = os.waitpid(pid, 0)
    seconds = time.perf_counter() - start
    os.close(source)
    os.close(sink)
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(f"{case.name}: exit code {os.waitstatus_to_exitcode(status)}")
    return seconds


# A process is born with its parent's size as its peak, so a small parent has to start what is weighed.
_WEIGH = """\
import posix, sys
sink = posix.open("/dev/null", 1)
actions = [(posix.POSIX_SPAWN_DUP2, sink, 1), (posix.POSIX_SPAWN_DUP2, sink, 2)]
pid = posix.posix_spawn(sys.argv[1], sys.argv[1:], posix.environ, file_actions=actions)
print(posix.wait4(pid, 0)[2].ru_maxrss)
"""


def memory(case: Case) -> int:
    """Peak kilobytes of one run."""
    with open(case.stdin, "rb") as stream:
        command = [sys.executable, "-I", "-S", "-c", _WEIGH, *case.argv]
        done = subprocess.run(command, stdin=stream, env=dict(case.env), stdout=subprocess.PIPE, timeout=60, check=True)
    return int(done.stdout)


def show(title: str, ratios: Sequence[Ratio]) -> bool:
    """Print a table; True when every promise is kept."""
    print(f"{title}\n{'':34}{'ratio':>7}  {'promised':>8}  {'ms':>7}  {'MB':>5}")
    for found in ratios:
        limit = "" if found.case.limit is None else f"<= {found.case.limit:.2f}"
        late = "" if found.kept else "  MISSED"
        megabytes = found.kilobytes / 1024
        print(
            f"  {found.case.name:<32}{found.ratio:>7.3f}  {limit:>8}  {found.milliseconds:>7.2f}  {megabytes:>5.1f}{late}"
        )
    return all(found.kept for found in ratios)
