"""The usage logs of OpenCode and its forks: assistant messages in a SQLite database, formerly one file for each.

The same numbers stand in the messages, in their last parts, in an event log and summed in the sessions: only messages
are read here. A fork copies messages under new ids, and so did the move from files to the database; what does not
change is what a message says of itself, so its key is made of that.
"""

import sqlite3
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from agent_connector.hosts.dialects import usage_tables as tables
from agent_connector.hosts.dialects.usage_places import file_place, is_absolute
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    dig,
    fingerprint,
    folder,
    mapping,
    moment,
    money,
    name,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

FAMILY = "opencode"  # forks take over one another's sessions; a message's key says nothing of where it lies
MARGIN = 600_000  # ms that are read again: another process may commit a row that it stamped before our last look
ABANDONED = 3_600_000  # ms after which a message without an end will get none: its writer died

_COLUMNS = ("id", "session_id", "agent_id", "time_created", "time_updated", "data")


class Session(NamedTuple):
    """What the table of sessions adds to a message."""

    parent: str = ""
    directory: str = ""


def database(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The messages that were written since the last look; a message changes in place until it is complete."""
    yield from messages(connection, state, source, frozenset())


def messages(
    connection: sqlite3.Connection, state: dict[str, Any], source: Source, without: Collection[str]
) -> Iterator[Record]:
    """As `database`, but without the messages and sessions whose ids are in `without`.

    `state` keeps how far it came, which is never beyond a message that is still being written.
    """
    sessions = _sessions(connection)
    seen, held = count(state.get("seen")), list[int]()
    known = strange = 0
    for row in _rows(connection, seen - MARGIN):
        message, session = _assistant(row["data"]), name(row["session_id"])
        updated = min(count(row["time_updated"]), source.modified + MARGIN)  # one wrong clock must not end all reading
        seen = max(seen, updated)
        if message is None or session in without or row["id"] in without:
            continue
        if "input" not in mapping(message.get("tokens")):
            strange += 1
            continue
        known += 1
        if _unfinished(message, updated, source):
            held.append(updated)
        elif found := _record(message, session, sessions.get(session, Session()), row, source):
            yield found
    state["seen"] = min([seen, *held])
    if strange and not known:
        raise UnknownFormat("assistant messages without token counts", tables.version(connection))


def _rows(connection: sqlite3.Connection, since: int) -> Iterator[tables.Row]:
    there = tables.need(connection, "message", "id", "session_id", "data")
    if "time_updated" in there:
        order = 'WHERE "time_updated" >= ? ORDER BY "time_updated"'
        return tables.rows(connection, "message", _COLUMNS, order, (max(0, since),))
    return tables.rows(connection, "message", _COLUMNS)


def _sessions(connection: sqlite3.Connection) -> dict[str, Session]:
    tables.need(connection, "session", "id")
    found = tables.rows(connection, "session", ("id", "parent_id", "directory"))
    return {name(row["id"]): Session(name(row["parent_id"]), folder(row["directory"])) for row in found}


def _assistant(data: Any) -> dict[str, Any] | None:
    """The message when it is the model's. Most of a database's bytes are not."""
    if isinstance(data, bytes):
        data = data.decode("utf-8", "replace")
    if not isinstance(data, str) or '"assistant"' not in data:
        return None
    message = mapping(decode(data))
    return message if message.get("role") == "assistant" else None


def message_file(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A message of the tree of files that the database took the place of."""
    if data and not isinstance(decode(data), dict):
        raise UnknownFormat("a message that is no JSON object")
    message = _assistant(data)
    if message is None or _unfinished(message, source.modified, source):
        return
    if "input" not in mapping(message.get("tokens")):
        raise UnknownFormat("an assistant message without token counts")
    if found := _record(message, name(message.get("sessionID")), Session(), {"id": name(message.get("id"))}, source):
        yield found


def _unfinished(message: dict[str, Any], updated: int, source: Source) -> bool:
    return not count(dig(message, "time", "completed")) and source.modified - updated < ABANDONED


def _record(message: dict[str, Any], session: str, known: Session, row: tables.Row, source: Source) -> Record | None:
    """None for a message that used nothing: it was aborted, or brought along from another program."""
    fresh, spoken, thought = (count(dig(message, "tokens", each)) for each in ("input", "output", "reasoning"))
    read, written = (count(dig(message, "tokens", "cache", each)) for each in ("read", "write"))
    cost = money(message.get("cost"))
    if not any((fresh, spoken, thought, read, written, cost)):
        return None
    created, completed = count(dig(message, "time", "created")), count(dig(message, "time", "completed"))
    model, provider = name(message.get("modelID")), name(message.get("providerID"))
    return Record(
        key=fingerprint(created or row["id"], completed, provider, model, fresh, spoken, thought, read, written, cost),
        session=session,
        time=moment(created) or moment(row.get("time_created")) or source.modified,
        model=model,
        provider=provider,
        project=known.directory or folder(dig(message, "path", "cwd")) or folder(dig(message, "path", "root")),
        parent=known.parent,
        input=fresh,
        cache_read=read,
        cache_write_5m=written,
        output=spoken + thought,
        reasoning=thought,
        cost=cost,
        agent=_agent(message, known, row),
    )


def _agent(message: dict[str, Any], known: Session, row: tables.Row) -> str:
    """A subagent works in a session of its own, or (MiMo) beside the main one in the same."""
    beside = name(row.get("agent_id"))
    if beside not in ("", "main"):
        return beside
    return (name(message.get("agent")) or name(message.get("mode"))) if known.parent else ""


DATABASE = Reader("database", 1, database)
FILES = Reader("document", 1, message_file)


def named_database(machine: Machine, variable: str, data: str) -> Place | None:
    """The database that `variable` names, below `data` unless it is a whole path; None where it names no file."""
    path = machine.variables.get(variable, "")
    if path in ("", ":memory:"):
        return None
    return file_place(machine, path if is_absolute(machine, path) else machine.join(data, path), "database")
