"""Reads both outputs of a program in threads of their own and hands on what they hold, one thing at a time."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import IO

from agent_connector.drive.events import Job, RunEvent, Said, Thought
from agent_connector.drive.lines import CHUNK, PIECE, WHOLE, Part, lines, pieces
from agent_connector.drive.outcome import Tally

TAIL = 32_768  # characters that are kept of stderr and of the last lines of stdout
JOINED = 16_384  # characters of pieces that are joined before they are handed out
OnEvent = Callable[[RunEvent], None]
OnLine = Callable[[str, str], None]
# A whole line: the events in it, the type of a record that says nothing, or None: it is text.
Take = Callable[[str], Sequence[RunEvent] | str | None]


class Tail:
    """The last of a stream."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def add(self, text: str, end: str) -> None:
        self._parts += (text, end)
        self._size += len(text) + 1
        if self._size > 4 * TAIL:
            self._parts = ["".join(self._parts)[-TAIL:]]
            self._size = TAIL

    def __str__(self) -> str:
        return "".join(self._parts)[-TAIL:].rstrip("\n")


class Reader:
    """`take` reads the lines of stdout; all others are text. Nothing is handed out after `close`."""

    def __init__(self, take: Take, on_event: OnEvent | None, on_line: OnLine | None, keep: int, job: Job) -> None:
        self.tally = Tally(keep, resumed=job.resume is not None, spent=job.spent)
        self.tails = {"stdout": Tail(), "stderr": Tail()}
        self._take, self._on_event, self._on_line = take, on_event, on_line
        self._one = threading.Lock()
        self._open = True
        self._at = time.monotonic()
        self._busy = 0
        self._pieces: list[Said | Thought] = []
        self._joined = 0
        self._threads: list[threading.Thread] = []
        self.failed: BaseException | None = None  # what a callback raised

    def start(self, stdout: IO[bytes], stderr: IO[bytes]) -> None:
        for channel, pipe, whole in (("stdout", stdout, WHOLE), ("stderr", stderr, PIECE)):
            thread = threading.Thread(target=self._read, args=(channel, pipe, whole), daemon=True)
            self._threads.append(thread)
            thread.start()

    @property
    def quiet(self) -> float:
        """Seconds since the last line; none while one is being handed on, however long that takes."""
        return 0.0 if self._busy else time.monotonic() - self._at

    def drain(self, seconds: float, most: float) -> None:
        """Wait until all is read, unless nothing comes for `seconds`: somebody may hold the pipe open, and even write."""
        late = time.monotonic() + most
        for thread in self._threads:
            while thread.is_alive() and self.quiet < seconds and time.monotonic() < late:
                thread.join(0.05)

    def close(self, rest: Callable[[], Sequence[RunEvent]] = tuple) -> None:
        """Hand out what was kept back, then the `rest`; what comes later is nobody's. Raises what a callback raised."""
        with self._one:
            if self._open:
                self.give(rest())
                self._flush()
            self._open = False
        if self.failed is not None:
            raise self.failed

    def give(self, events: Sequence[RunEvent], weight: int = 0) -> None:
        """Events that came from elsewhere than a line. Only from inside `take`, or before `close`."""
        for event in events:
            self._event(event, weight)

    # ---- in the threads

    def _read(self, channel: str, pipe: IO[bytes], whole: int) -> None:
        with pipe:
            for text, part in lines(partial(os.read, pipe.fileno(), CHUNK), whole):
                with self._one:
                    if not self._open:
                        return
                    self._busy += 1
                    try:
                        self._line(channel, text, part)
                    except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for the run
                        self.failed, self._open = error, False
                        return
                    finally:
                        self._at = time.monotonic()
                        self._busy -= 1

    def _line(self, channel: str, text: str, part: Part) -> None:
        self.tails[channel].add(text, "" if part is Part.MORE else "\n")
        found = self._take(text) if channel == "stdout" and part is Part.ALL else None
        if found is None:
            if channel == "stdout":
                self._flush()
            if self._on_line:
                for piece in pieces(text, part):
                    self._on_line(channel, piece)
        elif isinstance(found, str):
            self.tally.pass_over(found)
        else:
            self.give(found, len(text))

    def _event(self, event: RunEvent, weight: int) -> None:
        """Pieces of one text wait for the rest of it."""
        if isinstance(event, Said | Thought) and event.piece:
            last = self._pieces[-1] if self._pieces else None
            if last is not None and (type(last) is not type(event) or last.parent != event.parent):
                self._flush()
            self._pieces.append(event)
            self._joined += len(event.text)
            if self._joined >= JOINED:
                self._flush()
            return
        self._flush()
        self._hand_out(event, weight)

    def _flush(self) -> None:
        if self._pieces:
            text = "".join(piece.text for piece in self._pieces)
            event = replace(self._pieces[0], text=text, piece=False)
            self._pieces.clear()
            self._joined = 0
            if text:
                self._hand_out(event, len(text))

    def _hand_out(self, event: RunEvent, weight: int) -> None:
        self.tally.add(event, weight)
        if self._on_event:
            self._on_event(event)
