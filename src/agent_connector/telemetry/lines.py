"""Frames of the pump back into the messages of both ways. What was left out makes a message long, or lost."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from agent_connector.telemetry import frames

_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Message:
    """A whole line: its way, when its last byte went by (microseconds), and its bytes."""

    way: bytes
    time: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Long:
    """A line whose middle was left out."""

    way: bytes
    time: int
    size: int
    head: bytes
    tail: bytes


@dataclass(frozen=True, slots=True)
class Lost:
    """Lines of which nothing but their number and size is known."""

    way: bytes
    time: int
    size: int
    lines: int


Seen = Message | Long | Lost


@dataclass
class _Way:
    parts: list[bytes] = field(default_factory=list[bytes])
    size: int = 0
    head: bytes = b""
    skipped: int = 0
    broken: bool = False


class Lines:
    """Feed it the bytes of the pump's pipe; it gives messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._ways = {frames.IN: _Way(), frames.OUT: _Way()}

    def feed(self, data: bytes) -> Iterator[Seen]:
        """The messages that `data` completes."""
        self._buffer += data
        start = 0
        while len(self._buffer) - start >= frames.HEAD:
            letter, time, size = frames.read_head(self._buffer[start : start + frames.HEAD])
            end = start + frames.HEAD + size
            if len(self._buffer) < end:
                break
            payload = bytes(self._buffer[start + frames.HEAD : end])
            start = end
            if letter in (frames.IN, frames.OUT):
                yield from self._bytes(letter, time, payload)
            else:
                yield from self._left_out(frames.WAY[letter], time, *frames.read_left_out(payload))
        del self._buffer[:start]

    def _bytes(self, letter: bytes, time: int, payload: bytes) -> Iterator[Seen]:
        way = self._ways[letter]
        *whole, rest = payload.split(b"\n")
        for part in whole:
            way.parts.append(part)
            way.size += len(part)
            yield self._line(letter, time, way)
            self._ways[letter] = way = _Way()
        if rest:
            way.parts.append(rest)
            way.size += len(rest)
            if way.size > frames.LONGEST_LINE + _HEAD:
                self._shorten(way, 0)

    def _left_out(self, letter: bytes, time: int, size: int, lines: int, ended: bool) -> Iterator[Seen]:
        way = self._ways[letter]
        if lines:
            yield Lost(letter, time, size + way.size + way.skipped, lines)
            self._ways[letter] = _Way(broken=not ended)
        else:
            self._shorten(way, size)

    def _shorten(self, way: _Way, more: int) -> None:
        """Keep the head of the line only; what follows is its tail."""
        if not way.head:
            way.head = b"".join(way.parts)[:_HEAD]
        way.skipped += way.size + more
        way.parts.clear()
        way.size = 0

    def _line(self, letter: bytes, time: int, way: _Way) -> Seen:
        data = b"".join(way.parts)
        if way.broken:
            return Lost(letter, time, way.size + way.skipped, 1)
        if way.skipped:
            return Long(letter, time, way.size + way.skipped, way.head, data[-_HEAD:])
        return Message(letter, time, data)
