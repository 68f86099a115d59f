"""Bytes from one side to the other: forward first, then show a copy to whoever measures.

One thread a way, blocking reads and writes: what the reader cannot take, the writer waits for, as without us, and no
flag is set on descriptors that others share.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK = 1 << 16  # a pipe's usual size; larger ones would cost fresh pages at each read


class Way:
    """One direction. `state` tells what it waits for ("read", "write", "done"), `moved` how many bytes went by."""

    __slots__ = ("moved", "sink", "source", "state")

    def __init__(self, source: int, sink: int) -> None:
        self.source = source
        self.sink = sink
        self.state = "read"
        self.moved = 0

    def run(self, show: "Callable[[bytes], None] | None") -> str:
        """Move everything. Returns which end was reached: "source" (no more bytes) or "sink" (nobody reads)."""
        read, write, source, sink = os.read, os.write, self.source, self.sink
        while True:
            self.state = "read"
            try:
                chunk = read(source, CHUNK)
            except OSError:
                chunk = b""
            if not chunk:
                return "source"
            self.state = "write"
            try:
                sent = write(sink, chunk)
                while sent < len(chunk):
                    sent += write(sink, chunk[sent:])
            except OSError:
                return "sink"
            self.moved += len(chunk)
            if show is not None:
                show(chunk)
