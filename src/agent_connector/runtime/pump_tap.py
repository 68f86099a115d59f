"""A copy of the traffic for the measuring process: bounded, never waiting, and nothing is lost when it dies.

The pumps only put chunks into a queue; a thread of its own writes them out in batches, so that a call costs its caller
next to nothing and wakes nobody. When the queue holds more than `SOFT` bytes only the edges of each chunk are kept,
beyond `HARD` nothing but the count. A line longer than `LONGEST_LINE` is told by its first part, its size and its end.

No lock: each counter has one thread that writes it, and the queue's own operations are whole.
"""

import os
import time
from _thread import allocate_lock, start_new_thread
from collections import deque

from agent_connector.telemetry.frames import EDGE, IN, LONGEST_LINE, OUT, head, left_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Entry = tuple[bytes, int, bytes | tuple[int, int, bool]]

SOFT = 2 << 20
HARD = 4 << 20
BATCH = 1 << 18
REST = 0.01  # seconds without traffic after which it is written,
PATIENCE = 0.1  # but no later than this: while calls fly, the writer stays out of their way


class Line:
    """One way: how far it is in its current line, and what is still to be told as left out."""

    __slots__ = ("ended", "length", "lines", "put", "skipped", "tail", "taken")

    def __init__(self) -> None:
        self.length = 0  # bytes of the current line
        self.skipped = 0  # bytes left out since the last frame
        self.lines = 0  # line ends among them
        self.ended = False  # whether the last of them was one
        self.tail = b""  # end of a giant line, as far as it went by
        self.put = 0  # bytes that the pump gave
        self.taken = 0  # bytes that the writer took


class Tap:
    """Takes chunks from both ways and writes frames to `descriptor`."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.queue: deque[Entry] = deque()
        self.inward = Line()
        self.outward = Line()
        self.closed = False
        self.asleep = True
        self.bell = allocate_lock()
        self.bell.acquire()

    def start(self) -> None:
        """Start the writer."""
        start_new_thread(self.bring_out, ())

    def shower(self, way: bytes) -> "Callable[[bytes], None]":
        """The function that one way calls with each chunk that went by."""
        line = self.inward if way == IN else self.outward

        def show(chunk: bytes) -> None:
            if self.closed:
                return
            if line.tail or line.length + len(chunk) > LONGEST_LINE:
                chunk = self.giant(way, line, chunk)
            if chunk:
                end = chunk.rfind(b"\n")
                line.length = len(chunk) - end - 1 if end >= 0 else line.length + len(chunk)
                self.tell(way, line, chunk)
            if self.asleep and self.queue:
                self.ring()

        return show

    def ring(self) -> None:
        """Wake the writer."""
        self.asleep = False
        try:  # noqa: SIM105 (contextlib is not for this path)
            self.bell.release()
        except RuntimeError:
            pass  # the other way rang at the same moment

    def giant(self, way: bytes, line: Line, chunk: bytes) -> bytes:
        """Leave out what lies beyond the longest line; returns what follows its end."""
        end = chunk.find(b"\n") + 1
        own = chunk[:end] if end else chunk
        if not line.tail and line.length + len(own) <= LONGEST_LINE:
            return chunk
        line.skipped += len(own)
        line.ended = False
        line.tail = own[-EDGE:] if len(own) >= EDGE else (line.tail + own)[-EDGE:]
        if not end:
            return b""
        line.skipped -= len(line.tail)
        tail, line.tail, line.length = line.tail, b"", 0
        self.tell(way, line, tail)
        return chunk[end:]

    def tell(self, way: bytes, line: Line, chunk: bytes) -> None:
        """Queue `chunk`, or its edges, or remember that it went by, as there is room."""
        now = time.monotonic_ns() // 1000
        held = self.inward.put - self.inward.taken + self.outward.put - self.outward.taken
        if held > HARD:
            line.skipped += len(chunk)
            line.lines += ends(chunk)
            line.ended = chunk[-1:] == b"\n"
            return
        if line.skipped:
            self.queue.append((way, now, (line.skipped, line.lines, line.ended)))
            line.skipped = line.lines = 0
        if held > SOFT and len(chunk) > 4 * EDGE:
            stop = len(chunk) - EDGE
            self.queue.append((way, now, chunk[:EDGE]))
            self.queue.append((way, now, (stop - EDGE, ends(chunk, EDGE, stop), chunk[stop - 1 : stop] == b"\n")))
            line.put += EDGE
            chunk = chunk[-EDGE:]
        self.queue.append((way, now, chunk))
        line.put += len(chunk)

    def bring_out(self) -> None:
        """The writer's thread: sleep until there is something, let it gather, write it; may wait for the reader."""
        while not self.closed:
            self.bell.acquire()
            while self.queue and not self.closed:
                self.gather()
                for _ in range(len(self.queue)):
                    if self.queue and not self.closed:
                        self.write()
            self.asleep = True
            if self.queue:  # came in between: the pump may have seen us awake
                self.ring()

    def gather(self) -> None:
        """Wait for a pause in the traffic."""
        end, seen = time.monotonic() + PATIENCE, -1
        while self.inward.put + self.outward.put != seen and time.monotonic() < end:
            seen = self.inward.put + self.outward.put
            time.sleep(REST)

    def write(self) -> None:
        """Write one batch. A reader that is gone ends the whole tap."""
        parts: list[bytes] = []
        size = taken_in = taken_out = 0
        while self.queue and size < BATCH and len(parts) < 256:
            way, now, what = self.queue.popleft()
            if isinstance(what, tuple):
                parts.append(left_out(way, now, *what))
                continue
            parts += (head(way, now, len(what)), what)
            size += len(what)
            if way == OUT:
                taken_out += len(what)
            else:
                taken_in += len(what)
        self.inward.taken += taken_in
        self.outward.taken += taken_out
        data = b"".join(parts)
        try:
            sent = os.write(self.descriptor, data)
            while sent < len(data):
                sent += os.write(self.descriptor, data[sent:])
        except OSError:
            self.close()

    def settled(self) -> bool:
        """True when nothing waits here."""
        return self.closed or (self.asleep and not self.queue)

    def close(self) -> None:
        """Nobody measures any more."""
        self.closed = True
        self.queue.clear()


def ends(chunk: bytes, start: int = 0, stop: int = 1 << 30) -> int:
    """Line ends in a part of `chunk`. Looking for one is thirty times as fast as counting, and most have none."""
    return 0 if chunk.find(b"\n", start, stop) < 0 else chunk.count(b"\n", start, stop)
