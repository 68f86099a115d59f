"""A run's log on its way to the board: redacted over the joined stream, numbered, batched, and in the outbox before it is sent.

`emit` may be called from any thread and never blocks or raises; the rest is the event loop's. What an agent writes has no
bound, so the log has: events in all, bytes in all, and bytes that wait. Beyond one of them a single notice ends the log.
"""

import json
import math
import threading
from collections import deque
from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, cast

from agent_connector.board.rules import EVENT_BYTES, MOST_EVENTS
from agent_connector.drive.lines import CUT
from agent_connector.drive.reader import JOINED
from agent_connector.redaction.redactor import Redactor, Stream
from agent_connector.worker.clock import iso
from agent_connector.worker.config import Log

STRING = 32_768  # characters of one string; what is longer is cut, with a mark
DEEP = 24  # levels of a payload
WEIGHT = EVENT_BYTES - 4_096  # bytes of a batch; the rest is the envelope's
MOST_BYTES = 64 << 20  # of one log
MOST_WAITING = 16 << 20  # bytes that are not in the outbox yet
SLICE = 128 << 10  # bytes that are redacted in one go: leases are renewed in between
FIRST = 1  # the number of a run's first event
_JOINED = ("line", "said", "thought")  # their texts follow one another
Event = dict[str, Any]
Waiting = tuple[float, str, str, Mapping[str, Any], int]  # when, type, channel, payload, size


class Forwarder:
    """The log of one run. `post` puts batches into the outbox, all or none; `wall` is the time of day."""

    def __init__(
        self,
        log: Log,
        redactor: Redactor,
        post: Callable[[list[list[Event]]], None],
        wall: Callable[[], float],
    ) -> None:
        self.first = FIRST
        self._log, self._redactor, self._post, self._wall = log, redactor, post, wall
        self._waiting: deque[Waiting] = deque()
        self._streams: dict[tuple[str, str], Stream] = {}
        self._ready: list[Event] = []  # redacted, and not yet in the outbox
        self._lock = threading.Lock()
        self._events = self._bytes = self._backlog = self._count = 0
        self._capped = False

    def emit(self, type: str, channel: str, payload: Mapping[str, Any]) -> None:
        size = _size(payload)
        with self._lock:
            if self._capped:
                return
            full = self._events >= self._log.max_events or self._bytes + size > MOST_BYTES
            self._capped = full or self._backlog + size > MOST_WAITING
            if self._capped:
                why = f"it holds {self._events} events" if full else "it came faster than it could be taken"
                text = f"[log capped] {why}; what comes after is not in it"
                type, channel, payload, size = "log-capped", "worker", {"text": text}, len(text)
            self._events += 1
            self._bytes += size
            self._backlog += size
            self._waiting.append((self._wall(), type, channel, payload, size))

    @property
    def full(self) -> bool:
        """True when a batch is ready."""
        return len(self._waiting) >= self._log.batch_size or self._backlog >= WEIGHT

    def flush(self) -> bool:
        """A slice of what was emitted goes into the outbox, in batches that the board takes; True when more is there.

        What the outbox could not take stays, and comes with the next call.
        """
        taken, size = list[Waiting](), 0
        with self._lock:
            while self._waiting and size < SLICE:
                taken.append(self._waiting.popleft())
                size += taken[-1][-1]
        for (channel, plain), events in groupby(taken, _together):
            if plain:
                self._lines(channel, [(at, payload["text"]) for at, _, _, payload, _ in events])
                continue
            for at, type, channel, payload, _ in events:
                self._event(at, type, channel, payload)
        self._hand_over()
        with self._lock:
            self._backlog -= size
            return bool(self._waiting)

    def close(self) -> None:
        """The last of it: what the streams held back until it was known not to be a secret."""
        while self.flush():
            pass
        for (type, channel), stream in self._streams.items():
            if text := stream.close().removesuffix("\n"):
                self._add(self._wall(), type, channel, {"text": text})
        self._streams.clear()
        self._hand_over()

    def _hand_over(self) -> None:
        if self._ready:
            self._post(_batches(self._ready, min(self._log.batch_size, MOST_EVENTS)))
            self._ready.clear()

    def _lines(self, channel: str, told: list[tuple[float, str]]) -> None:
        """Whole lines that follow one another, redacted in one go: where a stream is cut changes nothing of what it lets out.

        Each is an event again. Where a secret took a line's end, or the last one is held back, they are fewer; what was held
        back before comes with the first.
        """
        stream = self._streams.setdefault(("line", channel), self._redactor.stream())
        if not (out := stream.feed("".join(f"{text}\n" for _, text in told))):
            return
        lines = out.removesuffix("\n").split("\n")
        first = max(0, len(lines) - len(told)) + 1
        lines = ["\n".join(lines[:first]), *lines[first:]]
        for (at, _), text in zip(told[-len(lines) :], lines, strict=True):
            self._add(at, "line", channel, {"text": text})

    def _event(self, at: float, type: str, channel: str, payload: Mapping[str, Any]) -> None:
        text = payload.get("text")
        if type not in _JOINED or not isinstance(text, str):
            self._add(at, type, channel, self._redactor.value(_bounded(payload)))
            return
        stream = self._streams.setdefault((type, channel), self._redactor.stream())
        mark, joint = "", "\n"
        if text.endswith(CUT):  # a piece of a line: what comes next goes on where it ends
            text, mark, joint = text.removesuffix(CUT), CUT, ""
        elif type != "line" and len(text) >= JOINED:
            joint = ""
        if out := stream.feed(text + joint):
            rest = {name: value for name, value in payload.items() if name != "text"}
            hidden = cast("Mapping[str, Any]", self._redactor.value(_bounded(rest)))
            self._add(at, type, channel, {"text": out.removesuffix("\n") + mark, **hidden})

    def _add(self, at: float, type: str, channel: str, payload: object) -> None:
        kept = _bounded(payload, STRING)
        event = {"seq": self.first + self._count, "ts": iso(at), "type": type, "channel": channel, "payload": kept}
        self._count += 1
        self._ready.append(event)


def _together(waiting: Waiting) -> tuple[str, bool]:
    """Whether it is a whole line and nothing else, and of which channel: such ones go together."""
    _, type, channel, payload, _ = waiting
    text = payload.get("text")
    whole = isinstance(text, str) and "\n" not in text and not text.endswith(CUT)
    return channel, whole and type == "line" and len(payload) == 1


def _batches(events: list[Event], most: int) -> list[list[Event]]:
    batches: list[list[Event]] = []
    weight = 0
    for event in events:
        heavy = _weight(event)
        if heavy > WEIGHT:
            event["payload"] = {"text": f"[an event of {heavy} bytes is left out]"}
            heavy = _weight(event)
        if not batches or len(batches[-1]) >= most or weight + heavy > WEIGHT:
            batches.append([])
            weight = 0
        batches[-1].append(event)
        weight += heavy
    return batches


def _weight(event: Event) -> int:
    return len(json.dumps(event, ensure_ascii=False).encode("utf-8", "replace")) + 2


def _size(value: Any, deep: int = 0) -> int:
    """About the bytes of a value."""
    if isinstance(value, str):
        return len(value) + 8
    if deep < DEEP and isinstance(value, Mapping):
        return sum(_size(name) + _size(held, deep + 1) for name, held in value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if deep < DEEP and isinstance(value, list | tuple):
        return sum(_size(held, deep + 1) for held in value)  # pyright: ignore[reportUnknownVariableType]
    return 8


def _bounded(value: Any, most: int | None = None, deep: int = 0) -> Any:
    """A value as JSON has it, its depth bounded, and where `most` is given its strings too."""
    match value:
        case None | bool() | int():
            return value
        case str():
            return value if most is None or len(value) <= most else f"{value[:most]} [cut: {len(value)} characters]"
        case float():
            return value if math.isfinite(value) else str(value)
        case Mapping() | list() | tuple() if deep >= DEEP:
            return "[cut: too deep]"
        case Mapping():
            held = cast("Mapping[Any, Any]", value)
            return {str(name): _bounded(inner, most, deep + 1) for name, inner in held.items()}
        case list() | tuple():
            return [_bounded(inner, most, deep + 1) for inner in cast("list[Any]", value)]
        case _:
            return str(value)
