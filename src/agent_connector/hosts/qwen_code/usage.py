"""Qwen Code's chat files: each response stands there twice, as telemetry and (the main loop's) as a message.

The message is what a fork copies, so it is the one that counts. Telemetry that no message follows, of a subagent or
of a request on the side, counts by itself. The monthly files in `usage/` repeat all of it and are left alone.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode_lines,
    dig,
    fingerprint,
    folder,
    mapping,
    moment,
    name,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "proven"
MERGE = "last"
NOTE = ""
SOURCES = (
    ("Qwen Code 0.24.4, run against a scripted model", "2026-11-30"),
    ("subagents, forks and requests on the side: its code", "2026-11-30"),
)

RESPONSE = "qwen-code.api_response"
WAITING = 64  # requests that may be under way at once
_AS_MESSAGE = (
    *("promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount"),
    *("thoughtsTokenCount", "totalTokenCount"),
)
_AS_EVENT = (
    *("input_token_count", "output_token_count", "cached_content_token_count"),
    *("thoughts_token_count", "total_token_count"),
)


class _Line(msgspec.Struct):
    """A line of a chat; only what is named here is decoded."""

    uuid: Any = None
    sessionId: Any = None
    timestamp: Any = None
    type: Any = None
    subtype: Any = None
    cwd: Any = None
    version: Any = None
    model: Any = None
    usageMetadata: Any = None
    systemPayload: Any = None


class _Response(NamedTuple):
    """One response, as a JSON list in `state` while its message may still come."""

    counts: list[int]
    key: str
    session: str
    time: int
    model: str
    project: str
    agent: str


def chat(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The responses in these lines. `state` keeps telemetry whose message may still come, and the parent session."""
    waiting = [_Response(*row) for row in state.get("waiting", [])]
    for line in decode_lines(lines, _Line, b'"usageMetadata"', RESPONSE.encode(), b'"parent_session"'):
        if line.type == "system" and line.subtype == "parent_session":
            state["parent"] = name(dig(line.systemPayload, "parentSessionId"))
        elif line.type == "assistant" and mapping(line.usageMetadata):
            response = _message(line, source)
            twin = next((each for each in waiting if each.counts == response.counts), None)
            if twin:
                waiting.remove(twin)
                yield from (_record(each, state) for each in waiting)  # they were before it, and no message came
                waiting = []
            yield _record(response, state)
        elif line.type == "system" and dig(line.systemPayload, "uiEvent", "event.name") == RESPONSE:
            response = _telemetry(line, mapping(dig(line.systemPayload, "uiEvent")), source)
            if response.agent:
                yield _record(response, state)  # a subagent's has no message here
            else:
                waiting.append(response)
    yield from (_record(each, state) for each in waiting[:-WAITING])
    state["waiting"] = [list(each) for each in waiting[-WAITING:]]


def _message(line: _Line, source: Source) -> _Response:
    usage = mapping(line.usageMetadata)
    if not usage.keys() & set(_AS_MESSAGE):
        raise UnknownFormat("a message with token counts of other names", name(line.version))
    return _Response(
        [count(usage.get(each)) for each in _AS_MESSAGE],
        name(line.uuid) or fingerprint(line.sessionId, line.timestamp),
        name(line.sessionId) or name_of(source.path).partition(".")[0],
        moment(line.timestamp) or source.modified,
        name(line.model),
        folder(line.cwd),
        "",
    )


def _telemetry(line: _Line, event: dict[str, Any], source: Source) -> _Response:
    stamp = event.get("event.timestamp") or line.timestamp
    return _Response(
        [count(event.get(each)) for each in _AS_EVENT],
        fingerprint(event.get("response_id"), stamp, *(event.get(each) for each in _AS_EVENT)),
        name(line.sessionId) or name_of(source.path).partition(".")[0],
        moment(stamp) or source.modified,
        name(event.get("model")),
        folder(line.cwd),
        name(event.get("subagent_name")),
    )


def _record(response: _Response, state: dict[str, Any]) -> Record:
    """The prompt's count has the cached tokens within; the total tells whether the output's has the thoughts."""
    prompt, spoken, cached, thought, total = response.counts
    beside = thought if total > prompt + spoken else 0
    return Record(
        key=response.key,
        session=response.session,
        time=response.time,
        model=response.model,
        project=response.project,
        parent=state.get("parent", ""),
        input=max(0, prompt - cached),
        cache_read=cached,
        output=spoken + beside,
        reasoning=min(thought, spoken + beside),
        agent=response.agent,
    )


READERS = {"chat": Reader("lines", 1, chat)}


def logs(machine: Machine) -> Sequence[Place]:
    """The chats of every project; QWEN_RUNTIME_DIR moves them, and QWEN_HOME all."""
    home = machine.variables.get("QWEN_RUNTIME_DIR") or machine.config("QWEN_HOME", ".qwen")
    return (Place(machine.join(home, "projects"), "*/chats/**/*.jsonl", "chat"),)
