"""A host without an agent: a scripted session on the real pairer, with real files and real HTTP. For demos and browser tests.

host = ScriptedHost(home)
running = asyncio.create_task(host.driver.run())
link, code = await host.invitation(origin)
session = host.attach(FakeSession())
"""

import asyncio
from dataclasses import dataclass, field

from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.driver.http import HttpxPort
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.byoa.sessions import pairings
from agent_connector.testing.byoa import FakeHost, FakeSession
from agent_connector.version import __version__


def read_invitation(text: str) -> tuple[str, str] | None:
    """Link and code in what a pairer says."""
    told = dict(line.split(maxsplit=1) for line in text.splitlines() if line.startswith(("  open ", "  code ")))
    return (told["open"], told["code"]) if len(told) == 2 else None


class ScriptedHost:
    def __init__(self, home: str, *, id: str = "scripted", machine: str = "laptop") -> None:
        self.http = HttpxPort()
        self.shown = FakeHost(id=id, machine_name=machine)
        files = RealFiles(pairings.root(home))
        pairer = Pairer(self.shown, files, SystemClock(), SystemRandom(), version=__version__)
        self.driver = Driver(pairer, self.shown, self.http)
        self.said: list[str] = []
        self._connecting: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Until it is cancelled."""
        try:
            await self.driver.run()
        finally:
            for task in self._connecting:
                task.cancel()
            await asyncio.gather(*self._connecting, return_exceptions=True)
            await self.http.close()

    async def invitation(self, address: str) -> tuple[str, str]:
        """Ask to be paired, and give the link and the code that the terminal would show."""
        found: asyncio.Future[tuple[str, str]] = asyncio.get_running_loop().create_future()

        async def connect() -> None:
            async for said in self.driver.connect(address):
                self.said.append(said.text)
                invitation = read_invitation(said.text)
                if invitation is not None and not found.done():
                    found.set_result(invitation)
                elif not found.done():
                    found.set_exception(ConnectionError(said.text))

        task = asyncio.create_task(connect())
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)
        return await found

    def attach(self, session: FakeSession) -> Handle:
        session.handle = self.driver.pairer.attach(session)
        self.driver.wake()
        return session.handle


@dataclass
class PlayingSession(FakeSession):
    """A session that answers by itself: it writes a note with the app's tool and says so, word by word."""

    host: ScriptedHost | None = None
    pace: float = 0.12
    _playing: "asyncio.Task[None] | None" = field(default=None, repr=False)

    def submit(self, prompt: str) -> None:
        super().submit(prompt)
        self._playing = asyncio.get_running_loop().create_task(self._play())

    def abort(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
        super().abort()

    async def _play(self) -> None:
        host, handle = self.host, self.reports
        if host is None:
            return
        await asyncio.sleep(self.pace)
        self.begin()
        await self._say("I am a script and no model, but everything else is real. ")
        tools = handle.tools() or ()
        if tools:
            handle.tool(tools[0].name)
            given = {"title": "From your agent", "body": "Written through the tool that this app offers."}
            result = await host.driver.call(handle, tools[0].name, {"tool": "add", "arguments": given})
            told = " ".join(str(block.get("text", "")) for block in result.content)
            await self._say(f"I wrote a note for you. The app says: {told} ")
        await self._say("Stop me, or ask again.")
        self.end()
        host.driver.wake()

    async def _say(self, text: str) -> None:
        for word in text.split(" "):
            self.reports.delta(f"{word} " if word else "")
            if self.host is not None:
                self.host.driver.wake()
            await asyncio.sleep(self.pace)
