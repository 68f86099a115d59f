"""Kiro's three stores: sessions of CLI 2 in files, of CLI 3 and the editor in other files, of older CLIs in a database.

Credits are real, token counts mostly are not written: where they are 0, the prompt is estimated from how full the
context was and the answer from its length. An estimated prompt has the whole context within, at each turn.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects import q_conversations
from agent_connector.hosts.dialects.usage_places import local_data, name_of
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    decode_lines,
    dig,
    folder,
    mapping,
    moment,
    name,
    number,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "uncertain"
MERGE = "last"
NOTE = (
    "Credits are what it wrote down; most token counts are estimated from the context's fill and the answers' lengths"
)
SOURCES = (
    ("Irrlicht's, codeburn's and tokscale's readers of Kiro's sessions", "2026-11-30"),
    ("Amazon Q Developer CLI's source, for the database", "2026-11-30"),
)

FAMILY = q_conversations.FAMILY
CHARACTERS_FOR_A_TOKEN = 4


# ---- CLI 2


class _Said(msgspec.Struct):
    kind: Any = None
    data: Any = None


def session(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A record for each turn, from a session's header; the answers stand in a file beside it."""
    del state
    if not data:
        return
    header = decode(data)
    turns = dig(header, "session_state", "conversation_metadata", "user_turn_metadatas")
    if not isinstance(dig(header, "session_state"), dict):
        raise UnknownFormat("a session's header without its state")
    identity = name(dig(header, "session_id")) or name_of(source.path).removesuffix(".json")
    lengths = _lengths(source.beside(name_of(source.path).removesuffix(".json") + ".jsonl") or b"")
    for index, turn in enumerate(sequence(turns)):
        found = _turn(mapping(turn), mapping(header), lengths, f"{identity}:{index}", source)
        if found:
            yield found


def _turn(
    turn: dict[str, Any], header: dict[str, Any], lengths: dict[str, int], place: str, source: Source
) -> Record | None:
    answers = [each for each in map(name, sequence(turn.get("message_ids"))) if each in lengths]
    model = mapping(dig(header, "session_state", "rts_model_state", "model_info"))
    prompt, output = count(turn.get("input_token_count")), count(turn.get("output_token_count"))
    reported = bool(prompt or output)
    if not reported:
        prompt = int(count(model.get("context_window_tokens")) * number(turn.get("context_usage_percentage")) / 100)
        output = sum(lengths[each] for each in answers) // CHARACTERS_FOR_A_TOKEN
    credits = _credits(sequence(turn.get("metering_usage")))
    if not any((prompt, output, credits)):
        return None
    return Record(
        key=answers[0] if answers else place,  # the same turn may stand in the database of before
        session=place.rpartition(":")[0],
        time=moment(turn.get("end_timestamp")) or source.modified,
        model=name(model.get("model_id")),
        provider="aws",
        project=folder(header.get("cwd")),
        input=prompt,
        output=output,
        requests=max(1, count(turn.get("total_request_count"))),
        credits=credits,
        source="host-reported" if reported else "host-estimated",
    )


def _lengths(lines: bytes) -> dict[str, int]:
    """How many characters each answer has."""
    found: dict[str, int] = {}
    for line in decode_lines(lines, _Said, b'"AssistantMessage"'):
        if line.kind == "AssistantMessage" and (identity := name(dig(line.data, "message_id"))):
            texts = (dig(part, "data") for part in sequence(dig(line.data, "content")) if dig(part, "kind") == "text")
            found[identity] = sum(len(text) for text in texts if isinstance(text, str))
    return found


def _credits(metered: Sequence[Any]) -> float | None:
    found = [number(dig(each, "value")) for each in metered if name(dig(each, "unit")).startswith("credit")]
    return sum(found) if found else None


# ---- CLI 3 and the editor


class _Line(msgspec.Struct):
    id: Any = None
    timestamp: Any = None
    payload: Any = None


def messages(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """Credits by turn; there are no token counts."""
    if not state:
        known = decode(source.beside("session.json"))
        project = next((found for found in map(folder, sequence(dig(known, "workspacePaths"))) if found), "")
        state.update(model=name(dig(known, "modelId")), project=project)
    session = name_of(source.path, 1)
    for line in decode_lines(lines, _Line, b'"usage_summary"'):
        if dig(line.payload, "type") != "usage_summary":
            continue
        for index, turn in enumerate(sequence(dig(line.payload, "promptTurnSummaries"))):
            execution = name(dig(turn, "executionId")) or name(dig(line.payload, "executionId"))
            used = dig(turn, "usage")
            credits = number(used if not isinstance(used, dict) else dig(used, "value"))
            if credits:
                yield Record(
                    key=f"{session}:{execution or name(line.id)}:{index}",
                    session=session,
                    time=moment(line.timestamp) or source.modified,
                    model=state["model"],
                    provider="aws",
                    project=state["project"],
                    credits=credits,
                )


# ---- the database


def database(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A record for each turn; those that it took over from Amazon Q have the same keys there."""
    return q_conversations.estimates(connection, "conversations_v2", state, source)


READERS = {
    "session": Reader("document", 1, session),
    "messages": Reader("lines", 1, messages),
    "database": Reader("database", 1, database),
}


def logs(machine: Machine) -> Sequence[Place]:
    """Whether KIRO_HOME moves the sessions is not sure: both places are looked at."""
    homes = dict.fromkeys((machine.config("KIRO_HOME", ".kiro"), machine.join(machine.home, ".kiro")))
    found = [Place(machine.join(home, "sessions"), "cli/*.json", "session") for home in homes]
    found += [Place(machine.join(home, "sessions"), "*/sess_*/messages.jsonl", "messages") for home in homes]
    return (*found, Place(local_data(machine, "kiro-cli"), "data.sqlite3", "database"))
