"""What the Antigravity app and editor wrote down of their model calls: a database for each conversation.

Beside them, what tokscale took from the running language server: for conversations in older files, which nobody else
reads. A call has the same id in both.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects import antigravity_store
from agent_connector.hosts.dialects.synced_caches import caches
from agent_connector.hosts.dialects.usage_values import count, decode_lines, fingerprint, moment, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "uncertain"
MERGE = "last"
NOTE = "Conversations in older `.pb` files are read after `tokscale antigravity sync`, while Antigravity runs"
SOURCES = (
    ("fields that two readers of others found in databases of the engine", "2026-11-30"),
    ("source of junhoyeo/tokscale", "2026-11-30"),
)
FAMILY = antigravity_store.FAMILY


class Line(msgspec.Struct):
    """A line of the cache."""

    type: Any = None
    sessionId: Any = None
    responseId: Any = None
    modelId: Any = None
    providerId: Any = None
    timestamp: Any = None
    input: Any = None
    output: Any = None
    cacheRead: Any = None
    cacheWrite: Any = None
    reasoning: Any = None


def read_cache(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The calls in the cache. Text and thinking are apart there."""
    for line in decode_lines(lines, Line):
        if line.type == "session_meta":
            state["model"] = name(line.modelId)
        session, thinking = name(line.sessionId), count(line.reasoning)
        output = count(line.output) + thinking
        if line.type != "usage" or not session or not (count(line.input) or count(line.cacheRead) or output):
            continue
        time = moment(line.timestamp)
        yield Record(
            key=fingerprint(session, name(line.responseId) or time),
            session=session,
            time=time or source.modified,
            model=name(line.modelId) or state.get("model", ""),
            provider=name(line.providerId),
            input=count(line.input),
            cache_read=count(line.cacheRead),
            cache_write_5m=count(line.cacheWrite),
            output=output,
            reasoning=thinking,
        )


READERS = {"conversation": antigravity_store.CONVERSATION, "cache": Reader("lines", 1, read_cache)}


def logs(machine: Machine) -> Sequence[Place]:
    """The app's data folder, the editor's, and the cache."""
    found = caches(machine, "antigravity-cache", "sessions/*.jsonl", "cache")
    for each in ("antigravity", "antigravity-ide"):
        found += antigravity_store.stores(machine.join(machine.home, ".gemini", each))
    return found
