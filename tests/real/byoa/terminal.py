"""A terminal with a program in it: a person types, and sees what the program draws."""

import asyncio
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Self

ROWS, COLUMNS = 40, 120
ENTER, CLEAR = "\r", "\x15"
TRIES, LOOKS, LOOK_EVERY, SETTLE = 6, 100, 0.1, 0.5
# What programs ask a terminal when they start, and what one says: its kind, and where the cursor is.
ANSWERS = {b"\x1b[c": b"\x1b[?62;c", b"\x1b[0c": b"\x1b[?62;c", b"\x1b[6n": b"\x1b[1;1R"}
LONGEST = max(map(len, ANSWERS)) - 1
CONTROL = re.compile(r"\x1b(?:\[[0-9;:?<=>]*[ -/]*[@-~]|[\]P_^][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_()][0-9A-Za-z]?)")


class Terminal:
    """`with Terminal(argv, environment, folder) as terminal:` runs the program until the end of the block."""

    def __init__(self, argv: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
        self._argv, self._environment, self._folder = list(argv), dict(environment), folder
        self._drawn = b""
        self._over = threading.Event()

    def __enter__(self) -> Self:
        self.pid, self._side = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))  # before anybody asks
            os.chdir(self._folder)
            os.execvpe(self._argv[0], self._argv, self._environment)  # noqa: S606  the program that is driven
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self._reader.join()
        os.close(self._side)

    async def enter(self, text: str, taken: Callable[[], object]) -> None:
        """Type a line as a person does: see it appear, send it, and see that it is `taken`.

        A program that just started, or that draws, may not listen yet, neither to letters nor to the key that sends.
        """
        end = len(self.drawn)
        for _ in range(TRIES):
            self.type(text)
            if await self.came(lambda: text[-12:] in self.drawn[end:]):
                await asyncio.sleep(SETTLE)  # what comes in one piece is taken as pasted
                return await self.press(ENTER, taken)
            self.type(CLEAR)
        raise TimeoutError(f"{text!r} was typed, and does not appear")

    async def press(self, key: str, taken: Callable[[], object]) -> None:
        """Press a key until it is `taken`."""
        for _ in range(TRIES):
            self.type(key)
            if await self.came(taken):
                return
        raise TimeoutError(f"{key!r} was pressed, and nothing came of it")

    async def came(self, condition: Callable[[], object]) -> bool:
        """Whether `condition` comes true within a few seconds."""
        for _ in range(LOOKS):
            if condition():
                return True
            await asyncio.sleep(LOOK_EVERY)
        return False

    def type(self, text: str) -> None:
        os.write(self._side, text.encode())

    @property
    def drawn(self) -> str:
        """Everything that was drawn so far, without the commands for the cursor."""
        return CONTROL.sub("", self._drawn.decode("utf-8", "replace"))

    def _read(self) -> None:
        rest = b""  # the beginning of a question, whose end comes in the next piece
        while not self._over.is_set():
            if not select.select([self._side], [], [], 0.1)[0]:
                continue
            try:
                piece = os.read(self._side, 1 << 16)
            except OSError:  # the program is over
                return
            self._drawn += piece
            rest += piece
            for question, answer in ANSWERS.items():
                if question in rest:
                    os.write(self._side, answer)
                    rest = rest.replace(question, b"")
            rest = rest[-LONGEST:]
