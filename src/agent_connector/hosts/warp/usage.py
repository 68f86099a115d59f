"""What Warp wrote down of its agent's model calls: a running total for each conversation and model, in one database.

A total is one number of tokens, without input, output and cache apart. It stands as input here, marked as an estimate;
the credits of a conversation stand at the model that used most. What tokscale fetches of the account is of the same
calls, and of other machines': it is not read.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import local_data
from agent_connector.hosts.dialects.usage_tables import Row, columns, fresh, need, rows
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    fingerprint,
    folder,
    mapping,
    moment,
    money,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "uncertain"
MERGE = "last"
NOTE = "Warp keeps one number of tokens for each model of a conversation: all are shown as input"
SOURCES = (
    ("source of warpdotdev/warp, 2026-08-22", "2026-11-30"),
    ("a reader of getagentseal/codeburn", "2026-11-30"),
)
GROUP = ("Library", "Group Containers", "2BBY89MBSN.dev.warp", "Library", "Application Support")


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The conversations that changed; their totals replace what they were."""
    need(connection, "agent_conversations", "conversation_id", "conversation_data")
    names = ("conversation_id", "conversation_data")
    for row in list(fresh(connection, "agent_conversations", names, state, "last_modified_at")):
        yield from _conversation(connection, row)


def _conversation(connection: sqlite3.Connection, row: Row) -> Iterator[Record]:
    data = mapping(decode(row["conversation_data"] if isinstance(row["conversation_data"], str | bytes) else None))
    about = mapping(data.get("conversation_usage_metadata")) or mapping(data.get("usage_metadata")) or data
    totals: dict[str, int] = {}
    for each in map(mapping, sequence(about.get("token_usage"))):
        model = name(each.get("model_id"))
        totals[model] = totals.get(model, 0) + count(each.get("warp_tokens")) + count(each.get("byok_tokens"))
    credits = money(about.get("credits_spent"))
    place, requests = _exchanges(connection, row["conversation_id"])
    ranked = sorted(((tokens, model) for model, tokens in totals.items() if tokens), reverse=True)
    for rank, (tokens, model) in enumerate(ranked or ([(0, "")] if credits else [])):
        yield Record(
            key=fingerprint(row["conversation_id"], model),
            session=name(row["conversation_id"]),
            time=moment(row["last_modified_at"]),
            model=model,
            project=place,
            input=min(tokens, 2**53),
            requests=1 if rank else max(1, requests - len(ranked) + 1),
            credits=None if rank else credits,
            source="host-estimated",
        )


def _exchanges(connection: sqlite3.Connection, conversation: Any) -> tuple[str, int]:
    """The folder of a conversation's last exchange, and how many it has."""
    if "conversation_id" not in columns(connection, "ai_queries"):
        return "", 0
    found = rows(
        connection, "ai_queries", ("working_directory",), "WHERE conversation_id = ? ORDER BY rowid", (conversation,)
    )
    places = [folder(each["working_directory"]) for each in found]
    return next((each for each in reversed(places) if each), ""), len(places)


READERS = {"conversations": Reader("database", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The database of each channel, and that of the terminal program beside it."""
    if machine.platform == "win32":
        found = [(local_data(machine, "warp"), each) for each in ("*/data/warp.sqlite", "*/data/tui/warp.sqlite")]
    elif machine.platform == "darwin":
        folders = (machine.join(machine.home, *GROUP), local_data(machine))
        patterns = ("dev.warp.Warp-*/warp.sqlite", "dev.warp.Warp-*/tui/warp.sqlite")
        found = [(each, pattern) for each in folders for pattern in patterns]
    else:
        base = machine.config("XDG_STATE_HOME", ".local", "state")
        found = [(base, each) for each in ("warp-terminal*/warp.sqlite", "warp-terminal*/tui/warp.sqlite")]
    return [Place(base, pattern, "conversations") for base, pattern in found]
