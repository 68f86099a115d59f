"""Where the hooks of a session find its pairer: the other end of `runtime/byoa_door.py`.

One line comes in and one goes back. On POSIX each name is a Unix socket in a folder with mode 0700; on Windows it is
a file in the person's profile that says which named pipe is ours, since the name of a pipe can be taken by anyone.
"""

import asyncio
import errno
import os
import secrets
import socket
import stat
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from agent_connector.errors import AgentConnectorError
from agent_connector.runtime import byoa_door

SAY_WITHIN = 5.0
LEFT_OVER = 60.0  # seconds after which a name that nobody answers to is one that a killed pairer has left


class DoorError(AgentConnectorError):
    """The place where hooks would find us cannot be used."""


class Door:
    """Hands each hook to `visit`, which answers it now or later."""

    def __init__(self, folder: str, visit: Callable[["Caller"], None]) -> None:
        self._folder = folder
        self._visit = visit
        self._names: list[str] = []
        self._servers: list[asyncio.Server] = []
        self._pipes: list[object] = []
        self._address = ""
        self._guests: set[asyncio.Task[None]] = set()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)

    async def open(self, name: str) -> bool:
        """Be found under this name. False: a pairer that lives has it."""
        if name in self._names:
            return True
        if not self._names:
            private(self._folder)
            _tidy(self._folder)
        done = await (self._pipe(name) if sys.platform == "win32" else self._socket(name))
        if done:
            self._names.append(name)
        return done

    async def close(self) -> None:
        for server in self._servers:
            server.close()
        for pipe in self._pipes:
            pipe.close()  # type: ignore[attr-defined]
        for name in self._names:
            with suppress(OSError):
                os.unlink(os.path.join(self._folder, name))
        for task in list(self._guests):
            task.cancel()
        await asyncio.gather(*self._guests, return_exceptions=True)

    async def _socket(self, name: str) -> bool:
        with _inside(self._folder) as path_of:
            path = path_of(name)
            if _answers(path):
                return False
            with suppress(FileNotFoundError):
                os.unlink(path)
            listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                listening.bind(path)
                os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)
                listening.listen()
            except OSError as problem:
                listening.close()
                if problem.errno == errno.EADDRINUSE:
                    return False
                raise
        listening.setblocking(False)
        self._servers.append(await asyncio.start_unix_server(self._meet, sock=listening, limit=byoa_door.LARGEST))
        return True

    async def _pipe(self, name: str) -> bool:
        if not self._address:
            self._address = f"{byoa_door.PIPES}agent-connector-{secrets.token_hex(16)}"
            loop = asyncio.get_running_loop()

            def protocol() -> asyncio.StreamReaderProtocol:
                return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=byoa_door.LARGEST), self._meet)

            self._pipes += await loop.start_serving_pipe(protocol, self._address)  # type: ignore[attr-defined]
        _put(self._folder, name, self._address)
        return True

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._guests.add(task)
            task.add_done_callback(self._guests.discard)
        try:
            async with asyncio.timeout(SAY_WITHIN):
                line = await reader.readline()
            if line.endswith(b"\n"):
                await Caller(line, writer).meet(self._visit, reader)
        except (TimeoutError, ValueError, ConnectionError):
            pass  # nobody of ours, or gone
        finally:
            writer.close()


def _put(folder: str, name: str, text: str) -> None:
    temporary = os.path.join(folder, f"{secrets.token_hex(8)}.tmp")
    with open(temporary, "x", encoding="ascii") as file:
        file.write(text)
    os.replace(temporary, os.path.join(folder, name))


class Caller:
    """A hook that waits for its answer."""

    def __init__(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        self.line = line
        self.when_gone: Callable[[], None] = lambda: None
        self._writer = writer
        self._answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def answer(self, line: bytes) -> None:
        if not self._answer.done():
            self._answer.set_result(line)

    async def meet(self, visit: Callable[["Caller"], None], reader: asyncio.StreamReader) -> None:
        visit(self)
        leaving = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait((self._answer, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not self._answer.done():
                self.when_gone()
                return
            self._writer.write(self._answer.result() + b"\n")
            await self._writer.drain()
        finally:
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)


def private(folder: str) -> None:
    """Make the folder, and be sure that it is nobody else's."""
    os.makedirs(folder, 0o700, exist_ok=True)
    if sys.platform == "win32":
        return
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise DoorError("this folder is a link, no folder, or somebody else's", where=folder, remedy="Remove it.")
    if stat.S_IMODE(found.st_mode) & 0o077:
        os.chmod(folder, 0o700)


class _inside:
    """The path by which a socket of the folder is bound: systems take about a hundred bytes, so a long one is entered."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._before: int | None = None

    def __enter__(self) -> Callable[[str], str]:
        if len(os.fsencode(self._folder)) + 70 <= byoa_door.LONGEST_ADDRESS:
            return lambda name: os.path.join(self._folder, name)
        self._before = os.open(".", os.O_RDONLY)
        os.chdir(self._folder)
        return lambda name: name

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            os.fchdir(self._before)
            os.close(self._before)


def _tidy(folder: str) -> None:
    """Take away what pairers have left that were killed."""
    oldest = time.time() - LEFT_OVER
    with _inside(folder) as path_of:
        for name in os.listdir(folder):
            path = path_of(name)
            with suppress(OSError):
                if os.lstat(path).st_mtime < oldest and not _answers(path):
                    os.unlink(path)


def _answers(path: str) -> bool:
    """Whether somebody listens there."""
    if sys.platform == "win32":
        return _has_pipe(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(1.0)
        try:
            link.connect(path)
        except OSError:
            return False
        return True


def _has_pipe(path: str) -> bool:
    try:
        with open(path, encoding="ascii") as told, open(told.read(200), "r+b", 0):
            return True
    except (OSError, ValueError):
        return False
