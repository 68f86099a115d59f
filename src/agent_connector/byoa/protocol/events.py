"""The events door: what a session tells of an app's turn (section 5, events)."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.fields import Fields, compact, dump, load, printable


class Outcome(StrEnum):
    DONE = "done"
    ERROR = "error"
    INTERRUPTED = "interrupted"


class Reason(StrEnum):
    TAKEN_OVER = "taken_over"
    STOPPED = "stopped"
    SESSION_CLOSED = "session_closed"
    HOST_ERROR = "host_error"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Started:
    def value(self) -> dict[str, object]:
        return {"type": "started"}


@dataclass(frozen=True, slots=True)
class Delta:
    text: str

    def value(self) -> dict[str, object]:
        return {"type": "delta", "text": self.text}


@dataclass(frozen=True, slots=True)
class ToolStep:
    """A tool's name and a fixed label, never its input."""

    name: str
    title: str | None = None

    def value(self) -> dict[str, object]:
        return compact({"type": "tool", "name": self.name, "title": self.title})


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: Outcome
    reason: Reason | None = None

    def value(self) -> dict[str, object]:
        return compact({"type": "ended", "outcome": self.outcome, "reason": self.reason})


TurnEvent = Started | Delta | ToolStep | Ended


def _ended(fields: Fields) -> Ended:
    outcome = Outcome(fields.one_of("outcome", tuple(Outcome)))
    return Ended(outcome, Reason(fields.one_of("reason", tuple(Reason))) if fields.has("reason") else None)


READERS: dict[str, Callable[[Fields], TurnEvent]] = {
    "started": lambda fields: Started(),
    "delta": lambda fields: Delta(fields.long_text("text", limits.DELTA_BYTES)),
    "tool": lambda fields: ToolStep(
        fields.text("name", limits.NAME, printable), fields.text_or_none("title", limits.NAME, printable)
    ),
    "ended": _ended,
}


@dataclass(frozen=True, slots=True)
class Batch:
    """Events of one turn; `seq` counts the batches of that turn from 0."""

    session_id: str
    turn: str
    seq: int
    events: tuple[TurnEvent, ...]

    def dump(self) -> bytes:
        events = [event.value() for event in self.events]
        return dump({"session_id": self.session_id, "turn": self.turn, "seq": self.seq, "events": events})


def parse_batch(data: bytes) -> Batch:
    fields = load(data, limits.DOOR_BODY)
    items = fields.objects("events", limits.EVENTS)
    found = ((READERS.get(item.text("type", limits.NAME, printable)), item) for item in items)
    events = tuple(reader(item) for reader, item in found if reader is not None)
    return Batch(fields.id("session_id"), fields.id("turn"), fields.integer("seq"), events)


@dataclass(frozen=True, slots=True)
class Taken:
    """The app has everything before `next`."""

    next: int

    def dump(self) -> bytes:
        return dump({"next": self.next})


def parse_taken(data: bytes) -> Taken:
    return Taken(load(data, limits.DOOR_BODY).integer("next"))
