"""Droid's session settings: cumulative counts of a whole session; the transcript beside them has none.

Of the several counts in the file only `tokenUsage` is the session's own: others hold its children's too, whose
sessions have files of their own.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import count, decode, decode_lines, dig, folder, mapping, moment, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "proven"
MERGE = "last"
NOTE = "Sums of whole sessions, at the time of their start: when in a session a token was used stands nowhere"
SOURCES = (("Droid 0.215.0, run against a scripted model", "2026-11-30"),)

SETTINGS = ".settings.json"
_CUSTOM = re.compile(r"custom:(.*?)(?:-\[[^\]]*\])?-\d+")


class _Line(msgspec.Struct):
    """A line of the transcript; only what is named here is decoded."""

    type: Any = None
    timestamp: Any = None
    cwd: Any = None
    message: Any = None


def session(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The one unit of a session."""
    del state
    if not data:
        return
    settings = decode(data)
    if not isinstance(settings, dict):
        raise UnknownFormat("settings of a session that are no JSON object")
    if "tokenUsage" not in settings:
        return
    used = mapping(dig(settings, "tokenUsage"))
    if "inputTokens" not in used:
        raise UnknownFormat("tokenUsage without inputTokens")
    counts = {name(each): count(value) for each, value in used.items()}
    if any(counts.values()):
        yield _record(mapping(settings), counts, source)


def _record(settings: dict[str, Any], counts: dict[str, int], source: Source) -> Record:
    session = name_of(source.path).removesuffix(SETTINGS)
    thought = counts.get("thinkingTokens", 0)
    project, last, answers = _transcript(source.beside(f"{session}.jsonl") or b"")
    return Record(
        key=session,
        session=session,
        time=moment(settings.get("providerLockTimestamp")) or last or source.modified,
        model=_model(name(settings.get("model"))),
        provider=name(settings.get("providerLock")),
        project=project,
        input=counts["inputTokens"],
        cache_read=counts.get("cacheReadTokens", 0),
        cache_write_5m=counts.get("cacheCreationTokens", 0),
        output=counts.get("outputTokens", 0) + thought,
        reasoning=thought,
        requests=max(1, answers),
    )


def _transcript(lines: bytes) -> tuple[str, int, int]:
    """The project's folder, the time of the last line, and how many answers there were."""
    project, last, answers = "", 0, 0
    for line in decode_lines(lines, _Line, b'"session_start"', b'"message"'):
        project = project or folder(line.cwd)
        last = max(last, moment(line.timestamp))
        answers += line.type == "message" and dig(line.message, "role") == "assistant"
    return project, last, answers


def _model(said: str) -> str:
    """A model of the person's own has more in its name than the name."""
    custom = _CUSTOM.fullmatch(said)
    return custom[1] if custom else said.removeprefix("custom:")


READERS = {"session": Reader("document", 1, session)}


def logs(machine: Machine) -> Sequence[Place]:
    """Below one folder for each project, formerly without it. The backups beside end in `.bak`."""
    return (Place(machine.join(machine.home, ".factory", "sessions"), f"**/*{SETTINGS}", "session"),)
