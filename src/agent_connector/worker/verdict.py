"""How a run came out: done, failed, to be tried with the next model, or a matter for a person. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent_connector.drive.outcome import Outcome
from agent_connector.worker import markers
from agent_connector.worker.config import Hitl
from agent_connector.worker.values import Escalation, Reason, Status

# What models' APIs, and hosts that speak of them, say when it is not the run's doing.
_MODEL_FAILED = re.compile(
    r"\b(429|500|502|503|504|529)\b|overloaded|rate.?limit|too many requests|service unavailable|internal server error"
    r"|bad gateway|model.{0,20}(not found|does not exist|not available|unavailable)|connection (refused|reset|error)"
    r"|ECONNREFUSED|ECONNRESET|ETIMEDOUT|fetch failed|egress: the model",
    re.IGNORECASE,
)
SHOWN = 4_000  # characters of an answer that stand in a comment
_STOPPED: dict[Reason, Status] = {"timeout": "timed_out", "stall": "timed_out"}


@dataclass(frozen=True, slots=True)
class Denied:
    """A call that the guard did not let pass: the rule's name, why, and the command or tool that it was."""

    rule: str
    reason: str
    command: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a run is written back as."""

    status: Status
    summary: str
    reason: str | None = None
    escalation: Escalation | None = None
    risky: tuple[str, ...] = ()  # words of `hitl.riskMarkers` in all that the agent said of its work


def infrastructure(outcome: Outcome, told: Sequence[str] = ()) -> str | None:
    """Why the next model may be tried: the run failed through no doing of the agent. None where it did not.

    `told` are the lines of the egress proxy. A host that ends by itself with an exit code other than 0, having worked,
    is no such failure unless it says that its model failed.
    """
    if outcome.why == "stall":
        return "it said nothing for too long"
    if outcome.why != "exited" or outcome.ok:
        return None
    if outcome.exit_code is not None and outcome.exit_code < 0:
        return f"it was ended by signal {-outcome.exit_code}"
    found = next((word for word in (outcome.error or "", *told[-1:]) if _MODEL_FAILED.search(word)), None)
    if found is not None:
        return f"its model failed: {_one_line(found)}"
    if not outcome.said and not outcome.called and outcome.finished is None:
        return f"it ended before it began: {_one_line(outcome.error or f'exit code {outcome.exit_code}')}"
    return None


def of(outcome: Outcome, denied: Sequence[Denied], hitl: Hitl, stopped: Reason | None) -> Verdict:
    """The run as it ended. A denial or a question makes it a person's, however it ended; being stopped comes before that.

    Risky words are the loop's to weigh (`risk`): it remembers what a person allowed.
    """
    summary = outcome.text.strip()[-SHOWN:] or (outcome.error or "")[:SHOWN]
    if outcome.why == "exited":
        stopped = None  # it was over before
    if stopped == "spend":
        why = "the run has used up what was reserved for it"
        return Verdict("awaiting_human", summary, why, Escalation("spend", why))
    if stopped is not None:
        return Verdict(_STOPPED.get(stopped, "cancelled"), summary, f"stopped: {stopped}")
    if outcome.why == "stopped":
        return Verdict("cancelled", summary, "stopped")
    escalation = _escalation(outcome, denied, hitl)
    if escalation is not None:
        return Verdict("awaiting_human", summary, escalation.reason, escalation)
    risky = tuple(markers.all_risky("\n".join((*outcome.said, outcome.text)), hitl.risk_markers))
    if outcome.timed_out:
        why = "it took too long" if outcome.why == "timeout" else "it said nothing more"
        return Verdict("timed_out", summary, why, risky=risky)
    if outcome.ok:
        return Verdict("succeeded", summary, risky=risky)
    return Verdict("failed", summary, outcome.error or f"exit code {outcome.exit_code}", risky=risky)


def _escalation(outcome: Outcome, denied: Sequence[Denied], hitl: Hitl) -> Escalation | None:
    if denied:
        wanted = next((one for one in denied if "push" in one.rule), denied[0])
        more = f" ({len(denied)} calls were denied)" if len(denied) > 1 else ""
        kind = "push" if "push" in wanted.rule else "guard"
        return Escalation(kind, f"the guard denied `{_one_line(wanted.command)}`: {wanted.reason}{more}")
    texts = [*outcome.said, outcome.text]
    for text in texts:
        asked = markers.asked(text, hitl.adapter_human_markers)
        if asked is not None:
            return Escalation("marker", asked or "the agent asks for a person")
    return None


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
