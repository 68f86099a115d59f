"""What Hermes Agent wrote down of its model calls: sums for each session, in one database for each profile.

`session_model_usage` splits them by model and task and holds calls (titles) that stand in no session's own row; older
versions have the session's row alone. Sums grow in place: a session that goes on keeps its id and its start, so a sum
is dated by the last call. Compressing a long session makes a child that holds only its own calls.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import local_data
from agent_connector.hosts.dialects.usage_tables import Row, columns, need, rows
from agent_connector.hosts.dialects.usage_totals import settle
from agent_connector.hosts.dialects.usage_values import count, fingerprint, folder, moment, money, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "proven"
MERGE = "last"
NOTE = ""
SOURCES = (("state.db of hermes-agent 0.19.0 after a scripted run", "2026-11-30"),)
COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "reasoning_tokens",
    "api_call_count",
    "estimated_cost_usd",
    "actual_cost_usd",
    "billing_provider",
    "model",
)
SPLIT = ("model", "billing_provider", "billing_base_url", "billing_mode", "task")
PART = ("session_id", "billing_base_url", "billing_mode", "task", "last_seen", *COUNTS)
SESSION = ("id", "parent_session_id", "cwd", "started_at", "ended_at", *COUNTS)


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The sums that changed; of a session without parts, its own."""
    need(connection, "sessions", "id", "input_tokens", "output_tokens")
    sessions = {name(row["id"]): row for row in rows(connection, "sessions", SESSION)}
    parted: dict[str, None] = dict.fromkeys(state.get("parted") or ())
    for row in _parts(connection, state):
        session = name(row["session_id"])
        parted[session] = None
        key = fingerprint(session, *(row[each] for each in SPLIT))
        yield _record(key, row, moment(row["last_seen"]), sessions.get(session, {}), session)
    state["parted"] = list(parted)
    own = (
        _record(key, row, moment(row["ended_at"]) or moment(row["started_at"]), row, key)
        for key, row in sessions.items()
        if key not in parted
    )
    used = (each for each in own if each.input or each.output or each.cache_read)
    yield from settle(used, parted, state)


def _parts(connection: sqlite3.Connection, state: dict[str, Any]) -> Iterator[Row]:
    there = columns(connection, "session_model_usage")
    if not there:
        return
    need(connection, "session_model_usage", "session_id", "model", "input_tokens", "output_tokens")
    since = state.get("since")
    narrowed = "WHERE last_seen IS NULL OR last_seen >= ?" if since is not None and "last_seen" in there else ""
    for row in rows(connection, "session_model_usage", PART, narrowed, (since,) if narrowed else ()):
        if isinstance(row["last_seen"], int | float):
            state["since"] = max(state.get("since") or 0, row["last_seen"])
        yield row


def _record(key: str, row: Row, time: int, session: Row, name_of: str) -> Record:
    output, actual = count(row["output_tokens"]), money(row["actual_cost_usd"])
    return Record(
        key=key,
        session=name_of,
        time=time or moment(session.get("started_at")),
        model=name(row["model"]),
        provider=name(row["billing_provider"]),
        project=folder(session.get("cwd")),
        parent=name(session.get("parent_session_id")),
        input=count(row["input_tokens"]),
        cache_read=count(row["cache_read_tokens"]),
        cache_write_5m=count(row["cache_write_tokens"]),
        output=output,
        reasoning=min(count(row["reasoning_tokens"]), output),
        requests=count(row["api_call_count"]) or 1,
        cost=money(row["estimated_cost_usd"]) if actual is None else actual,
        agent="auxiliary" if row.get("task") else "",
    )


READERS = {"state": Reader("database", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The home folder, and each profile, which is a home of its own."""
    base = local_data(machine, "hermes") if machine.platform == "win32" else machine.join(machine.home, ".hermes")
    home = machine.variables.get("HERMES_HOME") or base
    return [Place(home, "state.db", "state"), Place(machine.join(home, "profiles"), "*/state.db", "state")]
