"""What Auggie, the CLI of Augment, wrote down of its model calls: a file for each session.

An exchange may carry its counts at more than one node of the answer: they are the same, and the first holds.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import count, decode, dig, fingerprint, mapping, moment, name, sequence
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "uncertain"
MERGE = "last"
NOTE = "Augment bills credits on its server; tokens are read of the CLI's sessions"
SOURCES = (("source and tests of junhoyeo/tokscale", "2026-11-30"),)
COUNTS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")


def read(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The exchanges of one session."""
    found = mapping(decode(data))
    if not isinstance(found.get("chatHistory"), list):
        raise UnknownFormat("a session of Auggie")
    session = name(found.get("sessionId")) or name(name_of(source.path).partition(".")[0])
    usual = name(dig(found, "agentState", "modelId"))
    for index, turn in enumerate(map(mapping, found["chatHistory"])):
        exchange = mapping(turn.get("exchange"))
        counts = _counts(exchange)
        if any(counts):
            request = name(exchange.get("request_id"))
            yield Record(
                key=request or fingerprint(session, turn.get("sequenceId") or index),
                session=session,
                time=moment(turn.get("finishedAt")) or source.modified,
                model=name(exchange.get("model_id")) or usual,
                input=counts[0],
                cache_read=counts[1],
                cache_write_5m=counts[2],
                output=counts[3],
            )


def _counts(exchange: dict[str, Any]) -> list[int]:
    for node in map(mapping, sequence(exchange.get("response_nodes"))):
        usage = mapping(node.get("token_usage"))
        counts = [count(usage.get(each)) for each in COUNTS]
        if any(counts):
            return counts
    return [0, 0, 0, 0]


READERS = {"session": Reader("document", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The folder of sessions."""
    return [Place(machine.join(machine.home, ".augment", "sessions"), "*.json", "session")]
