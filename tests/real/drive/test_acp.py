"""Real ACP agents: a call that is asked for, one that is refused, what was used, and a session that is gone on with."""

import sys

import pytest
from tests.real.drive.stage import MODEL, SYSTEM, shell, staged
from tests.real.drive.test_headless import told
from tests.real.runs import HERE

from agent_connector.drive import process
from agent_connector.drive.acp import Server
from agent_connector.drive.events import Called
from agent_connector.drive.hosts import FACETS

pytestmark = pytest.mark.real

ASKS = ("copilot-cli", "droid", "kimi", "omp")  # for a command that only says something; others run that unasked
UNTOLD = {"codex", "droid", "kimi"}
HOSTS = ["claude-code", "codex", "qwen-code", "copilot-cli", "droid", "kimi", "omp", "hermes"]


@pytest.mark.parametrize("host", HOSTS)
def test_a_turn_and_one_that_goes_on_with_it(host: str) -> None:
    asked: list[Called] = []
    with staged(host, [shell(host), {"say": "First answer."}, {"say": "Second answer."}]) as stage:
        first = stage.talk(stage.job("FIRST PROMPT.", system=SYSTEM), permit=lambda call: asked.append(call) or True)
        assert (first.why, first.ok, first.error) == ("exited", True, None)
        assert first.text.strip().endswith("First answer.")
        assert [call.call_id for call in first.called] == [one.call_id for one in first.returned]
        assert not first.returned[0].failed
        assert [call.kind for call in asked] == (["execute"] if host in ASKS else [])
        assert {one.model for one in stage.asked("FIRST PROMPT.")} == {MODEL}
        assert stage.asked("FIRST PROMPT.")[-1].has(SYSTEM, "system" if host == "claude-code" else "user")
        usage = told(host, 2)
        if host == "claude-code":
            assert first.cost_usd > 0
        assert (first.usage and first.usage.output) == (None if host in UNTOLD else 80)
        assert (first.usage and first.usage.input) == (None if host in UNTOLD else 2000), usage

        second = stage.talk(stage.job("SECOND PROMPT.", resume=first.session))
        assert (second.ok, second.error) == (True, None)
        assert second.said[-1].endswith("Second answer.") and not any("First" in text for text in second.said)
        assert (second.usage and second.usage.output) == (None if host in UNTOLD else 40)
        [request] = stage.asked("SECOND PROMPT.")
        assert request.has("FIRST PROMPT.", "user") and request.has("First answer.")
        assert FACETS()[host].SURE["acp"] == "proven"
        assert process.marked(stage.place.marks) == []


@pytest.mark.parametrize("host", ["droid", "omp", "copilot-cli"])
def test_what_is_refused_does_not_run(host: str) -> None:
    with staged(host, [shell(host), {"say": "Then not."}]) as stage:
        outcome = stage.talk(stage.job("Try it."), permit=lambda call: False)
        assert len(outcome.finished.denied) == 1
        assert not any("tool-ran" in str(one.output) for one in outcome.returned)


def test_a_server_that_is_given_for_the_session_is_used() -> None:
    server = Server("acme", sys.executable, (str(HERE / "server.py"),))
    call = {"call": {"tool": "probe", "arguments": {"case": "x", "text": "from here"}}}
    with staged("codex", [call, {"say": "Done."}]) as stage:
        outcome = stage.talk(stage.job("Use it."), servers=[server])
        assert outcome.ok, outcome.error
        [called] = outcome.called
        assert (called.server, called.name, called.arguments["text"]) == ("acme", "probe", "from here")
        assert "RESULT probe" in str(outcome.returned[0].output)
