"""What Junie wrote down of its model calls: the events of each session.

An event may be written twice, word for word; its time and counts tell two calls apart.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import (
    decode_lines,
    dig,
    fingerprint,
    first_count,
    mapping,
    moment,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "uncertain"
MERGE = "last"
NOTE = ""
SOURCES = (("source and tests of junhoyeo/tokscale", "2026-11-30"),)


class Event(msgspec.Struct):
    """A line of the log."""

    timestampMs: Any = None
    event: Any = None


def read(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The calls in these events."""
    session = name(name_of(source.path, 1))
    for event in decode_lines(lines, Event, b"LlmResponseMetadataEvent"):
        said = mapping(dig(event.event, "agentEvent"))
        if said.get("kind") == "LlmResponseMetadataEvent":
            time = moment(event.timestampMs)
            for index, usage in enumerate(map(mapping, sequence(said.get("modelUsage")))):
                record = _record(usage, session, time or source.modified)
                if record.input or record.output or record.cache_read:
                    yield msgspec.structs.replace(record, key=fingerprint(record, index, time))


def _record(usage: dict[str, Any], session: str, time: int) -> Record:
    output = first_count(usage, "outputTokens", "output")
    thinking = first_count(usage, "reasoningTokens", "reasoningOutputTokens", "thinkingTokens")
    return Record(
        key="",
        session=session,
        time=time,
        model=name(usage.get("model")),
        provider=name(usage.get("provider")),
        input=first_count(usage, "inputTokens", "input"),
        cache_read=first_count(usage, "cacheInputTokens", "cacheReadInputTokens", "cacheRead"),
        cache_write_5m=first_count(usage, "cacheCreateTokens", "cacheCreationInputTokens", "cacheWrite"),
        output=output if thinking <= output else output + thinking,  # more thinking than output: it is not in it
        reasoning=thinking,
    )


READERS = {"events": Reader("lines", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The folder of sessions."""
    return [Place(machine.join(machine.home, ".junie", "sessions"), "*/events.jsonl", "events")]
