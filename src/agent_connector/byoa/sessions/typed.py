"""Lines that the person types, without holding up anything else: a thread reads, the event loop gets whole lines.

It reads below Python's buffer: a thread that sits in the buffer would hold its lock when the program ends.
"""

import asyncio
import sys
import threading
from typing import Any, cast

CHUNK = 1 << 16


class Typed:
    """`await line()` gives the next line, None at the end of the input."""

    def __init__(self) -> None:
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()

    def start(self, stream: Any = None) -> None:
        """Read `stream` (a text file over a real one), which is the standard input unless it is given."""
        buffer = cast("Any", stream or sys.stdin).buffer
        raw = getattr(buffer, "raw", buffer)
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(raw, loop), name="typed lines", daemon=True).start()

    def feed(self, line: str | None) -> None:
        self._lines.put_nowait(line)

    async def line(self) -> str | None:
        return await self._lines.get()

    def _read(self, raw: Any, loop: asyncio.AbstractEventLoop) -> None:
        held = b""
        try:
            while piece := raw.read(CHUNK):
                *lines, held = (held + piece).split(b"\n")
                for line in lines:
                    loop.call_soon_threadsafe(self.feed, line.decode("utf-8", "replace").rstrip("\r"))
            if held:
                loop.call_soon_threadsafe(self.feed, held.decode("utf-8", "replace"))
        except (OSError, ValueError):
            pass  # the terminal is gone, which is an end as well
        except RuntimeError:
            return  # the loop is over
        try:
            loop.call_soon_threadsafe(self.feed, None)
        except RuntimeError:
            return
