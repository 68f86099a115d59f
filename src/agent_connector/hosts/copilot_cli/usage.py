"""GitHub Copilot CLI's event logs: one record for each request, else the sums that a session writes when it ends.

Sums are cumulative and stand in each event several times; they are read only where a session has no records of single
requests, as those of older versions. The Copilot harness of editors writes to the same folder: it counts here.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import count, decode_lines, dig, folder, mapping, moment, money, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "proven"
MERGE = "last"
NOTE = "Holds what the Copilot harness of editors used too. `credits` are premium requests"
SOURCES = (
    ("Copilot CLI 1.0.102, run against a scripted model", "2026-11-30"),
    ("sessions without records of requests: the schema that it ships", "2026-11-30"),
)

RECORD = "session.usage_record"
SUMS = ("session.shutdown", "session.usage_checkpoint")


class _Line(msgspec.Struct):
    """An event; only what is named here is decoded."""

    type: Any = None
    timestamp: Any = None
    data: Any = None


class _Counts(TypedDict):
    input: int
    cache_read: int
    cache_write_5m: int
    output: int
    reasoning: int


def events(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The usage in these lines. `state` keeps the session's id and folder, and whether it has records of requests."""
    marks = (RECORD, *SUMS, "session.start", "session.resume", "session.context_changed")
    for line in decode_lines(lines, _Line, *(f'"{mark}"'.encode() for mark in marks)):
        data = mapping(line.data)
        if line.type in ("session.start", "session.resume", "session.context_changed"):
            state["session"] = name(data.get("sessionId")) or state.get("session", "")
            state["version"] = name(data.get("copilotVersion")) or state.get("version", "")
            state["project"] = (
                folder(dig(data, "context", "cwd")) or folder(data.get("cwd")) or state.get("project", "")
            )
        elif line.type == RECORD:
            state["records"] = True
            yield _request(line, mapping(data.get("usage")), state, source)
        elif line.type in SUMS and not state.get("records") and not data.get("usageAccountingWatermarks"):
            yield from _sums(line, data, state, source)


def _request(line: _Line, usage: dict[str, Any], state: dict[str, Any], source: Source) -> Record:
    """A fork copies the record with the session that it came from and its number in that."""
    if "inputTokens" not in usage:
        raise UnknownFormat("a usage record without inputTokens", state.get("version", ""))
    session = _session(state, source)
    came_from = name(dig(usage, "accounting", "sourceSessionId")) or session
    identity = name(dig(usage, "accounting", "usageId")) or name(usage.get("apiCallId")) or name(line.timestamp)
    number = count(dig(usage, "accounting", "sequence"))
    return Record(
        key=f"{came_from}:{number}:{identity}",
        session=came_from,
        time=moment(line.timestamp) or source.modified,
        model=name(usage.get("model")),
        provider=name(usage.get("modelProvider")),
        project=state.get("project", ""),
        credits=money(usage.get("cost")),
        **_counts(usage),
    )


def _sums(line: _Line, data: dict[str, Any], state: dict[str, Any], source: Source) -> Iterator[Record]:
    """One record for each model of the session; the next event with sums takes its place."""
    session = _session(state, source)
    metrics = mapping(data.get("modelMetrics")) or mapping(dig(data, "accountingSnapshot", "modelMetrics"))
    for model, used in metrics.items():
        counts = _counts(mapping(dig(used, "usage")))
        if any(counts.values()):
            yield Record(
                key=f"{session}:sum:{name(model)}",
                session=session,
                time=moment(line.timestamp) or source.modified,
                model=name(model),
                project=state.get("project", ""),
                requests=count(dig(used, "requests", "count")),
                credits=money(dig(used, "requests", "cost")),
                **counts,
            )


def _counts(usage: dict[str, Any]) -> _Counts:
    """The input has what was read from the cache within, the output has the reasoning."""
    read, output = count(usage.get("cacheReadTokens")), count(usage.get("outputTokens"))
    return {
        "input": max(0, count(usage.get("inputTokens")) - read),
        "cache_read": read,
        "cache_write_5m": count(usage.get("cacheWriteTokens")),
        "output": output,
        "reasoning": min(output, count(usage.get("reasoningTokens"))),
    }


def _session(state: dict[str, Any], source: Source) -> str:
    return state.get("session") or name_of(source.path, 1)


READERS = {"events": Reader("lines", 1, events)}


def logs(machine: Machine) -> Sequence[Place]:
    """A folder for each session. An export of telemetry, where a person turned it on, repeats these and is left alone."""
    return (
        Place(machine.join(machine.config("COPILOT_HOME", ".copilot"), "session-state"), "*/events.jsonl", "events"),
    )
