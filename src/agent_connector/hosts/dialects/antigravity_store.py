"""Conversations of the Antigravity engine, which its app, its editor and its CLI keep alike: a database for each.

`gen_metadata` has a protobuf message for each call of a model. Its schema is not published; the numbers of its fields
were worked out by others from their own databases:

    #1 call: #19 model, #21 the model's name for people, #9 times, #4 usage
    usage: #1 tokens of the fixed system prompt, #2 new input, #5 cache read, #9 text, #10 thinking, #3 both,
           #11 the answer's id

A conversation is small and is read whole each time, since a call without its model takes it from the others.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from agent_connector.hosts.dialects.protobuf_wire import Fields, fields, message, text, whole
from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_tables import columns, need, rows, version
from agent_connector.hosts.dialects.usage_values import LARGEST, LATEST, fingerprint, folder, name
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

FAMILY = "antigravity"  # conversations are carried from the CLI into the app, with their ids
ROUTER = "gemini-default"  # who served the call, not which model did
DAY = 86_400_000


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The calls of one conversation."""
    need(connection, "gen_metadata", "idx", "data")
    kept = list(rows(connection, "gen_metadata", ("idx", "data"), "ORDER BY idx"))
    calls = [(row["idx"], message(fields(_bytes(row["data"])), 1)) for row in kept]
    if kept and not any(message(call, 4) for _, call in calls):
        raise UnknownFormat("calls in another protobuf message", version(connection))
    conversation = name(name_of(source.path).partition(".")[0])
    created, project = _conversation(connection)
    models = _models([call for _, call in calls])
    for index, call in calls:
        usage = message(call, 4)
        thinking, said = whole(usage, 10), whole(usage, 9)
        counts = whole(usage, 1) + whole(usage, 2), whole(usage, 5), said + thinking or whole(usage, 3)
        if any(counts):
            yield Record(
                key=fingerprint(conversation, text(usage, 11) or index),
                session=conversation,
                time=_time(message(call, 9), created, source.modified) or created or source.modified,
                model=_model(call, models),
                project=project,
                input=_sane(counts[0]),
                cache_read=_sane(counts[1]),
                output=_sane(counts[2]),
                reasoning=min(_sane(thinking), _sane(counts[2])),
            )


def _bytes(value: Any) -> bytes | None:
    return value if isinstance(value, bytes) else None


def _sane(number: int) -> int:
    return number if number <= LARGEST else 0


# ---- whose, and when


def _conversation(connection: sqlite3.Connection) -> tuple[int, str]:
    """When it began (0 when that is not there), and its folder."""
    if "data" not in columns(connection, "trajectory_metadata_blob"):
        return 0, ""
    row = next(rows(connection, "trajectory_metadata_blob", ("data",), "LIMIT 1"), {"data": None})
    about = fields(_bytes(row["data"]))
    place = text(message(about, 1), 1)
    if place.startswith("file://"):
        place = unquote(place.removeprefix("file://"))
        place = place[1:] if place[2:3] == ":" else place  # /C:/work
    return _stamp(message(about, 2)), folder(place)


def _stamp(found: Fields | None) -> int:
    """Seconds and nanoseconds, as ms; 0 for what is no time."""
    ms = whole(found, 1) * 1000 + whole(found, 2) // 1_000_000
    return ms if ms <= LATEST else 0


def _time(times: Fields | None, created: int, modified: int) -> int:
    """When the call was made: a stamp up to 1.1.17; since 1.1.18 eight bytes, of which nobody says what they are.

    These are taken for a time only when exactly one reading of them (either order of bytes; s, ms, us or ns) falls
    between the beginning of the conversation and the last change of its file.
    """
    if stamp := _stamp(message(times, 4)):
        return stamp
    raw = _bytes((times or {}).get(10))
    if raw is None or len(raw) != 8 or not created:
        return 0
    numbers = {int.from_bytes(raw, "little"), int.from_bytes(raw, "big"), whole(fields(raw), 1)}
    readings = {ms for each in numbers for ms in (each * 1000, each, each // 1000, each // 1_000_000)}
    fitting = [ms for ms in readings if created <= ms <= modified + DAY]
    return fitting[0] if len(fitting) == 1 else 0


# ---- models


def _models(calls: Sequence[Fields | None]) -> dict[str, set[str]]:
    """The models that each name for people stood beside; under "" all that the conversation names."""
    found: dict[str, set[str]] = {"": set()}
    for call in calls:
        model, shown = text(call, 19), text(call, 21)
        if model and model != ROUTER:
            found[""].add(model)
            found.setdefault(shown, set()).add(model)
    return found


def _model(call: Fields | None, models: dict[str, set[str]]) -> str:
    """The call's model; else the only one that its name stood for elsewhere; else that name, or the router's."""
    model, shown = text(call, 19), text(call, 21)
    if model and model != ROUTER:
        return name(model)
    known = models.get(shown, set[str]())
    return name(next(iter(known)) if len(known) == 1 else shown or model)


CONVERSATION = Reader("database", 1, read)


def stores(root: str) -> list[Place]:
    """The conversations below one data folder; `implicit` are those that a person did not begin."""
    return [Place(root, "conversations/*.db", "conversation"), Place(root, "implicit/*.db", "conversation")]
