"""Recorded streams of real hosts, from a pipe to an outcome: what was used, what it cost, and no line lost."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from agent_connector.drive.events import Job, RunEvent, Usage
from agent_connector.drive.hosts import FACETS
from agent_connector.drive.run import run

GOLDEN = Path(__file__).parent.parent / "golden"


def steps(requests: int, numbers: int, *, reasoning: int = 7) -> Usage:
    """The stand-in's answers to as many requests, whose numbers add up to that: 1000+n in, 700 of it cached, 50+n out."""
    return Usage(300 * requests + numbers, 700 * requests, 0, 0, 50 * requests + numbers, reasoning * requests)


def dollars(used: Usage) -> float:
    """At the prices that these hosts had been told."""
    return (used.input * 1.0 + used.cache_read * 0.1 + used.output * 2.0) / 1e6


TWO = Usage(1470, 630, 0, 0, 41)  # the answers to two requests, 11 of the output reasoning
STREAMS = {
    "claude-code": (Usage(1386, 630, 84, 0, 41), 0.00691),  # of the input 84 were written to the cache
    "codex": (replace(TWO, reasoning=11), None),
    "gemini-cli": (replace(TWO, reasoning=11), None),
    "qwen-code": (TWO, None),
    "copilot-cli": (None, None),
    "kimi": (None, None),
    "droid": (steps(4, 258, reasoning=0), None),
    "cline": (steps(4, 174, reasoning=0), None),
    **{
        host: (steps(3, n), dollars(steps(3, n)))
        for host, n in (("opencode", 9), ("kilo-cli", 64), ("pi", 6), ("omp", 66))
    },
}


@pytest.mark.parametrize("host", STREAMS)
def test_a_recorded_stream(tmp_path, host: str) -> None:
    path = GOLDEN / host / "stream.jsonl"
    facet = FACETS()[host]
    played = SimpleNamespace(argv=lambda job: ["cat", str(path)], environment=lambda job: {}, read=facet.read)
    events: list[RunEvent] = []
    lines: list[tuple[str, str]] = []
    job = Job("x", str(tmp_path))
    outcome = run(
        played, job, {"PATH": "/usr/bin:/bin"}, on_event=events.append, on_line=lambda *one: lines.append(one)
    )
    assert lines == []
    assert outcome.events == tuple(events)
    spoken = sum(1 for line in path.read_text().splitlines() if facet.read(line))
    assert spoken + sum(outcome.silent.values()) == len(path.read_text().splitlines())
    assert "" not in outcome.silent
    assert outcome.ok and outcome.session if host != "cline" else outcome.ok
    assert {call.call_id for call in outcome.called} == {one.call_id for one in outcome.returned}
    usage, cost = STREAMS[host]
    assert outcome.usage == usage
    assert outcome.cost_usd == (None if cost is None else pytest.approx(cost))
