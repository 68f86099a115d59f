"""The session log of Pi, which Oh My Pi and OpenClaw took over: one JSON entry a line, a header with the folder first.

Counted are answers, and what else the program asked a model for: keeping a cache warm, summaries, tools that ask a
model themselves. The file is a tree: what lies on a branch that was left was paid all the same.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode_lines,
    fingerprint,
    first_count,
    folder,
    mapping,
    moment,
    money,
    name,
)
from agent_connector.hosts.records import Record, Source, UnknownFormat

VERSION = 3  # of the header; the usage of an answer looked the same in 1 and 2
ENOUGH = 3  # answers without counts: one or two may be what an error left
MARKS = (b'"usage"', b'"session"', b'"model_change"', b'"assistant"')


class Entry(msgspec.Struct):
    """The fields of a line that matter; the header has `cwd`, an answer `message`, other costs `usage` itself."""

    type: Any = None
    id: Any = None
    timestamp: Any = None
    message: Any = None
    usage: Any = None
    provider: Any = None
    model: Any = None
    modelId: Any = None
    version: Any = None
    cwd: Any = None
    parentSession: Any = None


class Session(NamedTuple):
    """Whose entries they are."""

    id: str
    project: str = ""
    parent: str = ""
    agent: str = ""


Identity = Callable[[str, Record], str]


def by_id(entry: str, record: Record) -> str:
    """An entry's id is short and its own only within a session; copies in forks keep it, and the time."""
    return f"{entry}:{record.time}"


def by_content(entry: str, record: Record) -> str:
    """Where forks give their copies new ids: what does not change."""
    counts = (record.input, record.cache_read, record.cache_write_5m, record.cache_write_1h, record.output)
    return fingerprint(record.time, record.model, *counts)


# ---- files


def read(lines: bytes, state: dict[str, Any], source: Source, identity: Identity = by_id) -> Iterator[Record]:
    """The records of appended lines. `state` keeps the header, and the model for entries that do not name theirs."""
    state.setdefault("session", session_of_file(source.path))
    for entry in decode_lines(lines, Entry, *MARKS):
        if entry.type == "session":
            _begin(entry, state)
            continue
        session = Session(state["session"], state.get("project", ""), state.get("parent", ""), state.get("agent", ""))
        yield from records(entry, session, state, identity)
    known(state)


def known(state: dict[str, Any]) -> None:
    """UnknownFormat when there were answers, and never one with counts that can be read."""
    if count(state.get("bare")) >= ENOUGH and not state.get("counts"):
        raise UnknownFormat("answers without the usage of a model call", name(state.get("version")))


def _begin(entry: Entry, state: dict[str, Any]) -> None:
    version = count(entry.version)
    if version > VERSION:
        raise UnknownFormat("the header of a session", str(version))
    state["version"] = str(version or "")
    state["session"] = name(entry.id) or state["session"]
    state["project"] = folder(entry.cwd)
    state["parent"] = session_of_file(folder(entry.parentSession)) or state.get("parent", "")


def session_of_file(path: str) -> str:
    """The session's id out of `<time>_<id>.jsonl`; a name without a time is the id."""
    return name(name_of(path).partition(".jsonl")[0].rpartition("_")[2])


# ---- entries


def records(entry: Entry, session: Session, state: dict[str, Any], identity: Identity) -> Iterator[Record]:
    """The record of `entry`, if it cost something."""
    message = mapping(entry.message)
    if entry.type == "model_change" or message.get("role") == "assistant":
        state["model"] = name(message.get("model") or entry.modelId) or state.get("model", "")
        state["provider"] = name(message.get("provider") or entry.provider) or state.get("provider", "")
    usage = mapping(message.get("usage") if message else entry.usage)
    if "input" not in usage and "output" not in usage:
        state["bare"] = count(state.get("bare")) + (message.get("role") == "assistant")
        return
    found = _record(entry, message, usage, session, state)
    state["counts"] = True
    if any((found.input, found.cache_read, found.cache_write_5m, found.cache_write_1h, found.output, found.cost)):
        yield msgspec.structs.replace(found, key=identity(name(entry.id), found))


def _record(
    entry: Entry, message: dict[str, Any], usage: dict[str, Any], session: Session, state: dict[str, Any]
) -> Record:
    tool = message.get("role") == "toolResult"  # its tokens are a nested model's, which is not always named
    output, write = count(usage.get("output")), count(usage.get("cacheWrite"))
    long = min(count(usage.get("cacheWrite1h")), write)  # a part of the writes
    return Record(
        key="",
        session=session.id,
        time=moment(message.get("timestamp")) or moment(entry.timestamp),
        model=name(message.get("model") or entry.model) or ("" if tool else state.get("model", "")),
        provider=name(message.get("provider") or entry.provider) or ("" if tool else state.get("provider", "")),
        project=session.project,
        parent=session.parent,
        agent=name(message.get("toolName")) if tool else session.agent,
        input=count(usage.get("input")),
        cache_read=count(usage.get("cacheRead")),
        cache_write_5m=write - long,
        cache_write_1h=long,
        output=output,
        reasoning=min(first_count(usage, "reasoning", "reasoningTokens"), output),
        cost=money(mapping(usage.get("cost")).get("total")),
    )
