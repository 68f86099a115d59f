"""Mux, now Xum, without a person: `xum run --json`, one JSON object a line. It approves all, and takes no stand-in model."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, RunEvent, Said, Started, Usage
from agent_connector.hosts.dialects.stream_json import number, record, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "xum"
ENDPOINT = None  # its providers stand in a file of its own, whose form is told nowhere
ACP = ("xum", "acp")
PROVIDERS = ("mux", "xum")
UPSTREAM = None
KEYS: tuple[str, ...] = ()
KEY_HEADER = "authorization"
LOGIN: tuple[str, ...] = ()
TELLS = "tokens and cost of the run, subagents included"
SURE = sure(documented="run system budget usage acp")


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "run", "--json", "--dir", job.cwd]
    if job.model:
        line += ["--model", job.model]
    return [*line, *job.extra, *budget(job), "--", job.text]


def budget(job: Job) -> list[str]:
    return ["--budget", f"{job.budget_usd:g}"] if job.budget_usd else []


BUDGET = budget


def resume(session: str) -> list[str]:
    """A run makes a workspace of its own: it cannot go on with another."""
    return []


def environment(job: Job) -> dict[str, str]:
    return {}


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line. A session is a workspace."""
    said = record(line)
    match said.get("type"):
        case "event":
            return _event(table(said.get("payload")), said.get("workspaceId"))
        case "run-complete":
            return (_complete(said),)
        case "budget-exceeded":
            return (Finished(ok=False, reason="budget-exceeded"),)
        case _:
            return ()


def _event(payload: Mapping[str, Any], workspace: Any) -> Sequence[RunEvent]:
    call, tool = str(payload.get("toolCallId")), str(payload.get("toolName"))
    match payload.get("type"):
        case "stream-start":
            return (Started(str(workspace), payload.get("model")),)
        case "stream-delta" if payload.get("delta") or payload.get("text"):
            return (Said(str(payload.get("delta") or payload.get("text")), piece=True),)
        case "tool-call-start":
            return (Called(call, tool, payload.get("args")),)
        case "tool-call-end":
            result = payload.get("result")
            failed = table(result).get("success") is False
            return (Returned(call, result, failed),)
        case "error":
            return (Noticed("error", str(payload.get("error") or payload.get("message") or "")),)
        case _:
            return ()


def _complete(said: Mapping[str, Any]) -> Finished:
    """Input is without the cache; what subagents used is in it."""
    numbers, cost = table(said.get("usage")), said.get("cost_usd")
    reasoning = number(numbers.get("reasoningTokens"))
    usage = Usage(
        input=number(numbers.get("inputTokens")),
        cache_read=number(numbers.get("cachedTokens")),
        cache_write_5m=number(numbers.get("cacheCreateTokens")),
        output=number(numbers.get("outputTokens")) + reasoning,
        reasoning=reasoning,
    )
    return Finished(
        True, "run-complete", usage=usage if numbers else None, cost_usd=cost if isinstance(cost, int | float) else None
    )
