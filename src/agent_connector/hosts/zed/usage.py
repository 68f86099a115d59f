"""What Zed wrote down of the calls of its own agent: one database, a thread in each row, mostly compressed.

`request_token_usage` keeps one count for each message of the person, that of the last call that answered it, so a turn
with tools is cut short there; `cumulative_token_usage` has them all, in versions that keep it. The larger of the two
is the thread's one unit. It is dated by the thread's last change: single calls have no time.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import local_data
from agent_connector.hosts.dialects.usage_tables import Row, fresh, need, version
from agent_connector.hosts.dialects.usage_values import count, decode, dig, folder, mapping, moment, name
from agent_connector.hosts.dialects.zstd_blobs import unpacked
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "documented"
MERGE = "last"
NOTE = "Threads of other agents inside Zed are in those agents' own logs"
SOURCES = (("source of zed-industries/zed, 2026; no database was recorded", "2026-11-30"),)
CLASSES = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
LARGEST = 32 * 1024 * 1024  # of a thread

Counts = tuple[int, int, int, int]  # in the order of CLASSES


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The threads that changed. A thread is rewritten in place."""
    need(connection, "threads", "id", "updated_at", "data_type", "data")
    read_any = unreadable = 0
    for row in fresh(connection, "threads", ("id", "data_type", "data", "folder_paths"), state, "updated_at"):
        thread = mapping(decode(_plain(row)))
        read_any += bool(thread)
        unreadable += not thread
        record = _record(row, thread)
        if record:
            yield record
    if unreadable and not read_any:
        raise UnknownFormat("threads that are neither JSON nor compressed JSON", version(connection))


def _plain(row: Row) -> bytes | None:
    data = row["data"].encode() if isinstance(row["data"], str) else row["data"]
    if not isinstance(data, bytes) or len(data) > LARGEST:
        return None
    return unpacked(data, LARGEST) if row["data_type"] == "zstd" else data


def _record(row: Row, thread: dict[str, Any]) -> Record | None:
    """None for a thread without calls, and for one that came from another machine, whose calls were made there."""
    requests = [counts for each in _values(thread.get("request_token_usage")) if any(counts := _counts(each))]
    cumulative = _counts(thread.get("cumulative_token_usage"))
    counts: Counts = tuple(map(sum, zip(*requests, strict=True))) if requests else (0, 0, 0, 0)  # pyright: ignore[reportAssignmentType]
    counts = max(counts, cumulative, key=sum)
    if not any(counts) or thread.get("imported") is True:
        return None
    folders = row["folder_paths"] if isinstance(row["folder_paths"], str) else ""
    return Record(
        key=name(row["id"]) or "thread",
        session=name(row["id"]),
        time=moment(row["updated_at"]),
        model=name(dig(thread, "model", "model")),
        provider=name(dig(thread, "model", "provider")),
        project=folder(folders.partition("\n")[0]),
        parent=name(dig(thread, "subagent_context", "parent_thread_id")),
        input=counts[0],
        cache_read=counts[1],
        cache_write_5m=counts[2],
        output=counts[3],
        requests=max(1, len(requests)),
    )


def _values(usage: Any) -> list[Any]:
    """By message in newer versions, in a row in older ones."""
    return usage if isinstance(usage, list) else list(mapping(usage).values())  # pyright: ignore[reportUnknownVariableType]


def _counts(usage: Any) -> Counts:
    found = [count(mapping(usage).get(each)) for each in CLASSES]
    return found[0], found[1], found[2], found[3]


READERS = {"threads": Reader("database", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The data folder, which all channels share."""
    folder = local_data(machine, "zed" if machine.platform == "linux" else "Zed")
    folder = machine.variables.get("AGENT_CONNECTOR_ZED_DIR") or folder
    return [Place(machine.join(folder, "threads"), "threads.db", "threads")]
