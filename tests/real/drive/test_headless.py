"""Real hosts driven without a person: a call, what it used, a system text, and a second run that goes on with the first."""

import threading

import pytest
from tests.real.drive.stage import MODEL, SYSTEM, shell, staged

from agent_connector.drive import process
from agent_connector.drive.events import Called, Usage
from agent_connector.drive.hosts import FACETS

pytestmark = pytest.mark.real

# Where the host has a place of its own for a system text.
APART = {"claude-code", "codex", "qwen-code", "droid", "pi", "omp"}
ONE = Usage(1000, 300, 0, 0, 40, 10)
UNTOLD = {"copilot-cli", "kimi"}  # no tokens in the stream
WHOLE = {"codex", "qwen-code"}  # they count the whole session
CALLS_UNTOLD = {"openclaw"}  # it prints what came of the run
NO_REASONING = {"claude-code", "qwen-code", "droid"}  # not told apart from the output
HOSTS = [
    *("claude-code", "codex", "gemini-cli", "qwen-code", "copilot-cli"),
    *("opencode", "droid", "kimi", "pi", "omp", "openclaw"),
]


def told(host: str, requests: int) -> Usage | None:
    """What the host says that so many requests have used."""
    if host in UNTOLD:
        return None
    reasoning = 0 if host in NO_REASONING else 10
    return Usage(*(number * requests for number in (1000, 300, 0, 0, 40, reasoning)))


@pytest.mark.parametrize("host", HOSTS)
def test_a_run_and_one_that_goes_on_with_it(host: str) -> None:
    with staged(host, [shell(host), {"say": "First answer."}, {"say": "Second answer."}]) as stage:
        first = stage.run(stage.job("FIRST PROMPT.", system=SYSTEM))
        assert (first.why, first.exit_code, first.ok, first.error) == ("exited", 0, True, None)
        assert first.text == "First answer."
        assert [call.call_id for call in first.called] == [one.call_id for one in first.returned]
        assert ["tool-ran" in str(one.output) and not one.failed for one in first.returned] == (
            [] if host in CALLS_UNTOLD else [True]
        )
        assert first.usage == told(host, 2)
        [model] = {one.model for one in stage.asked("FIRST PROMPT.")}
        assert model == MODEL
        [heard] = {role for one in stage.model.requests for role, text in one.texts if SYSTEM in text and not one.side}
        assert heard == ("system" if host in APART else "user")

        assert first.session
        second = stage.run(stage.job("SECOND PROMPT.", system=SYSTEM, resume=first.session, spent=first.session_usage))
        assert (second.ok, second.text, second.error) == (True, "Second answer.", None)
        [asked] = stage.asked("SECOND PROMPT.")
        assert asked.has("FIRST PROMPT.", "user") and asked.has("First answer.") and asked.has("tool-ran")
        assert second.usage == told(host, 1)
        assert second.session_usage == (told(host, 3) if host in WHOLE else None)
        assert FACETS()[host].SURE["run"] == FACETS()[host].SURE["resume"] == FACETS()[host].SURE["system"] == "proven"
        assert process.marked(stage.place.marks) == []


def test_a_budget_ends_a_run_of_claude_code() -> None:
    with staged("claude-code", [shell("claude-code"), {"say": "Never said."}]) as stage:
        outcome = stage.run(stage.job("Spend.", budget_usd=0.0001))
        assert (outcome.ok, outcome.finished.reason) == (False, "budget_exhausted")
        assert outcome.usage == told("claude-code", 1)
        assert outcome.cost_usd == pytest.approx(0.00486)
        assert FACETS()["claude-code"].SURE["budget"] == "proven"


def test_a_run_of_codex_is_stopped_in_the_middle_of_a_command() -> None:
    """What its shell has started ends with it, though that has a session of its own."""
    wait = {"call": {"tool": "host:Bash", "arguments": {"cmd": "setsid sleep 600 & sleep 600"}}}
    stop = threading.Event()

    def listen(event: object) -> None:
        if isinstance(event, Called):
            threading.Timer(1.0, stop.set).start()

    with staged("codex", [wait, {"say": "Never said."}]) as stage:
        outcome = stage.run(stage.job("Wait."), stop=stop, on_event=listen, grace=1.0)
        assert (outcome.why, outcome.ok, outcome.ended) == ("stopped", False, True)
        assert len(outcome.called) == 1
        assert process.marked(stage.place.marks) == []
