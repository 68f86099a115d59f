"""What goose wrote down of its model calls: one database.

`usage_ledger` has a row for each call. Sessions from before it have sums alone, which a session keeps beside its rows
later on: rows count where there are some. The JSONL files of goose before 1.10 were taken into the database.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import local_data, roaming_data, xdg_data
from agent_connector.hosts.dialects.usage_tables import Row, columns, fresh, need, rows
from agent_connector.hosts.dialects.usage_totals import settle, uncached
from agent_connector.hosts.dialects.usage_values import count, decode, fingerprint, folder, mapping, moment, money, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "documented"
MERGE = "last"
NOTE = ""
SOURCES = (("source of goose up to autumn 2026, schema 17", "2026-11-30"),)
SUMS = ("input_tokens", "output_tokens", "total_tokens", "cache_read_tokens", "cache_write_tokens", "cost")
SESSION = (
    "id",
    "session_type",
    "working_dir",
    "updated_at",
    "provider_name",
    "model_config_json",
    "parent_session_id",
    *(f"accumulated_{each}" for each in SUMS),
)


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """New rows of the ledger, and the sums of sessions that have none."""
    need(connection, "sessions", "id")
    sessions = {name(row["id"]): row for row in rows(connection, "sessions", SESSION)}
    ledgered: dict[str, None] = dict.fromkeys(state.get("ledgered") or ())
    if columns(connection, "usage_ledger"):
        need(connection, "usage_ledger", "session_id", "input_tokens", "output_tokens")
        for row in fresh(connection, "usage_ledger", ("id", "session_id", "model", *SUMS), state, "created_timestamp"):
            session = name(row["session_id"])
            ledgered[session] = None
            key = fingerprint(session, row["id"], row["created_timestamp"])
            yield _record(
                key, row, moment(row["created_timestamp"]), name(row["model"]), sessions.get(session), session
            )
    state["ledgered"] = list(ledgered)
    sums = (_sums(row) for key, row in sessions.items() if key not in ledgered)
    yield from settle((each for each in sums if each), {f"sums:{each}" for each in ledgered}, state)


def _sums(session: Row) -> Record | None:
    """All calls of a session as one unit, at the time of its last change."""
    values = {each: session[f"accumulated_{each}"] for each in SUMS}
    if not any(map(count, values.values())):
        return None
    key, model = name(session["id"]), name(mapping(decode(session["model_config_json"])).get("model_name"))
    return _record(f"sums:{key}", values, moment(session["updated_at"]), model, session, key)


def _record(key: str, values: Row, time: int, model: str, session: Row | None, name_of: str) -> Record:
    whose = session or {}
    counts = {each: count(values[each]) for each in SUMS}
    read, write, whole = counts["cache_read_tokens"], counts["cache_write_tokens"], counts["input_tokens"]
    output = counts["output_tokens"]
    return Record(
        key=key,
        session=name_of,
        time=time,
        model=model,
        provider=name(whose.get("provider_name")),
        project=folder(whose.get("working_dir")),
        parent=name(whose.get("parent_session_id")),
        agent="subagent" if whose.get("session_type") == "sub_agent" else "",
        input=uncached(whole, output, counts["total_tokens"], read, write),
        cache_read=read,
        cache_write_5m=write,
        output=output,
        cost=money(values["cost"]),
    )


READERS = {"sessions": Reader("database", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The data folder: moved by GOOSE_PATH_ROOT; on macOS the places of older versions too."""
    if root := machine.variables.get("GOOSE_PATH_ROOT"):
        folders = [machine.join(root, "data")]
    elif machine.platform == "win32":
        folders = [roaming_data(machine, "Block", "goose", "data")]
    elif machine.platform == "darwin":
        folders = [machine.join(machine.home, ".local", "share", "goose")]
        folders += [local_data(machine, "goose"), local_data(machine, "Block", "goose")]
    else:
        folders = [xdg_data(machine, "goose")]
    return [Place(machine.join(each, "sessions"), "sessions.db", "sessions") for each in folders]
