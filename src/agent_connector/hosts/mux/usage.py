"""What Mux (now Xum) wrote down of its model calls: answers in each workspace's chat, and calls that no chat shows.

`session-usage.json` holds sums of the same, with a finished subagent's added to the workspace that it worked for while
its own may still lie there: it is not read. Chats are, as the program's own statistics do: a fork copies a chat with
its ids, a subagent's is moved below its workspace, and older parts go into an archive, so ids tell them apart.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_totals import uncached
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
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

SURE = "documented"
MERGE = "last"
NOTE = "Answers that were edited away before they were read here are not counted"
SOURCES = (("source of coder/mux and coder/xum, up to 0.28", "2026-11-30"),)


class Message(msgspec.Struct):
    """A message of a chat, or a call that stands in none."""

    id: Any = None
    role: Any = None
    createdAt: Any = None
    metadata: Any = None
    timestamp: Any = None
    source: Any = None
    model: Any = None
    usage: Any = None
    providerMetadata: Any = None


def read_chat(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The answers of a workspace or of a subagent."""
    for message in decode_lines(lines, Message, b'"usage"'):
        meta = mapping(message.metadata)
        if message.role == "assistant" and _counted(meta.get("usage"), state):
            time = moment(meta.get("timestamp")) or moment(message.createdAt)
            found = _record(meta, time, state, source)
            agent = (name(meta.get("agentId")) or "subagent") if found.parent else ""
            key = fingerprint(message.id, time) if message.id else fingerprint(found)
            yield msgspec.structs.replace(found, key=key, agent=agent)


def read_apart(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """Calls for titles, summaries and turns that failed."""
    for call in decode_lines(lines, Message, b'"usage"'):
        if _counted(call.usage, state):
            found = _record(msgspec.structs.asdict(call), moment(call.timestamp), state, source)
            yield msgspec.structs.replace(found, key=fingerprint(call.source, found), agent=name(call.source))


def _counted(usage: Any, state: dict[str, Any]) -> bool:
    """True for a usage with counts; UnknownFormat for other ones, unless there were such before."""
    found = mapping(usage)
    if found and "inputTokens" not in found and "outputTokens" not in found and "session" not in state:
        raise UnknownFormat("the usage of an answer")
    return "inputTokens" in found or "outputTokens" in found


def _record(meta: dict[str, Any], time: int, state: dict[str, Any], source: Source) -> Record:
    usage = mapping(meta.get("usage"))
    inward, outward = mapping(usage.get("inputTokenDetails")), mapping(usage.get("outputTokenDetails"))
    if "session" not in state:
        _workspace(state, source)
    provider, colon, model = name(meta.get("model")).partition(":")
    output = count(usage.get("outputTokens"))
    cached = count(usage.get("cachedInputTokens")) or count(inward.get("cacheReadTokens"))
    written = count(dig(meta, "providerMetadata", "anthropic", "cacheCreationInputTokens"))
    written = written or count(inward.get("cacheWriteTokens"))
    return Record(
        key="",
        session=state["session"],
        time=time or source.modified,
        model=model if colon else provider,
        provider=provider if colon else "",
        project=state["project"],
        parent=state["parent"],
        input=uncached(count(usage.get("inputTokens")), output, count(usage.get("totalTokens")), cached, written),
        cache_read=cached,
        cache_write_5m=written,
        output=output,
        reasoning=min(count(usage.get("reasoningTokens")) or count(outward.get("reasoningTokens")), output),
    )


def _workspace(state: dict[str, Any], source: Source) -> None:
    """Whose chat it is: the folder's name, and what the description of a workspace beside it says."""
    described = mapping(decode(source.beside("metadata.json")))
    below = name_of(source.path, 3) if name_of(source.path, 2) == "subagent-transcripts" else ""
    state["session"] = name(name_of(source.path, 1))
    state["project"] = folder(described.get("projectPath"))
    state["parent"] = name(described.get("parentWorkspaceId")) or name(below)


READERS = {"chat": Reader("lines", 1, read_chat), "apart": Reader("lines", 1, read_apart)}


def logs(machine: Machine) -> Sequence[Place]:
    """The workspaces below the root, under each name that it had; links from one to the other are met once."""
    names = ("AGENT_CONNECTOR_MUX_DIR", "XUM_ROOT", "MUX_ROOT")
    moved = [machine.variables[each] for each in names if machine.variables.get(each)]
    roots = moved[:1] or [machine.join(machine.home, each) for each in (".xum", ".mux", ".cmux")]
    return [
        Place(machine.join(root, "sessions"), pattern, kind)
        for root in roots
        for pattern, kind in (
            ("*/chat.jsonl", "chat"),
            ("*/chat-archive.jsonl", "chat"),
            ("*/subagent-transcripts/*/chat*.jsonl", "chat"),
            ("*/headless-usage.jsonl", "apart"),
        )
    ]
