"""How a run that has ended is judged."""

from typing import Any

import pytest

from agent_connector.drive.events import Called, Finished, RunEvent, Said
from agent_connector.drive.outcome import Outcome
from agent_connector.worker import verdict
from agent_connector.worker.config import Hitl
from agent_connector.worker.verdict import Denied, infrastructure

HITL = Hitl()
WORKED: tuple[RunEvent, ...] = (Said("I looked."), Called("1", "Bash"))


def outcome(*events: RunEvent, code: int | None = 0, why: str = "exited", stderr: str = "") -> Outcome:
    return Outcome(events, code, why, 1.0, "", stderr)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "failed",
    [
        outcome(*WORKED, why="stall", code=None),
        outcome(*WORKED, code=-9),
        outcome(code=127, stderr="sh: claude: not found"),
        outcome(*WORKED, Finished(ok=False, reason="API Error: 529 overloaded_error"), code=1),
        outcome(*WORKED, code=1, stderr="Error: connect ECONNREFUSED 127.0.0.1:41414"),
    ],
)
def test_what_the_agent_did_not_do_is_tried_with_the_next_model(failed: Outcome) -> None:
    assert infrastructure(failed)


@pytest.mark.parametrize(
    "ended",
    [
        outcome(*WORKED, Finished(ok=True)),
        outcome(*WORKED, Finished(ok=False, reason="error_max_turns"), code=1),
        outcome(*WORKED, code=2, stderr="2 tests failed"),
        outcome(*WORKED, why="timeout", code=None),
        outcome(*WORKED, why="stopped", code=None),
    ],
)
def test_a_run_that_ended_is_not_tried_again(ended: Outcome) -> None:
    assert infrastructure(ended) is None


def test_a_denial_is_a_person_s_even_when_the_run_went_well() -> None:
    push = Denied("git-push", "nothing is pushed from here", "git  push\norigin main")
    found = verdict.of(outcome(Said("Done."), Finished(ok=True)), [push], HITL, None)
    assert (found.status, found.summary) == ("awaiting_human", "Done.")
    assert found.escalation and found.escalation.kind == "push"
    assert "`git push origin main`: nothing is pushed from here" in found.escalation.reason


def test_an_agent_s_question_is_a_person_s_whatever_its_exit_code() -> None:
    for code in (0, 3):
        found = verdict.of(outcome(Said("Half done.\nNEEDS HUMAN: which of the two?"), code=code), [], HITL, None)
        assert found.escalation and (found.escalation.kind, found.reason) == ("marker", "which of the two?")


@pytest.mark.parametrize(
    ("stopped", "status"),
    [("moved", "cancelled"), ("kill-switch", "cancelled"), ("lease", "cancelled"), ("timeout", "timed_out")],
)
def test_what_was_stopped_asks_nobody(stopped: verdict.Reason, status: str) -> None:
    found = verdict.of(outcome(Said("NEEDS HUMAN: x"), why="stopped", code=None), [], HITL, stopped)
    assert (found.status, found.escalation) == (status, None)


def test_a_run_beyond_its_money_is_a_person_s() -> None:
    found = verdict.of(outcome(*WORKED, why="stopped", code=None), [], HITL, "spend")
    assert found.escalation and found.escalation.kind == "spend"


def test_an_exit_code_alone_is_a_reason() -> None:
    found = verdict.of(outcome(*WORKED, code=3), [], HITL, None)
    assert (found.status, found.reason) == ("failed", "exit code 3")


def test_risky_words_count_wherever_the_agent_said_them() -> None:
    long = "I will Drop  table users.".replace("  ", " ") + " word" * 2_000
    found = verdict.of(outcome(Said("First a force push."), Said(long), Finished(ok=True)), [], HITL, None)
    assert found.status == "succeeded" and "drop table" not in found.summary.casefold()
    assert found.risky == ("drop table", "force push")


@pytest.mark.parametrize(("why", "code", "status"), [("exited", 3, "failed"), ("timeout", None, "timed_out")])
def test_risky_words_of_a_run_that_came_to_nothing_count(why: Any, code: int | None, status: str) -> None:
    found = verdict.of(outcome(Said("First a force push."), Said("word " * 2_000), why=why, code=code), [], HITL, None)
    assert (found.status, found.risky) == (status, ("force push",))
