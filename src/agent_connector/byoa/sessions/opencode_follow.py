"""One running OpenCode: which of its sessions apps may join, and what becomes of it when the server is lost.

The session is the one that the person used last: no event tells which one their terminal shows, but a prompt does, and
so does a choice that is made for the terminal. Sessions of subagents never count. While a turn runs nothing changes.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.driver.loop import Driver
from agent_connector.byoa.sessions.acp_host import AcpHost
from agent_connector.byoa.sessions.acp_updates import Object, table, tables, text
from agent_connector.byoa.sessions.meeting import meeting
from agent_connector.byoa.sessions.opencode_server import Server, ServerError
from agent_connector.byoa.sessions.opencode_session import ANSWERED, ASKED, OpenCodeSession
from agent_connector.byoa.sessions.opencode_tools import Tools
from agent_connector.byoa.sessions.workspace import workspace

FIRST_WAIT, LONGEST_WAIT = 0.5, 5.0
GONE_AFTER = 15.0  # a server that does not come back in this time has taken its session with it


@dataclass(frozen=True, slots=True)
class Pairing:
    """What every OpenCode here shares; `note` shows a line to the person, `spawn` runs what takes time."""

    host: AcpHost
    pairer: Pairer
    driver: Driver
    note: Callable[[str], None]
    spawn: Callable[[Coroutine[object, object, None]], object]
    holders: dict[str, "Follower"] = field(default_factory=lambda: dict[str, Follower]())  # of each session


class Follower:
    """`pinned` keeps to one session; `start` is the one to begin with, None for the newest that there is."""

    def __init__(self, server: Server, pairing: Pairing, *, pinned: str = "", start: str | None = None) -> None:
        self.session: OpenCodeSession | None = None
        self._server = server
        self._pairing = pairing
        self._driver, self._note, self._spawn = pairing.driver, pairing.note, pairing.spawn
        self._pinned = pinned
        self._start = start
        self._wanted = ""  # the session that the person went to
        self._parents: dict[str, str] = {}  # "" for a session of the main loop
        self._tools = Tools(server, pairing.driver, pairing.note)

    async def run(self, over: Callable[[], bool] = lambda: False) -> None:
        """Until it is cancelled, or `over` says that the server cannot come back."""
        try:
            async with meeting(self._tools.visit) as self._tools.meeting:
                try:
                    await self._stay(over)
                finally:
                    await self._tools.withdraw()
        finally:
            self.close()
            await self._server.close()

    async def _stay(self, over: Callable[[], bool]) -> None:
        loop = asyncio.get_running_loop()
        wait, lost_at, told = FIRST_WAIT, loop.time(), ""
        while not over():
            try:
                async with aclosing(self._server.events()) as events:
                    async for event in events:
                        await self._take(event)
                        wait, told = FIRST_WAIT, ""
            except ServerError as problem:
                if over():
                    return
                if not told:
                    lost_at = loop.time()
                if str(problem) != told:
                    told = str(problem)
                    self._note(f"OpenCode at {self._server.url}: {told}; trying again")
                    if not problem.status and self.session is None:
                        self._note(f"it listens there when it is started with `opencode --port {self._server.port}`")
            if self.session is not None:
                self.session.heard = False
                if loop.time() - lost_at > GONE_AFTER:
                    self.close()
                    self._note(f"OpenCode at {self._server.url} is gone")
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    # Events.

    async def _take(self, event: Object) -> None:
        payload = table(event.get("payload"))
        kind, told = text(payload.get("type")), table(payload.get("properties"))
        if kind in ("server.connected", "server.instance.disposed", "global.disposed"):
            await self._connected()
        elif kind in ("session.created", "session.updated"):
            info = table(told.get("info"))
            self._parents[text(info.get("id"))] = text(info.get("parentID"))
        await self._follow(kind, told)
        session = self.session
        if session is not None:
            of = text(told.get("sessionID"))
            if of == session.id or (kind in (*ASKED, *ANSWERED) and await self._main(of) == session.id):
                session.event(kind, told)
            self._driver.wake()
        if self._wanted and (session is None or session.quiet):
            await self._open(self._wanted)

    async def _connected(self) -> None:
        self._pairing.host.version = text(table(await self._server.get("/global/health")).get("version"))
        session = self.session
        if session is not None:
            try:
                await session.catch_up()
                session.heard = True
            except ServerError as problem:
                if problem.status != 404:
                    raise
                self.close()
            else:
                self._spawn(self._tools.renew(session))
        if self.session is None:
            await self._open(self._pinned or await self._first())
        self._driver.wake()

    async def _first(self) -> str:
        return await self._newest() if self._start is None else await self._main(self._start)

    async def _newest(self) -> str:
        """The session of the server's project that was used last."""
        found = tables(await self._server.get("/session", roots="true", limit="1"))
        return text(found[0].get("id")) if found else ""

    async def _follow(self, kind: str, told: Object) -> None:
        """Where the person goes: a prompt of theirs, a choice made for their terminal."""
        of = text(told.get("sessionID"))
        if kind == "session.deleted" and self.session is not None and of == self.session.id:
            self.close()
            self._start = None if self._start is None else ""
            self._wanted = self._pinned or await self._first()
        elif self._pinned or (self.session is not None and of == self.session.id):
            return
        elif (kind == "tui.session.select" or _is_prompt(kind, told)) and await self._main(of) == of:
            self._wanted = of

    async def _main(self, id: str) -> str:
        """The session of the main loop that `id` belongs to."""
        while id:
            if id not in self._parents:
                try:
                    info = table(await self._server.get(f"/session/{id}"))
                except ServerError as problem:
                    if not problem.status:
                        raise
                    return ""
                self._parents[id] = text(info.get("parentID"))
            if not self._parents[id]:
                return id
            id = self._parents[id]
        return ""

    # The session.

    async def _open(self, id: str) -> None:
        self._wanted = ""
        if not id or (self.session is not None and self.session.id == id):
            return
        info = table(await self._server.get(f"/session/{id}"))
        place = await asyncio.to_thread(workspace, text(info.get("directory")))
        session = OpenCodeSession(self._server, info, place, self._spawn, self._driver.wake, self._note)
        self.close()
        handle = self._pairing.pairer.attach(session)
        try:
            await session.begin(handle, self._tools.names)
        except ServerError:
            handle.detach()
            raise
        session.heard = True
        if (other := self._pairing.holders.get(id)) is not None:
            other.close()  # the same conversation in two terminals: the one that was prompted last has it
        self._pairing.holders[id] = self
        self.session = session
        self._note(f"apps can join {session.title or session.id} in {session.directory}")
        if session.unasked:
            self._note(f"OpenCode does this without asking here: {', '.join(session.unasked)}; so it does for apps")
        self._spawn(self._tools.offer(session))

    def close(self) -> None:
        """No session of this OpenCode can be joined, until the person goes to one."""
        session, self.session = self.session, None
        if session is not None:
            self._pairing.holders.pop(session.id, None)
            session.gone = True
            if session.handle is not None:
                session.handle.detach()
            self._driver.wake()

    async def toast(self, line: str) -> None:
        """In OpenCode's terminal, where one is open."""
        session = self.session
        where = {"directory": session.directory} if session is not None else {}
        body = {"title": "agent-connector", "message": line, "variant": "info"}
        with suppress(ServerError):
            await self._server.post("/tui/show-toast", body, **where)


def _is_prompt(kind: str, told: Object) -> bool:
    return kind == "message.updated" and table(told.get("info")).get("role") == "user"
