"""What Devin Local, the agent of Windsurf's successor, wrote down of its model calls: one database.

Windsurf's own Cascade keeps encrypted files, which nobody else reads.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import roaming_data, xdg_data
from agent_connector.hosts.dialects.usage_tables import Row, fresh, need, rows
from agent_connector.hosts.dialects.usage_values import count, decode, dig, fingerprint, folder, mapping, moment, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "uncertain"
MERGE = "last"
NOTE = "Only Devin Local's calls are read: Cascade keeps its conversations encrypted and counts on its server"
SOURCES = (("source and tests of junhoyeo/tokscale", "2026-11-30"),)


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The answers that came since the last time."""
    need(connection, "message_nodes", "session_id", "chat_message")
    need(connection, "sessions", "id")
    sessions = {row["id"]: row for row in rows(connection, "sessions", ("id", "working_directory", "model"))}
    for row in fresh(connection, "message_nodes", ("session_id", "node_id", "chat_message"), state, "created_at"):
        record = _record(row, sessions.get(row["session_id"], {}))
        if record:
            yield record


def _record(row: Row, session: Row) -> Record | None:
    message = mapping(decode(row["chat_message"] if isinstance(row["chat_message"], str | bytes) else None))
    metrics = mapping(dig(message, "metadata", "metrics"))
    if message.get("role") != "assistant" or not (
        count(metrics.get("input_tokens")) or count(metrics.get("output_tokens"))
    ):
        return None
    return Record(
        key=fingerprint(row["session_id"], row["node_id"], row["created_at"]),
        session=name(row["session_id"]),
        time=moment(row["created_at"]),
        model=name(dig(message, "metadata", "generation_model")) or name(session.get("model")),
        project=folder(session.get("working_directory")),
        input=count(metrics.get("input_tokens")),
        cache_read=count(metrics.get("cache_read_tokens")),
        cache_write_5m=count(metrics.get("cache_creation_tokens")),
        output=count(metrics.get("output_tokens")),
    )


READERS = {"devin": Reader("database", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """Devin's data folder."""
    folder = roaming_data if machine.platform == "win32" else xdg_data
    return [Place(folder(machine, "devin", "cli"), "sessions.db", "devin")]
