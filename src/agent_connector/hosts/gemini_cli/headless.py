"""Gemini CLI without a person: `gemini --prompt=... -o stream-json`, one JSON object a line."""

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
    Usage,
)
from agent_connector.hosts.dialects.stream_json import number, record, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "gemini"
ENDPOINT = "gemini"  # what a stand-in model has to speak
ACP = ("gemini", "--acp")  # a session is not found again within the minute that it began in
# With a base URL and no method that was chosen before, Gemini takes "gateway", which a headless run refuses. Over ACP
# its shell would want a terminal of its own, which not every sandbox has.
HOME_FILES = {
    ".gemini/settings.json": """{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
  "tools": {"shell": {"enableInteractiveShell": false}}
}
"""
}
APPROVES_SERVERS = False  # one server's tools cannot be approved alone: `trust` in its entry does that
PROVIDERS = ("google", "gemini")
UPSTREAM = "https://generativelanguage.googleapis.com"
KEYS = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
KEY_HEADER = "x-goog-api-key"
LOGIN = (".gemini/oauth_creds.json", ".gemini/google_accounts.json")
TELLS = "tokens of the run, by model, no cost"
SURE = sure(proven="run endpoint resume system usage acp keys", documented="login")

_STAND_IN = "gemini-2.5-flash"  # a model that is named makes no request to choose one
_APPROVALS = {"default": "default", "edits": "auto_edit", "all": "yolo"}


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, f"--prompt={job.text}", "--output-format", "stream-json"]
    line += ["--approval-mode", _APPROVALS[job.approvals]]
    if model := job.model or (_STAND_IN if job.endpoint else None):
        line += ["--model", model]
    if job.resume:
        line += resume(job.resume)
    if job.trust:
        line.append("--skip-trust")
    return [*line, *job.extra]


def resume(session: str) -> list[str]:
    return ["--resume", session]


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


def acp_argv(job: Job) -> list[str]:
    """A folder that is not trusted ends the agent."""
    model = job.model or (_STAND_IN if job.endpoint else None)
    return [*ACP, *(["--model", model] if model else []), *(["--skip-trust"] if job.trust else []), *job.extra]


def acp_model(job: Job) -> str | None:
    return None


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line; a line that is no JSON object has none."""
    said = record(line)
    match said.get("type"):
        case "init":
            return (Started(str(said.get("session_id", "")), said.get("model")),)
        case "message" if said.get("role") == "assistant":
            return (Said(str(said.get("content", "")), piece=said.get("delta") is True),)
        case "tool_use":
            return (_called(said),)
        case "tool_result":
            return (_returned(said),)
        case "error":
            return (Noticed(str(said.get("severity", "error")), str(said.get("message", ""))),)
        case "result":
            return (_result(said),)
        case _:
            return ()


def _called(said: Mapping[str, Any]) -> RunEvent:
    """An MCP tool is `mcp_<server>_<tool>`, and Gemini itself ends the server at the first `_`."""
    tool = str(said.get("tool_name", ""))
    server, mark, name = tool.removeprefix("mcp_").partition("_")
    call, arguments = str(said.get("tool_id", "")), said.get("parameters")
    if tool.startswith("mcp_") and mark:
        return Called(call, tool, arguments, server, name)
    return Called(call, tool, arguments)


def _returned(said: Mapping[str, Any]) -> RunEvent:
    failed = said.get("status") == "error"
    reason = table(said.get("error")).get("message") if failed else None
    return Returned(str(said.get("tool_id", "")), said.get("output") if reason is None else reason, failed)


def _result(said: Mapping[str, Any]) -> RunEvent:
    stats, error = table(said.get("stats")), table(said.get("error"))
    return Finished(
        ok=said.get("status") == "success",
        reason=error.get("message") or error.get("type"),
        usage=_usage(stats),
        by_model={name: _usage(table(numbers)) for name, numbers in table(stats.get("models")).items()},
    )


def _usage(stats: Mapping[str, Any]) -> Usage:
    """`input` is without the cached part; what `total_tokens` has beyond input and output is reasoning."""
    output = number(stats.get("output_tokens"))
    reasoning = max(0, number(stats.get("total_tokens")) - number(stats.get("input_tokens")) - output)
    return Usage(
        input=number(stats.get("input")),
        cache_read=number(stats.get("cached")),
        output=output + reasoning,
        reasoning=reasoning,
    )
