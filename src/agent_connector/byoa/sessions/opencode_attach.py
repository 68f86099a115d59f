"""Attached to OpenCode: to every one whose plugin finds us, or to one that listens at an address.

The plugin finds us by a private file that says where we listen, and carries our requests to the server inside of its
process: the person starts OpenCode as ever, and no port is open.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine

from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.core.ports import FilePort, HttpPort
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.byoa.sessions.acp_host import AcpHost
from agent_connector.byoa.sessions.acp_updates import table, text
from agent_connector.byoa.sessions.extensions import announced
from agent_connector.byoa.sessions.meeting import meeting
from agent_connector.byoa.sessions.opencode_follow import Follower, Pairing
from agent_connector.byoa.sessions.opencode_server import Server
from agent_connector.byoa.sessions.opencode_tunnel import Tunnel
from agent_connector.version import __version__

HOST = "opencode"
INSIDE = "http://127.0.0.1"  # stands for the server inside of a process: nothing is ever connected to it


class Attachment:
    """`at` is the server to use, or the file that plugins look for; `note` shows a line to the person here.

    What concerns a session is shown in OpenCode's terminal too.
    """

    def __init__(
        self, at: Server | str, files: FilePort, http: HttpPort, note: Callable[[str], None], session: str = ""
    ) -> None:
        self.host = AcpHost(HOST, True, self._display)
        self.pairer = Pairer(self.host, files, SystemClock(), SystemRandom(), version=__version__)
        self.driver = Driver(self.pairer, self.host, http)
        self.followers: list[Follower] = []
        self._at = at
        self._note = note
        self._session = session
        self._pairing = Pairing(self.host, self.pairer, self.driver, note, self._spawn)
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, first: Callable[[], Awaitable[None]]) -> None:
        """Until it is cancelled; no session is opened before `first` is over."""
        try:
            self._spawn(self.driver.run())
            await first()
            if isinstance(self._at, str):
                async with meeting(self._visit) as found:
                    with announced(self._at, found):
                        await asyncio.Event().wait()
            else:
                await self._follow(Follower(self._at, self._pairing, pinned=self._session))
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A plugin: its first line says which session was prompted last there, if one was."""
        hello = table(json.loads(await reader.readline()))
        tunnel = Tunnel(reader, writer)
        bringing = asyncio.create_task(tunnel.run())
        try:
            follower = Follower(
                Server(INSIDE, {}, tunnel), self._pairing, pinned=self._session, start=text(hello.get("session"))
            )
            await self._follow(follower, lambda: tunnel.lost)
        finally:
            bringing.cancel()
            await asyncio.gather(bringing, return_exceptions=True)

    async def _follow(self, follower: Follower, over: Callable[[], bool] = lambda: False) -> None:
        self.followers.append(follower)
        try:
            await follower.run(over)
        finally:
            self.followers.remove(follower)
            self.driver.wake()

    def _display(self, band: str | None, toast: str | None) -> None:
        for line in (band, toast):
            if line:
                self._note(line)
                for follower in self.followers:
                    self._spawn(follower.toast(line))

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
