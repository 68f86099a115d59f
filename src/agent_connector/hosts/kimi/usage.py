"""Kimi's wire logs: Kimi Code CLI writes a record for each request, the older kimi-cli a status that grows.

Neither gives a request an id that a copy would keep: a fork or an import repeats older records with their times, so
what does not change is the time and the counts. The same numbers stand in other lines too, which are left alone.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
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

SURE = "proven"
MERGE = "max"
NOTE = "kimi-cli, the older product, wrote no model down, nor the folder that it worked in"
SOURCES = (
    ("Kimi Code CLI 2.1.0, run against a scripted model", "2026-11-30"),
    ("kimi-cli's source", "2026-11-30"),
)

_NEW = {
    "input": "inputOther",
    "output": "output",
    "cache_read": "inputCacheRead",
    "cache_write_5m": "inputCacheCreation",
}
_OLD = {
    "input": "input_other",
    "output": "output",
    "cache_read": "input_cache_read",
    "cache_write_5m": "input_cache_creation",
}


class _Line(msgspec.Struct):
    """A line of either product; only what is named here is decoded."""

    type: Any = None
    agentId: Any = None
    model: Any = None
    modelAlias: Any = None
    provider: Any = None
    usage: Any = None
    time: Any = None
    timestamp: Any = None
    message: Any = None


def wire(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """Kimi Code CLI: `usage.record` lines, one for each request; the request's own line knows the model behind an alias."""
    if "models" not in state:
        state.update(_session(source), models={})
    models = state["models"]
    for line in decode_lines(lines, _Line, b'"usage.record"', b'"llm.request"'):
        alias = name(line.modelAlias) if line.type == "llm.request" else name(line.model)
        if line.type == "llm.request":
            models[alias] = [name(line.model), name(line.provider)]
        elif line.type == "usage.record":
            model, provider = models.get(alias, (alias, ""))
            yield _record(line, alias, model or alias, provider, state, source)


def _record(line: _Line, alias: str, model: str, provider: str, state: dict[str, Any], source: Source) -> Record:
    used = _counts(mapping(line.usage), _NEW, "a usage.record")
    agent = name(line.agentId) or name_of(source.path, 1)
    return Record(
        key=fingerprint(agent, count(line.time), alias, *used.values()),
        session=name_of(source.path, 3),
        time=moment(line.time) or source.modified,
        model=model,
        provider=provider,
        project=state["project"],
        parent=state["parent"],
        agent="" if agent == "main" else agent,
        **used,
    )


def _session(source: Source) -> dict[str, str]:
    """What stands above the log, `sessions/<project>/<session>/agents/<agent>/wire.jsonl`, and in the list of sessions."""
    wanted = f'"{name_of(source.path, 3)}"'.encode()
    listed = (source.beside("../../../../../session_index.jsonl") or b"").splitlines()
    here = next((decode(line) for line in listed if wanted in line), None)
    forked = dig(decode(source.beside("../../state.json")), "forkedFrom")
    project = folder(dig(here, "workDir")) or _named(source)
    return {"project": project, "parent": name(forked) or name(dig(forked, "sessionId"))}


def _named(source: Source) -> str:
    """`wd_<name of the folder>_<hash of its path>`, as a path that ends in the name and is no other folder's."""
    said, _, digest = name_of(source.path, 4).removeprefix("wd_").rpartition("_")
    return f"{digest}/{said}" if said else ""


def old_wire(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """kimi-cli: a status for each message, again and again while it grows. Subagents' stand in their own files."""
    for line in decode_lines(lines, _Line, b'"StatusUpdate"'):
        payload = mapping(dig(line.message, "payload"))
        if dig(line.message, "type") != "StatusUpdate" or not isinstance(payload.get("token_usage"), dict):
            continue
        used = _counts(mapping(payload["token_usage"]), _OLD, "a StatusUpdate")
        nested = name_of(source.path, 2) == "subagents"
        session = name_of(source.path, 3 if nested else 1)
        message = name(payload.get("message_id")) or fingerprint(line.timestamp, *used.values())
        yield Record(
            key=f"{session}:{message}",
            session=session,
            time=moment(line.timestamp) or source.modified,
            model="",
            provider="moonshot",
            agent="subagent" if nested else "",
            **used,
        )


def _counts(used: dict[str, Any], names: dict[str, str], what: str) -> dict[str, Any]:
    if names["input"] not in used and names["output"] not in used:
        raise UnknownFormat(f"{what} with counts of other names")
    return {ours: count(used.get(theirs)) for ours, theirs in names.items()}


REACH = {"wire": 5}
READERS = {"wire": Reader("lines", 1, wire), "old wire": Reader("lines", 1, old_wire)}


def logs(machine: Machine) -> Sequence[Place]:
    """Two products with a home each; in the older one a subagent's log lies below its session's."""
    new, old = machine.config("KIMI_CODE_HOME", ".kimi-code"), machine.config("KIMI_SHARE_DIR", ".kimi")
    return (
        Place(machine.join(new, "sessions"), "*/*/agents/*/wire.jsonl", "wire"),
        Place(machine.join(old, "sessions"), "*/*/wire.jsonl", "old wire"),
        Place(machine.join(old, "sessions"), "*/*/subagents/*/wire.jsonl", "old wire"),
    )
