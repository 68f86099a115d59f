"""A copy of the traffic for the measuring process: bounded, never waiting, and nothing is lost when it dies.

What does not fit into the pipe waits here, up to `SOFT` bytes; after that only the edges of each chunk are kept,
after `HARD` nothing but the count. A line longer than `LONGEST_LINE` is told by its first part, its size and its end.
"""

import os
import time
from _thread import allocate_lock, start_new_thread

from agent_connector.telemetry.frames import EDGE, IN, LONGEST_LINE, OUT, head, left_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SOFT = 2 << 20
HARD = 4 << 20


class Line:
    """How far one way is in its current line, and what of it (or of whole lines) is still to be told as left out."""

    __slots__ = ("length", "lines", "skipped", "tail")

    def __init__(self) -> None:
        self.length = 0
        self.skipped = 0
        self.lines = 0
        self.tail = b""


class Tap:
    """Takes chunks from both ways and writes frames. `wait` blocks until the pipe takes bytes again."""

    def __init__(self, descriptor: int, wait: "Callable[[int], None]") -> None:
        self.descriptor = descriptor
        self.wait = wait
        self.lock = allocate_lock()
        self.held: list[bytes] = []
        self.size = 0
        self.draining = False
        self.ways = {IN: Line(), OUT: Line()}
        os.set_blocking(descriptor, False)

    def shower(self, way: bytes) -> "Callable[[bytes], None]":
        """The function that one way calls with each chunk that went by."""
        line, lock = self.ways[way], self.lock

        def show(chunk: bytes) -> None:
            with lock:
                if self.descriptor >= 0:
                    self.take(way, line, chunk)

        return show

    def take(self, way: bytes, line: Line, chunk: bytes) -> None:
        """Tell `chunk`, unless it lies in the middle of a giant line."""
        if line.tail or line.length + len(chunk) > LONGEST_LINE:
            chunk = self.giant(way, line, chunk)
            if not chunk:
                return
        end = chunk.rfind(b"\n")
        line.length = len(chunk) - end - 1 if end >= 0 else line.length + len(chunk)
        self.tell(way, line, chunk)

    def giant(self, way: bytes, line: Line, chunk: bytes) -> bytes:
        """Leave out what lies beyond the longest line; returns what follows its end."""
        end = chunk.find(b"\n") + 1
        own = chunk[:end] if end else chunk
        if not line.tail and line.length + len(own) <= LONGEST_LINE:
            return chunk
        line.tail = (line.tail + own)[-EDGE:] if len(own) < EDGE else own[-EDGE:]
        line.skipped += len(own)
        if not end:
            return b""
        line.skipped -= len(line.tail)
        tail, line.tail, line.length = line.tail, b"", 0
        self.tell(way, line, tail)
        return chunk[end:]

    def tell(self, way: bytes, line: Line, chunk: bytes) -> None:
        """Write the frame of `chunk`, or hold it, or shorten it, as there is room."""
        now = time.monotonic_ns() // 1000
        if not self.held and not line.skipped:
            self.write(head(way, now, len(chunk)), chunk)
            return
        if self.size > HARD:
            line.skipped += len(chunk)
            line.lines += chunk.count(b"\n")
            return
        if line.skipped:
            self.hold(left_out(way, now, line.skipped, line.lines))
            line.skipped = line.lines = 0
        if self.size > SOFT and len(chunk) > 4 * EDGE:
            middle = chunk[EDGE:-EDGE]
            self.hold(head(way, now, EDGE) + chunk[:EDGE])
            self.hold(left_out(way, now, len(middle), middle.count(b"\n")))
            chunk = chunk[-EDGE:]
        self.hold(head(way, now, len(chunk)) + chunk)
        self.drain()

    def write(self, *parts: bytes) -> None:
        """Write what the pipe takes now and hold the rest."""
        size = sum(map(len, parts))
        try:
            sent = os.writev(self.descriptor, parts)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.close()
            return
        if sent < size:
            self.hold(b"".join(parts)[sent:])
            self.drain()

    def hold(self, data: bytes) -> None:
        self.held.append(data)
        self.size += len(data)

    def flush(self) -> None:
        """Write held frames in order, as far as the pipe takes them."""
        done = 0
        for data in self.held:
            try:
                sent = os.write(self.descriptor, data)
            except BlockingIOError:
                break
            except OSError:
                self.close()
                return
            self.size -= sent
            if sent < len(data):
                self.held[done] = data[sent:]
                break
            done += 1
        del self.held[:done]
        if self.held:
            self.drain()

    def drain(self) -> None:
        """Have a thread of its own bring the held frames out once traffic has stopped."""
        if not self.draining:
            self.draining = True
            start_new_thread(self.bring_out, ())

    def bring_out(self) -> None:
        while True:
            self.wait(self.descriptor)
            with self.lock:
                if self.descriptor >= 0:
                    self.flush()
                if not self.held:
                    self.draining = False
                    return

    def settled(self) -> bool:
        """True when nothing waits here."""
        return not self.held

    def close(self) -> None:
        """Nobody measures any more. The descriptor stays open: a thread may be waiting on it."""
        self.descriptor = -1
        self.held.clear()
        self.size = 0
