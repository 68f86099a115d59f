"""`byoa run`: an agent, a conversation with it in this terminal, and the apps that join.

    room = Room(launch, cwd, environment, files, screen, http, interactive=True)
    await room.run(typed, apps)

The person's lines are prompts, but for those that begin with `/byoa` and the answers to questions.
"""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, suppress

from acp.schema import EnvVariable, McpServerStdio

from agent_connector.byoa.core.addresses import meant
from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.core.ports import FilePort, HttpPort
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.byoa.sessions import inert, pairings, tool_server
from agent_connector.byoa.sessions.acp_agent import Agent, AgentError
from agent_connector.byoa.sessions.acp_commands import COMMAND, obey, tell
from agent_connector.byoa.sessions.acp_host import AcpHost, Launch
from agent_connector.byoa.sessions.acp_session import AcpSession
from agent_connector.byoa.sessions.acp_turn import Screen
from agent_connector.byoa.sessions.acp_updates import SERVER, Object
from agent_connector.byoa.sessions.meeting import Meeting, meeting
from agent_connector.byoa.sessions.relay import KEY
from agent_connector.byoa.sessions.typed import Typed
from agent_connector.byoa.sessions.workspace import workspace
from agent_connector.errors import HostError
from agent_connector.version import __version__

TWICE_WITHIN = 2.0
LOOK_FOR_TOOLS = 0.1


class Room:
    def __init__(
        self,
        launch: Launch,
        cwd: str,
        environment: Mapping[str, str],
        files: FilePort,
        screen: Screen,
        http: HttpPort,
        *,
        interactive: bool,
    ) -> None:
        self.host = AcpHost(launch.host, interactive, self._display)
        self.pairer = Pairer(self.host, files, SystemClock(), SystemRandom(), version=__version__)
        self.driver = Driver(self.pairer, self.host, http)
        self.session: AcpSession | None = None
        self.agent = Agent(launch.name, self._heard, self._asked)
        self._launch = launch
        self._files = files
        self._cwd = cwd
        self._environment = environment
        self.screen = screen
        self._inert = inert.of(launch.host)
        self._meeting: Meeting | None = None
        self._visited: tool_server.Serving | None = None
        self._leaving = asyncio.Event()
        self._interrupted_at = float("-inf")
        self._watching: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, typed: Typed, apps: Sequence[str] = ()) -> None:
        """Until the person leaves. Raises HostError when the agent cannot be started."""
        async with AsyncExitStack() as stack:
            self._meeting = await stack.enter_async_context(meeting(self._visit))
            stack.push_async_callback(self._clear)
            await self._start()
            self._spawn(self.driver.run())
            for address in self._unpaired(apps):
                if not await self._until_left(tell(self, self.driver.connect(address))):
                    return
            await self._open()
            await self._listen(typed)

    def interrupt(self) -> None:
        """Ctrl-C."""
        now = asyncio.get_running_loop().time()
        if now - self._interrupted_at < TWICE_WITHIN:
            self._leaving.set()
        elif self.session is not None and self.session.interrupt():
            self.screen.note("stopping")
        else:
            self.screen.note("Ctrl-C again leaves")
        self._interrupted_at = now

    def leave(self) -> None:
        self._leaving.set()

    # The person.

    async def _listen(self, typed: Typed) -> None:
        while True:
            line = asyncio.ensure_future(typed.line())
            if not await self._until_left(line):
                return
            if line.result() is None:
                await self._out_of_lines()
                return
            self.screen.typed()
            self._take(line.result() or "")

    def _take(self, line: str) -> None:
        session = self.session
        first = line.split(maxsplit=1)[0] if line.strip() else ""
        if first == COMMAND:
            self._spawn(self._command(line.split()[1:]))
        elif session is not None and session.questions:
            self._answer(session, line.strip())
        elif not first:
            return
        elif session is None or session.host_session_id is None:
            self.screen.note(f"{self.agent.name} is not running: `{COMMAND} restart` starts it again")
        else:
            session.typed(line)

    def _answer(self, session: AcpSession, line: str) -> None:
        question = session.questions.oldest
        if line.isascii() and line.isdigit() and 0 < int(line) <= len(question.choices):
            session.questions.answer(question.choices[int(line) - 1].id)
        else:
            self.screen.ask(question)

    async def _command(self, words: Sequence[str]) -> None:
        try:
            await obey(self, words)
        except HostError as error:
            self.screen.note(str(error))

    async def _out_of_lines(self) -> None:
        """A terminal that is closed is left. Else what was asked is finished, and what needs an answer is refused."""
        if self.host.is_interactive:
            return
        while (session := self.session) is not None and session.busy and not self._leaving.is_set():
            while session.questions:
                session.questions.refuse()
            await asyncio.sleep(LOOK_FOR_TOOLS)

    # The apps.

    def _unpaired(self, apps: Sequence[str]) -> list[str]:
        paired = {app.origin for app in pairings.look(self._files, self.host.id).apps}
        return [address for address in apps if str(meant(address)) not in paired]

    def _display(self, band: str | None, toast: str | None) -> None:
        for text in (band, toast):
            if text:
                self.screen.note(text)

    async def _visit(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._visited is not None:
            await tool_server.serve(self._visited, reader, writer)

    # The agent.

    async def _start(self) -> None:
        self.screen.note(f"starting {self._launch.name}")
        await self.agent.start(self._launch.argv, self._cwd, self._environment)
        self.host.version = self.agent.version
        self._watching = self._spawn(self._watch(self.agent))

    async def new(self) -> None:
        """Another conversation with the same agent."""
        await self._close_session()
        await self._open()

    async def restart(self) -> None:
        await self._close_session()
        await self._close_agent()
        self.agent = Agent(self._launch.name, self._heard, self._asked)
        await self._start()
        await self._open()

    async def _watch(self, agent: Agent) -> None:
        code = await agent.gone()
        if self.session is not None:
            self.session.ended()
        said = "\n  ".join([f"{agent.name} has ended (exit code {code})", *agent.errors])
        self.screen.note(f"{said}\n`{COMMAND} restart` starts it again")

    async def _open(self) -> None:
        """A new conversation. The apps' tools are handed over here and stay as they are for its life."""
        place = await asyncio.to_thread(workspace, self._cwd)
        session = AcpSession(self.agent, place, self._inert, self.screen, self.driver.wake)
        handle = session.handle = self.pairer.attach(session)
        self.session = session
        tools = await self._tools(handle)
        self._visited = tool_server.server(tools, lambda name, given: self.driver.call(handle, name, given))
        try:
            answer = await self.agent.open(self._cwd, self._servers(tools))
        except AgentError as error:
            await self._close_session()
            raise HostError(
                str(error), remedy=f"Open {self._launch.name} itself once: sign in, trust the folder."
            ) from None
        await session.opened(answer, [tool.name for tool in tools])
        self.screen.note(f"{self._launch.name} {self.agent.version} is ready; `{COMMAND}` helps")
        self.screen.over()

    async def _tools(self, handle: Handle) -> tuple[ProxiedTool, ...]:
        if not self.host.is_interactive:
            return ()
        while (found := handle.tools()) is None:
            await asyncio.sleep(LOOK_FOR_TOOLS)
        return found

    def _servers(self, tools: Sequence[ProxiedTool]) -> list[McpServerStdio]:
        if not tools or self._meeting is None:
            return []
        program, arguments = tool_server.command(self._meeting.address)
        return [
            McpServerStdio(
                name=SERVER, command=program, args=arguments, env=[EnvVariable(name=KEY, value=self._meeting.key)]
            )
        ]

    def _heard(self, params: Object) -> None:
        if self.session is not None:
            self.session.heard(params)

    async def _asked(self, params: Object) -> str | None:
        return None if self.session is None else await self.session.asked(params)

    # The end.

    async def _close_session(self) -> None:
        session, self.session = self.session, None
        if session is not None:
            if session.handle is not None:
                session.handle.detach()
                self.driver.wake()
            await session.close()

    async def _close_agent(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
        await self.agent.close()

    async def _clear(self) -> None:
        await self._close_session()
        await self._close_agent()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _until_left(self, work: "Coroutine[object, object, None] | asyncio.Future[str | None]") -> bool:
        """Whether `work` came to its end before the person left."""
        task: asyncio.Future[object] = asyncio.ensure_future(work)  # type: ignore[arg-type]
        leaving = asyncio.ensure_future(self._leaving.wait())
        try:
            await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            return task.done() and not self._leaving.is_set()
        finally:
            for each in (task, leaving):
                if not each.done():
                    each.cancel()
                    with suppress(asyncio.CancelledError):
                        await each

    def _spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        """Nobody waits for these tasks: a fault in one is told here, and the session goes on."""
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self.screen.note(f"a fault of agent-connector itself: {type(fault).__name__}: {fault}")
