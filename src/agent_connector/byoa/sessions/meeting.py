"""A place on this machine where a process that we hand out finds us: no port, and nobody else's to enter.

A Unix socket in a folder with mode 0700, on Windows a named pipe; on both the caller has to say a key first.
"""

import asyncio
import hmac
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

SAY_KEY_WITHIN = 10.0
LINE = 64 << 20  # an image of a tool is one line
LONGEST_ADDRESS = 100  # bytes that the shortest of the systems takes for a socket's path

Visit = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Meeting:
    address: str
    key: str = field(repr=False)


@asynccontextmanager
async def meeting(visit: Visit) -> AsyncGenerator[Meeting]:
    """Callers that say the key are handed to `visit`, each in a task of its own, until the end of the block."""
    key = secrets.token_hex(16)
    guests: set[asyncio.Task[None]] = set()
    over = False

    async def receive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            guests.add(task)
            task.add_done_callback(guests.discard)
        try:
            async with asyncio.timeout(SAY_KEY_WITHIN):
                said = (await reader.readline()).strip()
            if hmac.compare_digest(said, key.encode()):
                await visit(reader, writer)
        except (TimeoutError, ValueError, ConnectionError):
            pass  # a caller that is nobody of ours, or has left
        except asyncio.CancelledError:
            if not over:
                raise
        finally:
            writer.close()

    async with _listening(receive) as address:
        try:
            yield Meeting(address, key)
        finally:
            over = True
            for task in list(guests):
                task.cancel()
            await asyncio.gather(*guests, return_exceptions=True)


@asynccontextmanager
async def _listening(receive: Visit) -> AsyncGenerator[str]:
    if sys.platform == "win32":
        address = rf"\\.\pipe\agent-connector-{secrets.token_hex(8)}"
        loop = asyncio.get_running_loop()

        def protocol() -> asyncio.StreamReaderProtocol:
            return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit=LINE), receive)

        servers = await loop.start_serving_pipe(protocol, address)  # type: ignore[attr-defined]
        try:
            yield address
        finally:
            for server in servers:
                server.close()
        return
    folder = _short_folder()
    try:
        address = os.path.join(folder, "s")
        server = await asyncio.start_unix_server(receive, address, limit=LINE)
        try:
            yield address
        finally:
            server.close()
            with suppress(OSError):
                os.unlink(address)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _short_folder() -> str:
    """A private folder whose path leaves room for a socket's name."""
    folder = tempfile.mkdtemp(prefix="byoa-")
    if len(os.fsencode(folder)) < LONGEST_ADDRESS:
        return folder
    os.rmdir(folder)
    return tempfile.mkdtemp(prefix="byoa-", dir="/tmp")  # mkdtemp makes it ours alone
