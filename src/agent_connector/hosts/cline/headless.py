"""Cline's terminal program without a person: `cline --json`, one JSON object a line. Start it with an empty stdin."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import (
    Called,
    Finished,
    Job,
    Noticed,
    Returned,
    RunEvent,
    Said,
    Started,
    Thought,
    Usage,
)
from agent_connector.hosts.dialects.claude_hooks import MCP, split
from agent_connector.hosts.dialects.stream_json import number, record, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "cline"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("cline", "--acp")
# There it knows no providers but its maker's and a login to ChatGPT, and no models but those of its own list.
ACP_KEYS = ("CLINE_API_KEY",)
ACP_UPSTREAM = "https://api.cline.bot/api"
APPROVES_SERVERS = False  # all calls are approved, or none
PROVIDERS = ("cline",)
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".cline/data/settings/providers.json",)
TELLS = "tokens and cost of the run"
SURE = sure(proven="run endpoint system usage acp", documented="resume keys login")
HOME_FILES = {
    ".cline/data/settings/providers.json": """{
  "version": 1,
  "lastUsedProvider": "openai-compatible",
  "modes": {},
  "providers": {
    "openai-compatible": {
      "settings": {
        "provider": "openai-compatible",
        "apiKey": "@KEY@",
        "model": "@NAME@",
        "baseUrl": "@MODEL@/v1"
      },
      "updatedAt": "2026-01-01T00:00:00.000Z",
      "tokenSource": "manual"
    },
    "cline": {
      "settings": {
        "provider": "cline",
        "apiKey": "@KEY@",
        "model": "@NAME@",
        "baseUrl": "@MODEL@/v1"
      },
      "updatedAt": "2026-01-01T00:00:00.000Z",
      "tokenSource": "manual"
    }
  }
}
"""
}


def argv(job: Job) -> list[str]:
    """`--yolo` approves too, but it turns hooks off."""
    line = [job.program or PROGRAM, "--json", "--auto-approve", "true" if job.approvals == "all" else "false"]
    if job.endpoint:
        line += ["--provider", "openai-compatible"]
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, job.text]


def resume(session: str) -> list[str]:
    return ["--id", session]


def environment(job: Job) -> dict[str, str]:
    return {"CLINE_TELEMETRY_DISABLED": "1"}


def acp_environment(job: Job) -> dict[str, str]:
    """A name that is not on its list is passed over."""
    return {**environment(job), **({"CLINE_MODEL": job.model} if job.model else {})}


def acp_model(job: Job) -> str | None:
    return None


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line. `run_aborted` comes after the result of a run that was cancelled, and says no more."""
    said = record(line)
    match said.get("type"):
        case "run_start":
            return (Started(str(said.get("sessionId")), said.get("modelId")),)
        case "agent_event":
            return _agent(table(said.get("event")))
        case "hook_event":
            return (Noticed("hook", str(said.get("hookEventName", ""))),)
        case "run_result":
            return (_result(said),)
        case "error":
            return (Noticed("error", str(said.get("message", ""))),)
        case _:
            return ()


def _agent(event: Mapping[str, Any]) -> Sequence[RunEvent]:
    kind, content = event.get("type"), event.get("contentType")
    if kind == "content_start" and content == "tool":
        tool = str(event.get("toolName"))
        server, name = split(MCP + tool, None, ())
        return (Called(str(event.get("toolCallId")), tool, event.get("input"), server, name if server else None),)
    if kind == "content_end" and content == "tool":
        error = event.get("error")
        return (Returned(str(event.get("toolCallId")), error or event.get("output"), failed=bool(error)),)
    if kind == "content_end" and event.get("text"):
        return (Said(str(event["text"])),)
    if kind == "content_end" and event.get("reasoning"):
        return (Thought(str(event["reasoning"])),)
    if kind in ("notice", "error"):
        return (Noticed(str(event.get("reason") or kind), str(event.get("message") or event.get("error") or "")),)
    return ()


def _result(said: Mapping[str, Any]) -> Finished:
    """`usage` is the run's sum; its input holds what the cache gave. A hook's denial ends a run as "aborted"."""
    numbers = table(said.get("usage"))
    cached, cost = number(numbers.get("cacheReadTokens")), numbers.get("totalCost")
    written = number(numbers.get("cacheWriteTokens"))
    return Finished(
        ok=said.get("finishReason") == "completed",
        reason=said.get("finishReason"),
        text=said.get("text"),
        usage=Usage(
            input=max(0, number(numbers.get("inputTokens")) - cached - written),
            cache_read=cached,
            cache_write_5m=written,
            output=number(numbers.get("outputTokens")),
        ),
        cost_usd=cost if isinstance(cost, int | float) and cost else None,
        turns=said.get("iterations"),
    )
