"""What the board is told at the end of a run: a comment, the run's update, the task's status, and the closing letter. Pure.

The comment is first: once it is there, so is the result, and whoever finds the task finds that it is done. The status is last:
once it is there nobody looks for the task any more.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from agent_connector.worker.config import Config
from agent_connector.worker.state import Run
from agent_connector.worker.values import Reason, Result
from agent_connector.worker.verdict import SHOWN

Letters = list[tuple[str, dict[str, Any]]]
AGAIN: tuple[Reason, ...] = ("kill-switch", "shutdown", "lease")  # stopped for these, a run is done again
ENDED: Letters = [("end", {})]  # another worker has the task: nothing is told any more
_COMMENT = 60_000  # bytes; a comment may have 64 KiB
_FENCE = "```"


def letters(result: Result, stopped: Reason | None, run: Run, at: str, config: Config) -> Letters:
    """In the order in which they are sent."""
    again, moved = cut_short(result, stopped), result.status == "cancelled" and stopped == "moved"
    made: Letters = []
    if not again and not moved:
        asks = result.escalation is not None
        made.append(("comment", {"text": comment(result, config), "outcome": result.status, "asks": asks}))
    if run.board_run is not None:
        made.append(("update", {"run": run.board_run, "fields": update(result, at)}))
    if again:
        return [*made, *given_back(run, config)]
    status = None if moved else status_of(result.status, config)
    return [*made, *moved_on(status, run, config, "park" if result.escalation is not None else "settle")]


def cut_short(result: Result, stopped: Reason | None) -> bool:
    """Whether the run was stopped for a reason that is none of the task's."""
    return result.status == "cancelled" and stopped in AGAIN


def not_begun(result: Result, stopped: Reason | None) -> bool:
    """Whether the worker could not do the task: it has no key, its host is gone. The task is to stay as it was."""
    return result.status == "cancelled" and not result.started and stopped is None


def given_back(run: Run, config: Config) -> Letters:
    """The task is as it was before, for whoever comes next."""
    made: Letters = []
    if run.running:
        back = {"status": run.taken_from, "only_from": [config.running_status], "then": "", "poll": []}
        made.append(("status", back))
    return [*made, ("close", {"settle": False, "poll": []})]


def moved_on(status: str | None, run: Run, config: Config, then: str) -> Letters:
    """The task is where its result belongs; `then` says what is remembered: that it is settled, or parked."""
    poll = list(config.poll_status)
    if status is None:
        return [("close", {"settle": then == "settle", "poll": poll})]
    left_at = [one for one in (run.taken_from, config.running_status) if one is not None]
    told = {"status": status, "only_from": left_at, "then": then, "poll": poll}
    return [("status", told), ("close", {"settle": False, "poll": poll})]


def status_of(outcome: str, config: Config) -> str | None:
    """Where a task goes after a run that came out so; None: it stays where it is."""
    if outcome == "awaiting_human":
        return config.hitl.blocked_status
    return config.done_status if outcome == "succeeded" else config.failed_status


def update(result: Result, at: str) -> dict[str, Any]:
    """The run as the board keeps it; a strict board may strip the top, so all of it is in `result` too."""
    top = {"provider": result.provider, "model": result.model, "cost": result.cost_usd}
    inner: dict[str, Any] = {
        "summary": result.summary,
        "reason": result.reason,
        "host": result.host,
        **top,
        "costSource": result.cost_source,
        "usage": asdict(result.usage) if result.usage else None,
        "routing": [dict(entry) for entry in result.routing],
        "branch": result.branch,
        "diffStat": result.diff_stat,
        "exitCode": result.exit_code,
        "escalation": asdict(result.escalation) if result.escalation else None,
    }
    told: Mapping[str, Any] = {name: value for name, value in inner.items() if value not in (None, [], "")}
    finished = None if result.status == "awaiting_human" else at
    fields = {"status": result.status, "result": told, "finished_at": finished, **top}
    return {name: value for name, value in fields.items() if value is not None}


def comment(result: Result, config: Config) -> str:
    """For the people who read the task."""
    head = {
        "succeeded": "Done.",
        "failed": f"Failed: {result.reason or 'no reason was given'}.",
        "timed_out": f"Stopped: {result.reason or 'it took too long'}.",
        "awaiting_human": "A person is needed.",
    }.get(result.status, "Stopped.")
    parts = [head.replace("..", ".")]
    if result.escalation is not None:
        if result.reason not in (None, result.escalation.reason):
            parts.append(f"The run did not come to a good end: {result.reason}")
        parts.append(asking(result.escalation.kind, result.escalation.reason, config))
    head_says_why = result.status in ("failed", "timed_out")
    if result.summary and not (head_says_why and _said_already(result.summary, result.reason or "")):
        parts.append(result.summary)
    if result.branch:
        parts.append(f"Branch `{result.branch}`\n\n{_FENCE}\n{(result.diff_stat or '').rstrip()}\n{_FENCE}")
    parts.append(_line(result))
    text = "\n\n".join(part for part in parts if part).replace("\0", "")
    data = text.encode("utf-8", "replace")
    return data.decode() if len(data) <= _COMMENT else data[:_COMMENT].decode("utf-8", "ignore") + "\n\n[cut]"


def _said_already(summary: str, reason: str) -> bool:
    """The host's last word is both where nothing else was said; a summary is cut, a reason is not."""
    said, why = summary.strip(), reason.strip()
    return said == why or (len(said) >= SHOWN and said in why)


def asking(kind: str, reason: str, config: Config) -> str:
    """What is needed, and how the task goes on."""
    what = {
        "guard": "The agent wanted to do something that the guard does not allow",
        "push": "The agent wanted to push, and workers never do",
        "marker": "The agent asks",
        "risk": "The task, or what the agent wrote, sounds risky",
        "spend": "There is no money left for this run",
        "canary": "The host could not be guarded, so it was not run",
    }.get(kind, "A decision is needed")
    if kind == "spend":
        return (
            f"{what}: {reason}\n\nTo go on: move the task to `{config.hitl.resume_status}`, which sets aside "
            "`runReserveUsd` for another run. Where a cap is reached, raise it first in the worker's connector.yml and start "
            "the worker again, or wait until there is room."
        )
    return (
        f"{what}: {reason}\n\nTo go on: answer in a comment, then move the task to `{config.hitl.resume_status}`. The answer "
        "is handed to the agent; it does not lift the guard."
    )


def _line(result: Result) -> str:
    model = " ".join(part for part in (result.host, result.model) if part)
    cost = "cost unknown" if result.cost_source == "reserve" and result.cost_usd is None else ""
    if result.cost_usd is not None:
        label = "" if result.cost_source in (None, "host-reported") else f" ({result.cost_source})"
        cost = f"${result.cost_usd:.2f}{label}"
    return " · ".join(part for part in (model, cost) if part)


def reduced(result: Result, why: str) -> Result:
    """What is left of a result that cannot be kept: how it came out, and its money where that is a number."""
    told = isinstance(result.cost_usd, float) and math.isfinite(result.cost_usd)
    return Result(
        result.status,
        why if result.status == "succeeded" else "",
        why,
        result.escalation and replace(result.escalation, reason=why),
        cost_usd=result.cost_usd if told else None,
        cost_source=result.cost_source if told else None,
        started=result.started,
    )


def hidden(result: Result, hide: Callable[[str], str]) -> Result:
    """Nothing leaves unredacted."""
    escalation = result.escalation and replace(result.escalation, reason=hide(result.escalation.reason))
    return replace(
        result,
        summary=hide(result.summary),
        reason=hide(result.reason) if result.reason else None,
        escalation=escalation,
        branch=hide(result.branch) if result.branch else None,
        diff_stat=hide(result.diff_stat) if result.diff_stat else None,
        routing=tuple(
            {name: hide(value) if isinstance(value, str) else value for name, value in entry.items()}
            for entry in result.routing
        ),
    )
