"""Attached to every Pi (or OMP) of this user that has our extension: each terminal is a session that apps can join.

The extension finds us by a private file that says where we listen; it comes, says which session it is in, and reports.
A lost line is the end of the session, here and there: nothing of a turn can be missing in between.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress

from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.core.ports import FilePort, HttpPort
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.byoa.sessions.acp_host import AcpHost
from agent_connector.byoa.sessions.acp_updates import Object, table, text
from agent_connector.byoa.sessions.extensions import announced
from agent_connector.byoa.sessions.meeting import meeting
from agent_connector.byoa.sessions.pi_session import PiSession
from agent_connector.byoa.sessions.workspace import workspace
from agent_connector.version import __version__

LOOK_AGAIN = 0.1
UNREAD_MOST = 8 << 20  # bytes that wait for an extension which reads nothing: it is given up


class Attachment:
    """`place` is the file that the extension looks for; `note` shows a line to the person here."""

    def __init__(self, host: str, place: str, files: FilePort, http: HttpPort, note: Callable[[str], None]) -> None:
        self.host = AcpHost(host, True, self._display)
        self.pairer = Pairer(self.host, files, SystemClock(), SystemRandom(), version=__version__)
        self.driver = Driver(self.pairer, self.host, http)
        self.sessions: dict[asyncio.StreamWriter, PiSession] = {}
        self._place = place
        self._note = note
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, first: Callable[[], Awaitable[None]]) -> None:
        """Until it is cancelled; no terminal finds us before `first` is over."""
        try:
            async with meeting(self._visit) as found:
                self._spawn(self.driver.run())
                await first()
                with announced(self._place, found):
                    await asyncio.Event().wait()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    # A terminal.

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await _line(reader):
                await self._take(line, writer)
                self.driver.wake()
        finally:
            self._close(writer)
            self.driver.wake()

    async def _take(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        try:
            told = table(json.loads(line))
        except ValueError:
            return
        session = self.sessions.get(writer)
        if told.get("type") == "session":
            await self._open(told, writer)
        elif session is not None and told.get("type") == "call":
            self._spawn(self._call(session, told, writer))
        elif session is not None:
            session.heard(told)

    async def _open(self, told: Object, writer: asyncio.StreamWriter) -> None:
        """A session; in a terminal that had one before, the person went on to another."""
        self._close(writer)
        if told.get("host") != self.host.id:
            return
        self.host.version = text(told.get("version")) or self.host.version
        place = await asyncio.to_thread(workspace, text(told.get("cwd")))
        session = PiSession(told, place, lambda message: _send(writer, message), self._note)
        session.handle = self.pairer.attach(session)
        self.sessions[writer] = session
        self._note(f"apps can join {session.title or 'the session'} in {place.path}")
        self._note("unless it is set to, it asks for nothing: what apps ask runs with your rights")
        self._spawn(self._offer(session, writer))

    def _close(self, writer: asyncio.StreamWriter) -> None:
        session = self.sessions.pop(writer, None)
        if session is not None and session.handle is not None:
            session.host_session_id = None
            session.handle.detach()

    # The apps' tools are the extension's.

    async def _offer(self, session: PiSession, writer: asyncio.StreamWriter) -> None:
        while session.handle is not None and self.sessions.get(writer) is session:
            tools = session.handle.tools()
            if tools is not None:
                told = [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in tools]
                _send(writer, {"type": "tools", "tools": told})
                return
            await asyncio.sleep(LOOK_AGAIN)

    async def _call(self, session: PiSession, told: Mapping[str, object], writer: asyncio.StreamWriter) -> None:
        if session.handle is None:
            return
        result = await self.driver.call(session.handle, text(told.get("name")), table(told.get("arguments")))
        content = [dict(block) for block in result.content]
        _send(writer, {"type": "result", "number": told.get("number"), "content": content, "isError": result.is_error})

    # What is shown.

    def _display(self, band: str | None, toast: str | None) -> None:
        for kind, line in (("band", band), ("toast", toast)):
            if line:
                self._note(line)
            if line is not None:
                for writer in self.sessions:
                    _send(writer, {"type": kind, "text": line})

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _send(writer: asyncio.StreamWriter, message: Object) -> None:
    if writer.transport.get_write_buffer_size() > UNREAD_MOST:
        writer.transport.abort()
    else:
        writer.write(json.dumps(dict(message)).encode() + b"\n")


async def _line(reader: asyncio.StreamReader) -> bytes:
    with suppress(ValueError, ConnectionError):
        return await reader.readline()
    return b""
