"""What Trae's server counted, in the files into which tokscale puts it. Trae itself keeps no counts on the machine.

Files of several syncs overlap in time; a unit is a session at one moment. The last file that has it holds.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.synced_caches import caches
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    fingerprint,
    mapping,
    moment,
    money,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "uncertain"
MERGE = "last"
NOTE = "Trae counts on its server: `tokscale trae sync` brings the counts here"
SOURCES = (("source of junhoyeo/tokscale", "2026-11-30"),)


def read(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The sessions in one file."""
    found = decode(data)
    if not isinstance(found, list):
        raise UnknownFormat("a cache of Trae")
    for each in map(mapping, sequence(found)):
        session, time, counts = (
            name(each.get("session_id")),
            moment(each.get("usage_time")),
            mapping(each.get("extra_info")),
        )
        if not session or not time:
            continue
        yield Record(
            key=fingerprint(session, time),
            session=session,
            time=time,
            model=name(each.get("model_name")) or f"trae-{name(each.get('mode')).lower() or 'unknown'}",
            input=count(counts.get("input_token")),
            cache_read=count(counts.get("cache_read_token")),
            cache_write_5m=count(counts.get("cache_write_token")),
            output=count(counts.get("output_token")),
            cost=money(each.get("dollar_float")),
        )


READERS = {"cache": Reader("document", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The cache."""
    if moved := machine.variables.get("AGENT_CONNECTOR_TRAE_DIR"):
        return [Place(moved, "sessions/usage-*.json", "cache")]
    return caches(machine, "trae-cache", "sessions/usage-*.json", "cache")
