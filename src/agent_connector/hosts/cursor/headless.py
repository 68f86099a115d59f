"""Cursor's CLI without a person: `cursor-agent -p` with a stream of JSON lines. It takes no stand-in model."""

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
from agent_connector.hosts.dialects.stream_json import number, record, rows, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "cursor-agent"
ENDPOINT = None  # its models are behind its own service
ACP = ("cursor-agent", "acp")
PROVIDERS = ("cursor", "cursor-agent")
UPSTREAM = None
KEYS = ("CURSOR_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".config/cursor/auth.json",)
TELLS = "tokens of the run in newer versions, no cost"
SURE = sure(documented="run resume system acp keys", uncertain="usage login")


def argv(job: Job) -> list[str]:
    """Without `--force` what needs approval is rejected; `--trust` also lets an untrusted folder's hooks run."""
    line = [job.program or PROGRAM, "-p", "--output-format", "stream-json"]
    if job.approvals == "all":
        line += ["--force"]
    if job.approved_servers:
        line += ["--approve-mcps"]
    if job.trust:
        line += ["--trust"]
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--", job.text]


def resume(session: str) -> list[str]:
    return ["--resume", session]


def environment(job: Job) -> dict[str, str]:
    return {}


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line. A run that fails may end without a result: then the exit code speaks."""
    said = record(line)
    match said.get("type"):
        case "system" if said.get("subtype") == "init":
            return (Started(str(said.get("session_id")), said.get("model"), said.get("cwd")),)
        case "assistant":
            parts = rows(table(said.get("message")).get("content"))
            return [Said(part["text"]) for part in parts if part.get("type") == "text" and part.get("text")]
        case "thinking" if said.get("text"):
            return (Thought(str(said["text"])),)
        case "tool_call":
            return _tool_call(said)
        case "result":
            return (_result(said),)
        case "system":
            return (Noticed(str(said.get("subtype", ""))),)
        case _:
            return ()


def _tool_call(said: Mapping[str, Any]) -> Sequence[RunEvent]:
    """`tool_call` has one key, `<kind>ToolCall`, with the arguments and at the end the result."""
    call = str(said.get("call_id"))
    for key, value in table(said.get("tool_call")).items():
        body = table(value)
        arguments = table(body.get("args"))
        if said.get("subtype") == "completed":
            result = table(body.get("result"))
            return (Returned(call, result, failed=bool(result) and "success" not in result),)
        if key == "mcpToolCall":
            server, name = arguments.get("providerIdentifier"), arguments.get("toolName") or arguments.get("name")
            return (Called(call, f"MCP:{name}", arguments.get("args"), server, name),)
        return (Called(call, key.removesuffix("ToolCall"), arguments),)
    return ()


def _result(said: Mapping[str, Any]) -> Finished:
    numbers = table(said.get("usage"))
    usage = Usage(
        input=number(numbers.get("inputTokens")),
        cache_read=number(numbers.get("cacheReadTokens")),
        cache_write_5m=number(numbers.get("cacheWriteTokens")),
        output=number(numbers.get("outputTokens")),
    )
    return Finished(
        ok=said.get("subtype") == "success" and not said.get("is_error"),
        reason=said.get("subtype"),
        text=said.get("result"),
        session=said.get("session_id"),
        usage=usage if numbers else None,
    )
