"""The conversations that Amazon Q and, after it, Kiro keep in a database: sizes of requests in bytes, and no counts.

A conversation is one JSON value that is written anew at each request; what did not change since the last look is told
by its hash and not decoded again. Tokens are estimated as a quarter of the bytes.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from agent_connector.hosts.dialects import usage_tables as tables
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    dig,
    fingerprint,
    folder,
    mapping,
    moment,
    name,
    sequence,
)
from agent_connector.hosts.records import Record, Source, UnknownFormat

FAMILY = "amazon-q"  # Kiro took over Amazon Q's conversations, with the ids of their messages
BYTES_FOR_A_TOKEN = 4

Turn = list[dict[str, Any]]  # what is known of each request that one prompt led to


class Conversation(NamedTuple):
    """One conversation, as turns of requests."""

    session: str
    project: str
    turns: list[Turn]


def conversations(connection: sqlite3.Connection, table: str, state: dict[str, Any]) -> Iterator[Conversation]:
    """Those of `table` that changed since `state` was left."""
    tables.need(connection, table, "key", "value")
    before, seen = mapping(state.get("seen")), dict[str, str]()
    known = strange = 0
    for row in tables.rows(connection, table, ("key", "conversation_id", "value")):
        place = fingerprint(row["key"], row["conversation_id"])
        seen[place] = fingerprint(row["value"])
        if before.get(place) == seen[place]:
            known += 1
            continue
        value = mapping(decode(row["value"]))
        if not isinstance(value.get("history"), list):
            strange += 1
            continue
        known += 1
        session = name(value.get("conversation_id")) or name(row["conversation_id"]) or place
        yield Conversation(session, folder(row["key"]), list(_turns(sequence(value["history"]))))
    state["seen"] = seen
    if strange and not known:
        raise UnknownFormat("conversations without a history", tables.version(connection))


def _turns(history: Sequence[Any]) -> Iterator[Turn]:
    """A person's prompt begins a turn; what answers with results of tools goes on with it."""
    turn: Turn = []
    for entry in history:
        if turn and dig(entry, "user", "content", "Prompt") is not None:
            yield turn
            turn = []
        if known := mapping(dig(entry, "request_metadata")):
            turn.append(known)
    if turn:
        yield turn


def estimates(connection: sqlite3.Connection, table: str, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A record for each turn of each conversation that changed."""
    for conversation in conversations(connection, table, state):
        for index, turn in enumerate(conversation.turns):
            yield _estimate(turn, f"{conversation.session}:{index}", conversation, source)


def _estimate(turn: Turn, place: str, conversation: Conversation, source: Source) -> Record:
    asked, answered = (
        sum(count(request.get(each)) for request in turn) for each in ("user_prompt_length", "response_size")
    )
    return Record(
        key=_first(turn, "message_id") or place,
        session=conversation.session,
        time=moment(turn[0].get("request_start_timestamp_ms")) or source.modified,
        model=_first(turn, "model_id"),
        provider="aws",
        project=conversation.project,
        input=asked // BYTES_FOR_A_TOKEN,
        output=answered // BYTES_FOR_A_TOKEN,
        requests=len(turn),
        source="host-estimated",
    )


def _first(turn: Turn, field: str) -> str:
    return next((found for request in turn if (found := name(request.get(field)))), "")
