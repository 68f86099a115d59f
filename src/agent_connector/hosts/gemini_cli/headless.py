"""Gemini CLI without a person: `gemini --prompt=... -o stream-json`, one JSON object a line."""

import json
from collections.abc import Sequence
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
    Usage,
)
from agent_connector.hosts.dialects.values import mapping

STAND_IN_MODEL = "gemini-2.5-flash"  # a model that is named makes no request to choose one
ACP = ("gemini", "--acp")

_APPROVALS = {"default": "default", "edits": "auto_edit", "all": "yolo"}


def argv(job: Job) -> list[str]:
    """The command line. A server cannot be approved alone here: its entry's `trust` does that."""
    line = [job.program or "gemini", f"--prompt={job.prompt}", "--output-format", "stream-json"]
    line += ["--approval-mode", _APPROVALS[job.approvals]]
    if model := job.model or (STAND_IN_MODEL if job.endpoint else None):
        line += ["--model", model]
    if job.resume:
        line += ["--resume", job.resume]
    if job.trust:
        line.append("--skip-trust")
    return [*line, *job.extra]


def environment(job: Job) -> dict[str, str]:
    """The variables beside the person's own."""
    variables = {"GEMINI_CLI_TRUST_WORKSPACE": "true"} if job.trust else {}
    if job.endpoint:
        variables |= {
            "GOOGLE_GEMINI_BASE_URL": job.endpoint,
            "GEMINI_API_KEY": job.api_key,
            "GEMINI_TELEMETRY_ENABLED": "false",
        }
    return variables


def read(line: str) -> Sequence[RunEvent]:
    """One line of the stream; what is no JSON object says nothing."""
    try:
        record = mapping(json.loads(line))
    except ValueError:
        return []
    reader = _READERS.get(str(record.get("type")))
    return reader(record) if reader else []


def _init(record: dict[str, Any]) -> list[RunEvent]:
    return [Started(record.get("session_id", ""), record.get("model"))]


def _message(record: dict[str, Any]) -> list[RunEvent]:
    return [Said(record.get("content", ""))] if record.get("role") == "assistant" else []


def _tool_use(record: dict[str, Any]) -> list[RunEvent]:
    return [Called(record.get("tool_id", ""), record.get("tool_name", ""), record.get("parameters"))]


def _tool_result(record: dict[str, Any]) -> list[RunEvent]:
    failed = record.get("status") == "error"
    output = mapping(record.get("error")).get("message") if failed else None
    return [Returned(record.get("tool_id", ""), record.get("output") if output is None else output, failed)]


def _error(record: dict[str, Any]) -> list[RunEvent]:
    return [Noticed(record.get("severity", "error"), record.get("message", ""))]


def _result(record: dict[str, Any]) -> list[RunEvent]:
    stats, error = mapping(record.get("stats")), mapping(record.get("error"))
    return [
        Finished(
            ok=record.get("status") == "success",
            reason=error.get("message") or error.get("type"),
            usage=_usage(stats),
            by_model={name: _usage(numbers) for name, numbers in mapping(stats.get("models")).items()},
        )
    ]


def _usage(stats: dict[str, Any]) -> Usage:
    """`input` is without the cached part; what `total_tokens` has beyond input and output is reasoning."""
    output = stats.get("output_tokens", 0)
    reasoning = max(0, stats.get("total_tokens", 0) - stats.get("input_tokens", 0) - output)
    return Usage(
        input=stats.get("input", 0),
        cache_read=stats.get("cached", 0),
        output=output + reasoning,
        reasoning=reasoning,
    )


_READERS = {
    "init": _init,
    "message": _message,
    "tool_use": _tool_use,
    "tool_result": _tool_result,
    "error": _error,
    "result": _result,
}
