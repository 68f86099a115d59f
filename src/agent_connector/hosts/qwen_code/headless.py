"""Qwen Code without a person: `qwen --output-format stream-json`, a stream after Claude Code's."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Finished, Job, Noticed, RunEvent, Usage
from agent_connector.hosts.dialects import claude_stream
from agent_connector.hosts.dialects.stream_json import number, record, rows, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "qwen"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("qwen", "--acp")
# A turn's end would else ask the model again, for a memory of its own and for the person's next prompt. Over ACP
# its shell would want a terminal of its own, which not every sandbox has.
HOME_FILES = {
    ".qwen/settings.json": """{
  "memory": {"enableManagedAutoMemory": false},
  "ui": {"enableFollowupSuggestions": false},
  "tools": {"shell": {"enableInteractiveShell": false}}
}
"""
}
APPROVES_SERVERS = False  # one server's tools cannot be approved alone: `trust` in its entry does that
ACP_USAGE = "calls"  # told after each request, with what the cache gave in the input
ACP_CACHE_IN_INPUT = True
PROVIDERS = ("qwen", "alibaba", "dashscope")
UPSTREAM = "https://dashscope.aliyuncs.com/compatible-mode"
KEYS = ("DASHSCOPE_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".qwen/oauth_creds.json",)
TELLS = "tokens of the whole session, no cost"
SURE = sure(proven="run endpoint resume system usage acp", documented="keys login")

_STAND_IN = "stand-in"
_APPROVALS = {"default": "default", "edits": "auto-edit", "all": "yolo"}


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "--output-format", "stream-json", "--approval-mode", _APPROVALS[job.approvals]]
    if job.endpoint:
        line += ["--auth-type", "openai"]
    if job.model:
        line += ["--model", job.model]
    if job.system:
        line.append(f"--append-system-prompt={job.system}")
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, f"--prompt={job.prompt}"]


def resume(session: str) -> list[str]:
    return ["--resume", session]


def environment(job: Job) -> dict[str, str]:
    """The variables beside the person's own."""
    if not job.endpoint:
        return {}
    return {
        "OPENAI_BASE_URL": f"{job.endpoint}/v1",
        "OPENAI_API_KEY": job.api_key,
        "OPENAI_MODEL": job.model or _STAND_IN,
        "QWEN_USAGE_STATISTICS_ENABLED": "false",
        "QWEN_TELEMETRY_ENABLED": "false",
    }


def acp_argv(job: Job) -> list[str]:
    key, model = ["--auth-type", "openai"] if job.endpoint else [], ["--model", job.model] if job.model else []
    return [*ACP, *key, *model, *job.extra]


def acp_model(job: Job) -> str | None:
    return None


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line; a line that is no JSON object has none."""
    said = record(line)
    match said.get("type"):
        case "system" if said.get("subtype") == "init":
            return (claude_stream.started(said),)
        case "system":
            return (Noticed(str(said.get("subtype", ""))),)
        case "assistant" | "user":
            return claude_stream.message(said)
        case "result":
            return (_result(said),)
        case _:
            return ()


def _result(said: Mapping[str, Any]) -> Finished:
    """`usage` is the session's sum, earlier runs included; it has no cost."""
    error = table(said.get("error")).get("message")
    return Finished(
        ok=said.get("subtype") == "success" and not said.get("is_error"),
        reason=str(error or said.get("subtype")),
        text=said.get("result"),
        session=said.get("session_id"),
        usage=_usage(table(said.get("usage"))),
        turns=said.get("num_turns"),
        denied=tuple(str(denial.get("tool_name")) for denial in rows(said.get("permission_denials"))),
        cumulative=True,
    )


def _usage(numbers: Mapping[str, Any]) -> Usage:
    """`input_tokens` counts what the cache gave too; reasoning is in the output and not told apart."""
    cached = number(numbers.get("cache_read_input_tokens"))
    return Usage(
        input=max(0, number(numbers.get("input_tokens")) - cached),
        cache_read=cached,
        output=number(numbers.get("output_tokens")),
    )
