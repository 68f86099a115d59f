"""Agents that say anything: a run ends all the same, and says in words why."""

import os
import sys
from pathlib import Path

import pytest

from agent_connector.drive import acp
from agent_connector.drive.events import Job, RunEvent
from agent_connector.drive.outcome import Outcome
from agent_connector.hosts.cline import headless

HOSTILE = Path(__file__).parent / "acp_hostile.py"


def run(folder: Path, *command: str) -> tuple[Outcome, list[RunEvent], list[str]]:
    program = folder / "agent"
    program.write_text(f"#!/bin/sh\nexec {' '.join(command)}\n")
    program.chmod(0o755)
    events: list[RunEvent] = []
    lines: list[str] = []
    outcome = acp.run(
        headless,
        Job("do it", cwd=str(folder), program=str(program)),
        {"PATH": os.environ["PATH"]},
        seconds=60,
        on_event=events.append,
        on_line=lambda channel, text: lines.append(text),
    )
    return outcome, events, lines


@pytest.mark.parametrize("seed", range(12))
def test_garbage_ends_no_worker_and_is_no_reason(tmp_path: Path, seed: int) -> None:
    outcome, _, lines = run(tmp_path, sys.executable, str(HOSTILE), str(seed))
    assert outcome.why in ("exited", "stopped"), "it was not waited out"
    if outcome.ok:
        assert outcome.session
    else:
        assert outcome.error
        assert outcome.error not in lines, "a line of garbage is no reason"
        assert not outcome.error.startswith(('{"', "[", "\0"))


@pytest.mark.parametrize(
    ("opened", "ended", "why"),
    [
        ("{}", '{"stopReason": "end_turn"}', "the agent opened no session"),
        ('{"sessionId": 5}', '{"stopReason": "end_turn"}', "the agent opened no session"),
        ('{"sessionId": "s-1"}', "{}", "the agent does not say why its turn ended"),
        ('{"sessionId": "s-1"}', "null", "the agent does not say why its turn ended"),
    ],
)
def test_an_answer_that_lacks_what_it_is_for_is_said(tmp_path: Path, opened: str, ended: str, why: str) -> None:
    script = tmp_path / "short.py"
    script.write_text(
        "import json, sys\n"
        f"answers = {{'initialize': {{}}, 'session/new': json.loads('{opened}'), 'session/prompt': json.loads('{ended}')}}\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if 'id' in asked:\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': answers[asked['method']]}), flush=True)\n"
    )
    outcome, _, _ = run(tmp_path, sys.executable, str(script))
    assert not outcome.ok
    assert outcome.error == why
