"""Pi and Oh My Pi without a person: `--mode json -p`, one JSON object a line.

Every step's message says what it has used. How the run went stands in the last message of `agent_end`; where the host
tries again, another one comes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Called, Finished, Job, Returned, RunEvent, Said, Spent, Started, Thought, Usage
from agent_connector.hosts.dialects.stream_json import number, record, rows, table

STAND_IN = "stand-in"


def model(job: Job) -> str | None:
    """`provider/model`; what a stand-in model is called is written down in HOME_FILES."""
    return f"{STAND_IN}/{job.model or STAND_IN}" if job.endpoint else job.model


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line."""
    said = record(line)
    match said.get("type"):
        case "session":
            return (Started(str(said.get("id", "")), cwd=said.get("cwd")),)
        case "message_end":
            return _message(table(said.get("message")))
        case "tool_execution_start":
            return (Called(str(said.get("toolCallId", "")), str(said.get("toolName", "")), said.get("args")),)
        case "tool_execution_end":
            output = table(said.get("result")).get("content")
            return (Returned(str(said.get("toolCallId", "")), _text(output), said.get("isError") is True),)
        case "agent_end":
            return (_end(rows(said.get("messages"))),)
        case _:
            return ()


def _message(message: Mapping[str, Any]) -> Sequence[RunEvent]:
    """What the model said, thought and used."""
    if message.get("role") != "assistant":
        return ()
    events: list[RunEvent] = []
    for part in rows(message.get("content")):
        if part.get("type") == "thinking" and part.get("thinking"):
            events.append(Thought(str(part["thinking"])))
        elif part.get("type") == "text" and part.get("text"):
            events.append(Said(str(part["text"])))
    used = table(message.get("usage"))
    if used:
        cost = table(used.get("cost")).get("total")
        events.append(Spent(_usage(used), cost if isinstance(cost, int | float) else None))
    return events


def _end(messages: Sequence[Mapping[str, Any]]) -> Finished:
    last = next((message for message in reversed(messages) if message.get("role") == "assistant"), table(None))
    if (why := last.get("stopReason")) in ("error", "aborted"):
        return Finished(False, reason=str(last.get("errorMessage") or why))
    return Finished(True)


def _usage(used: Mapping[str, Any]) -> Usage:
    """`input` is without the cached part, `output` with the reasoning; Oh My Pi calls that by another name."""
    hour = number(used.get("cacheWrite1h"))
    return Usage(
        input=number(used.get("input")),
        cache_read=number(used.get("cacheRead")),
        cache_write_5m=number(used.get("cacheWrite")) - hour,
        cache_write_1h=hour,
        output=number(used.get("output")),
        reasoning=number(used.get("reasoning")) or number(used.get("reasoningTokens")),
    )


def _text(content: Any) -> str:
    return "".join(str(part.get("text", "")) for part in rows(content))
