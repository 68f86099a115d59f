"""The Antigravity CLI without a person: `agy -p` with a stream of JSON lines. It takes no stand-in model."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Called, Finished, Job, Returned, RunEvent, Said, Started, Usage
from agent_connector.hosts.dialects.antigravity_hooks import split
from agent_connector.hosts.dialects.stream_json import number, record, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "agy"
ENDPOINT = None  # its models are behind its own service
ACP = ("agy", "acp")
PROVIDERS = ("antigravity",)
UPSTREAM = None
KEYS = ("GEMINI_API_KEY",)
KEY_HEADER = "x-goog-api-key"
LOGIN: tuple[str, ...] = ()  # its login is in the keyring
TELLS = "tokens of the whole session, no cost"
SURE = sure(documented="run resume system usage keys", uncertain="acp")


def argv(job: Job) -> list[str]:
    """`-p` takes the next word, and everything behind it may be taken for the prompt: so it comes last."""
    line = [job.program or PROGRAM, "--output-format", "stream-json", "--add-dir", job.cwd]
    if job.approvals == "all":
        line += ["--dangerously-skip-permissions"]
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "-p", job.text]


def resume(session: str) -> list[str]:
    return ["--conversation", session]


def environment(job: Job) -> dict[str, str]:
    """No update in the middle of a run."""
    return {"AGY_CLI_DISABLE_AUTO_UPDATE": "1"}


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line."""
    said = record(line)
    match said.get("event"):
        case "init":
            told = table(said.get("init"))
            tools = tuple(str(tool) for tool in told.get("tools") or ())
            return (Started(str(said.get("conversation_id")), told.get("model"), told.get("cwd"), tools=tools),)
        case "step_update":
            return _step(table(said.get("step_update")))
        case "result":
            return (_result(table(said.get("result"))),)
        case _:
            return ()


def _step(step: Mapping[str, Any]) -> Sequence[RunEvent]:
    """A tool's step comes again when there is a result."""
    if step.get("step_type") == "agent_response" and step.get("text_delta"):
        return (Said(str(step["text_delta"]), piece=True),)
    told = table(step.get("tool_info"))
    tool = told.get("name") or step.get("tool_name")
    if step.get("step_type") != "tool" or not tool:
        return ()
    call, error = str(step.get("step_index")), table(told.get("error"))
    if error or told.get("output") is not None:
        return (Returned(call, error.get("message") if error else told.get("output"), failed=bool(error)),)
    server, name = split(str(tool), ())
    return (Called(call, str(tool), told.get("parameters"), server, name if server else None),)


def _result(told: Mapping[str, Any]) -> Finished:
    error = told.get("error")
    return Finished(
        ok=told.get("status") != "ERROR" and not error,
        reason=told.get("status"),
        text=told.get("response"),
        session=told.get("conversation_id"),
        usage=_usage(table(told.get("usage"))),
        cumulative=True,
    )


def _usage(numbers: Mapping[str, Any]) -> Usage | None:
    """Whether input holds what the cache gave, and output the thinking, is seen by what the total holds."""
    if not numbers:
        return None
    given, cached, out, thought, total = (
        number(numbers.get(f"{name}_tokens")) for name in ("input", "cache_read", "output", "thinking", "total")
    )
    if total and total == given + out and thought <= out:
        return Usage(input=max(0, given - cached), cache_read=cached, output=out, reasoning=thought)
    if total and total == given + out + thought:
        return Usage(input=max(0, given - cached), cache_read=cached, output=out + thought, reasoning=thought)
    return Usage(input=given, cache_read=cached, output=out + thought, reasoning=thought)
