"""What Amp wrote down of its model calls while it kept threads on this machine: one file for each thread.

A message and an event of the ledger speak of one call; the ledger leaves out part of what was cached, and many threads
have none. So the message counts, the ledger adds what it lacks, and stands alone only where there is no message.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import xdg_data
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    dig,
    fingerprint,
    mapping,
    moment,
    money,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "documented"
MERGE = "last"
NOTE = (
    "Amp keeps threads on its server since spring 2026: only older ones are read; "
    "`amp usage` and `amp threads usage <id> --details` show the others"
)
SOURCES = (
    ("what readers of others (ccusage, tokscale, agentsview) report of the files", "2026-11-30"),
    ("amp --help of 0.0.1790142911", "2026-11-30"),
)


def read(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The calls of one thread."""
    thread = mapping(decode(data))
    if not isinstance(thread.get("messages"), list):
        raise UnknownFormat("a thread")
    events = [mapping(each) for each in sequence(dig(thread, "usageLedger", "events"))]
    ledger = {str(event.get("toMessageId")): event for event in events}
    begun, session = moment(thread.get("created")), name(thread.get("id"))
    counted: set[str] = set()
    for message in map(mapping, thread["messages"]):
        usage, number = mapping(message.get("usage")), str(message.get("messageId"))
        if message.get("role") == "assistant" and usage:
            counted.add(number)
            yield _of_message(usage, ledger.get(number, {}), number, session, begun)
    for event in events:
        if str(event.get("toMessageId")) not in counted:
            yield _of_event(event, session, begun)


def _of_message(usage: dict[str, Any], event: dict[str, Any], number: str, session: str, begun: int) -> Record:
    own = moment(usage.get("timestamp"))
    counts = (
        count(usage.get("inputTokens")),
        count(usage.get("cacheReadInputTokens")),
        count(usage.get("cacheCreationInputTokens")),
        count(usage.get("outputTokens")),
    )
    model = name(usage.get("model") or event.get("model"))
    key = fingerprint(own, model, *counts) if own else f"{session}:{number}"  # a fork copies messages with their times
    credits = money(usage.get("credits"))
    credits = money(event.get("credits")) if credits is None else credits
    return _record(key, session, own or moment(event.get("timestamp")) or begun, model, counts, credits)


def _of_event(event: dict[str, Any], session: str, begun: int) -> Record:
    tokens = mapping(event.get("tokens"))
    counts = (
        count(tokens.get("input")),
        count(tokens.get("cacheReadInputTokens")),
        count(tokens.get("cacheCreationInputTokens")),
        count(tokens.get("output")),
    )
    time, model = moment(event.get("timestamp")), name(event.get("model"))
    key = fingerprint(time, model, *counts, event.get("toMessageId"))
    return _record(key, session, time or begun, model, counts, money(event.get("credits")))


def _record(
    key: str, session: str, time: int, model: str, counts: tuple[int, int, int, int], credits: float | None
) -> Record:
    read, write, output = counts[1:]
    return Record(
        key=key,
        session=session,
        time=time,
        model=model,
        input=counts[0],
        cache_read=read,
        cache_write_5m=write,
        output=output,
        credits=credits,
    )


READERS = {"thread": Reader("document", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The same folder on every system."""
    folder = machine.variables.get("AMP_DATA_DIR") or xdg_data(machine, "amp")
    return [Place(machine.join(folder, "threads"), "T-*.json", "thread")]
