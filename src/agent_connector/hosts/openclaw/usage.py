"""What OpenClaw wrote down of its model calls: a database for each agent, and the files from before it.

One transcript may stand in several places: rows of the database (cold ones compressed), an archive in the database or
beside it, and the files that were moved into it. The entries keep their ids and times wherever they go. The run's
totals in `trajectory_runtime_events` and `sessions.json` are sums of the same and are not read.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects import pi_sessions
from agent_connector.hosts.dialects.pi_sessions import Entry, Session, by_id
from agent_connector.hosts.dialects.usage_tables import columns, fresh, need, rows
from agent_connector.hosts.dialects.usage_values import decode, folder, mapping, name
from agent_connector.hosts.dialects.zstd_blobs import unpacked
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "proven"
MERGE = "last"
NOTE = ""
SOURCES = (
    ("database of openclaw 2026.9.6 after a scripted run", "2026-11-30"),
    ("schema and docs of the npm package openclaw 2026.9.6", "2026-11-30"),
)
FOLDERS = (".openclaw", ".clawdbot", ".moltbot", ".moldbot")
ENTRY_LIMIT = 4 * 1024 * 1024  # the table's own limit of an entry
WINDOWS = ("session_id", "session_key", "previous_session_id", "reason", "parent_session_key")


def read_file(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A transcript as a file; the name of one that was deleted or reset goes on after `.jsonl`."""
    return pi_sessions.read(lines, state, source)


def read_database(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The entries that came since the last time, and archives of sessions whose entries are gone."""
    need(connection, "transcript_events", "session_id", "event_json")
    sessions = _sessions(connection)
    for row in fresh(connection, "transcript_events", ("session_id", "event_json", "event_zstd"), state, "created_at"):
        found = decode(row["event_json"] or _entry(row["event_zstd"]))
        yield from _records(found, name(row["session_id"]), sessions, state)
    yield from _archives(connection, state, sessions)
    kept = mapping(state.get("sessions")).values()
    pi_sessions.known({"bare": sum(each.get("bare", 0) for each in kept), "counts": any(map(_counted, kept))})


def _counted(kept: dict[str, Any]) -> bool:
    return bool(kept.get("counts"))


def _entry(blob: Any) -> bytes | None:
    return unpacked(blob, ENTRY_LIMIT) if isinstance(blob, bytes) else None


def _sessions(connection: sqlite3.Connection) -> dict[str, Session]:
    """Whose each session is: forked from another, or started by another as its subagent."""
    if not columns(connection, "session_windows"):
        return {}
    windows = list(rows(connection, "session_windows", WINDOWS))
    by_key = {each["session_key"]: name(each["session_id"]) for each in windows}
    found: dict[str, Session] = {}
    for each in windows:
        started = by_key.get(each["parent_session_key"], "")
        forked = name(each["previous_session_id"]) if each["reason"] in ("fork", "rewind") else ""
        agent = "subagent" if ":subagent:" in name(each["session_key"]) else ""
        found[name(each["session_id"])] = Session(name(each["session_id"]), "", started or forked, agent)
    return found


def _records(found: Any, session: str, sessions: dict[str, Session], state: dict[str, Any]) -> Iterator[Record]:
    """The record of one entry. A header gives its session the folder."""
    entry = msgspec.convert(mapping(found), Entry)
    kept: dict[str, Any] = state.setdefault("sessions", {}).setdefault(session, {})
    if entry.type == "session" and folder(entry.cwd):
        kept["project"] = folder(entry.cwd)
    whose = sessions.get(session, Session(session))._replace(project=kept.get("project", ""))
    yield from pi_sessions.records(entry, whose, kept, by_id)


def _archives(connection: sqlite3.Connection, state: dict[str, Any], sessions: dict[str, Session]) -> Iterator[Record]:
    """Whole transcripts in one value, each read once; one that lies in a file beside is read as a file."""
    done: list[str] = state.setdefault("archives", [])
    for table in ("session_transcript_archives", "session_transcript_cold_archives"):
        if not columns(connection, table):
            continue
        for row in list(rows(connection, table, ("session_id", "generation", "encoding"))):
            mark = f"{table[19:23]}:{row['session_id']}:{row['generation']}"
            if mark in done:
                continue
            one = "WHERE session_id = ? AND generation IS ?"
            for full in rows(connection, table, ("archive_blob",), one, (row["session_id"], row["generation"])):
                yield from _archive(full["archive_blob"], row, sessions, state)
            done.append(mark)


def _archive(blob: Any, row: dict[str, Any], sessions: dict[str, Session], state: dict[str, Any]) -> Iterator[Record]:
    if not isinstance(blob, bytes):
        return
    plain = blob if row["encoding"] == "identity" else unpacked(blob)
    for line in (plain or b"").splitlines():
        found = mapping(decode(line))
        inner = found.get("event_json", found)  # as the entry itself, or as the row that held it
        yield from _records(
            decode(inner) if isinstance(inner, str) else inner, name(row["session_id"]), sessions, state
        )


READERS = {"transcript": Reader("lines", 1, read_file), "agent": Reader("database", 1, read_database)}


def logs(machine: Machine) -> Sequence[Place]:
    """The agents of the state folder, and those below the names that the program had before."""
    home = machine.variables.get("OPENCLAW_HOME") or machine.home
    profile = machine.variables.get("OPENCLAW_PROFILE")
    names = (*([f".openclaw-{profile}"] if profile else []), *FOLDERS)
    roots = [machine.join(home, each) for each in names]
    if state := machine.variables.get("OPENCLAW_STATE_DIR"):
        roots.insert(0, state)
    return [
        Place(machine.join(root, "agents"), pattern, kind)
        for root in dict.fromkeys(roots)
        for pattern, kind in (
            ("*/agent/openclaw-agent.sqlite", "agent"),
            ("*/sessions/**/*.jsonl*", "transcript"),
        )
    ]
