"""Codex without a person: `codex exec --json`. Start it with an empty stdin, or it waits for more prompt."""

import json
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
from agent_connector.hosts.dialects.stream_json import number, record, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "codex"
ENDPOINT = "openai-responses"  # what a stand-in model has to speak
# Brings its own Codex, runs no hooks (there is no way to trust them in it), and tells no usage of a turn.
ACP = ("codex-acp",)
ACP_PACKAGE = "@zed-industries/codex-acp"
PROVIDERS = ("openai", "codex")
UPSTREAM = "https://api.openai.com"
KEYS = ("CODEX_API_KEY", "OPENAI_API_KEY")
KEY_HEADER = "authorization"
LOGIN = (".codex/auth.json",)
TELLS = "tokens of the whole session, no cost"
SURE = sure(proven="run endpoint resume system usage acp keys", documented="login")
# At the model, Codex' shell has other names than in its hooks.
MODEL_TOOLS = {"Bash": ("exec_command", "shell_command", "shell", "local_shell"), "Agent": ("spawn_agent",)}

_PROVIDER = "standin"
_KEY = "AGENT_CONNECTOR_STANDIN_KEY"


def argv(job: Job) -> list[str]:
    """The provider of a stand-in model and approvals are given by flags, so config.toml stays as it is."""
    line = [job.program or PROGRAM, "exec", *(("resume",) if job.resume else ()), "--json", "--skip-git-repo-check"]
    if job.approvals == "edits":
        line += ["-c", 'sandbox_mode="workspace-write"']
    elif job.approvals == "all":
        line += ["--dangerously-bypass-approvals-and-sandbox"]
    for server in job.approved_servers:
        line += ["-c", f'mcp_servers.{server}.default_tools_approval_mode="approve"']
    if job.trust:
        line += [
            "--dangerously-bypass-hook-trust",
            "-c",
            f'projects={{{json.dumps(job.cwd)}={{trust_level="trusted"}}}}',
        ]
    if job.system:
        line += ["-c", f"developer_instructions={_toml(job.system)}"]
    if job.model:
        line += ["-m", job.model]
    if job.endpoint:
        line += _standin(job.endpoint)
    return [*line, *job.extra, *(resume(job.resume) if job.resume else ()), "--", job.prompt]


def _toml(text: str) -> str:
    """A basic string; JSON's is one but for this."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _standin(endpoint: str) -> list[str]:
    fields = f'name="stand-in",base_url="{endpoint}/v1",env_key="{_KEY}",wire_api="responses"'
    return ["-c", f'model_provider="{_PROVIDER}"', "-c", f"model_providers.{_PROVIDER}={{{fields}}}"]


def resume(session: str) -> list[str]:
    return [session]


def environment(job: Job) -> dict[str, str]:
    return {_KEY: job.api_key} if job.endpoint else {}


def acp_argv(job: Job) -> list[str]:
    model = ["-c", f"model={_toml(job.model)}"] if job.model else []
    return [*ACP, *model, *(_standin(job.endpoint) if job.endpoint else []), *job.extra]


def acp_model(job: Job) -> str | None:
    return None


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line. `error` records and items are notices: only the turn's own end is the end."""
    said = record(line)
    match said.get("type"):
        case "thread.started":
            return (Started(str(said.get("thread_id"))),)
        case "item.started":
            return _begun(table(said.get("item")))
        case "item.completed":
            return _done(table(said.get("item")))
        case "turn.completed":
            return (Finished(ok=True, reason="completed", usage=_usage(table(said.get("usage"))), cumulative=True),)
        case "turn.failed":
            return (Finished(ok=False, reason=str(table(said.get("error")).get("message", ""))),)
        case "error":
            return (Noticed("error", str(said.get("message", ""))),)
        case _:
            return ()


def _begun(item: Mapping[str, Any]) -> Sequence[RunEvent]:
    """Calls that take time; a change of files or a search is told when it is done, with its call."""
    if item.get("type") in ("mcp_tool_call", "command_execution", "collab_tool_call"):
        return (_call(item),)
    return ()


def _done(item: Mapping[str, Any]) -> Sequence[RunEvent]:
    match item.get("type"):
        case "agent_message":
            return (Said(str(item.get("text", ""))),)
        case "reasoning":
            return (Thought(str(item.get("text", ""))),)
        case "mcp_tool_call" | "command_execution" | "collab_tool_call":
            return (_return(item),)
        case "file_change" | "web_search":
            return (_call(item), _return(item))
        case "error":
            return (Noticed("error", str(item.get("message", ""))),)
        case kind:
            return (Noticed(str(kind)),)


def _call(item: Mapping[str, Any]) -> Called:
    call = str(item.get("id"))
    match item.get("type"):
        case "mcp_tool_call":
            server, name = str(item.get("server")), str(item.get("tool"))
            return Called(call, f"mcp__{server}__{name}", item.get("arguments"), server, name)
        case "command_execution":
            return Called(call, "Bash", {"command": item.get("command")})
        case "file_change":
            return Called(call, "apply_patch", {"changes": item.get("changes")})
        case "web_search":
            return Called(call, "web_search", {"query": item.get("query")})
        case _:
            return Called(call, str(item.get("tool") or item.get("type")), item.get("arguments"))


def _return(item: Mapping[str, Any]) -> Returned:
    failed = item.get("status") in ("failed", "declined") or bool(item.get("error"))
    output = item.get("error") or item.get("result")
    if item.get("type") == "command_execution":
        output = item.get("aggregated_output")
    return Returned(str(item.get("id")), output, failed)


def _usage(numbers: Mapping[str, Any]) -> Usage:
    """The sum of the thread so far, earlier runs included. `input_tokens` counts what the cache gave and took too."""
    cached, written = number(numbers.get("cached_input_tokens")), number(numbers.get("cache_write_input_tokens"))
    return Usage(
        input=max(0, number(numbers.get("input_tokens")) - cached - written),
        cache_read=cached,
        cache_write_5m=written,
        output=number(numbers.get("output_tokens")),
        reasoning=number(numbers.get("reasoning_output_tokens")),
    )
