"""The pairer of one process of Claude Code: its session, the hooks that tell of it, the person's `/byoa`, the apps' tools.

pair = ClaudePair(environment, folder, files, http)
await pair.run(reader, send)         # until the host closes the server's input
"""

import asyncio
import json
import platform
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from agent_connector.byoa.core.effects import CallResult
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.core.ports import FilePort, HttpPort
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.byoa.protocol import Workspace
from agent_connector.byoa.sessions import claude_hooks
from agent_connector.byoa.sessions.claude_door import Caller, Door
from agent_connector.byoa.sessions.claude_hooks import Answer, Hook
from agent_connector.byoa.sessions.claude_person import LONGEST_WAIT, Person
from agent_connector.byoa.sessions.claude_session import CAP, ClaudeSession
from agent_connector.byoa.sessions.claude_tools import ToolServer
from agent_connector.byoa.sessions.workspace import workspace
from agent_connector.runtime import byoa_door
from agent_connector.runtime.serve import STARTER
from agent_connector.version import __version__

HOST = "claude-code"
TERMINAL = "cli"  # the entry point of a session that has its person before it; `-p` and the SDKs have others
HOLD = 1.0
HOLD_VARIABLE = "AGENT_CONNECTOR_BYOA_HOLD"
CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
LOOK_EVERY = 1.0
GIT_EVERY = 60.0
TOOLS_WITHIN = 8.0
TOOLS_STEP = 0.1
LAST_WORDS_STEP = 0.05
LAST_WORDS = 2.0  # seconds for what still has to reach the apps at the end
SHOWN = ("SessionStart", "Stop", "UserPromptSubmit")  # whose answers may carry news


@dataclass
class ClaudeHost:
    """The `HostAdapter`."""

    attended: Callable[[], bool]
    news: Callable[[str], None]
    id: str = HOST
    version: str = ""
    machine_name: str = field(default_factory=lambda: platform.node() or "this machine")

    @property
    def is_interactive(self) -> bool:
        return self.attended()

    def display(self, band: str | None, toast: str | None) -> None:
        """The prompt itself says whose it is; what is said once goes to the person."""
        if toast:
            self.news(toast)


class ClaudePair:
    def __init__(self, environment: Mapping[str, str], folder: str, files: FilePort, http: HttpPort) -> None:
        terminal = environment.get("CLAUDE_CODE_ENTRYPOINT") == TERMINAL
        self.host = ClaudeHost(lambda: terminal and self.session.attended, lambda text: self.person.news.add(text))
        self.pairer = Pairer(self.host, files, SystemClock(), SystemRandom(), version=__version__)
        self.driver = Driver(self.pairer, self.host, http)
        self.person = Person(self.driver, self._remarks, self._keep_open)
        self.session = ClaudeSession(
            self._workspace,
            self._later,
            session=environment.get("CLAUDE_CODE_SESSION_ID") or None,
            folder=environment.get("CLAUDE_PROJECT_DIR") or "",
            cap=int(_number(environment.get(CAP_VARIABLE), CAP)),
        )
        self.session.handle = self.pairer.attach(self.session)
        self.door = Door(folder, self._visit)
        self._own_pid = environment.get(STARTER, "")
        self._hold = min(_number(environment.get(HOLD_VARIABLE), HOLD), LONGEST_WAIT)
        self._places: dict[str, Workspace] = {}
        self._tasks: set[asyncio.Task[object]] = set()

    async def run(self, reader: asyncio.StreamReader, send: Callable[[bytes], None]) -> None:
        server = ToolServer(self._tools, self._call, self._met, send)
        running = [asyncio.create_task(work) for work in (self.driver.run(), self._look(), self._look_at_git())]
        try:
            for name in self._names():
                await self.door.open(name)
            await server.run(reader)
            self.session.reports.detach()
            await self._last_words()
        finally:
            await self.door.close()
            await self.person.close()
            for task in (*running, *self._tasks):
                task.cancel()
            await asyncio.gather(*running, *self._tasks, return_exceptions=True)

    async def _last_words(self) -> None:
        """What the apps have still to be told leaves, if they take it soon."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                self.driver.tick()
                while self.session.reports.leaving:
                    await asyncio.sleep(LAST_WORDS_STEP)
                    self.driver.tick()

    def _names(self) -> list[str]:
        session = self.session.host_session_id
        names = [byoa_door.by_process(self._own_pid)] if self._own_pid else []
        return [*names, *([byoa_door.by_session(session)] if session else [])]

    # Hooks.

    def _visit(self, caller: Caller) -> None:
        try:
            hook = claude_hooks.read(json.loads(caller.line))
        except (ValueError, RecursionError):
            hook = None
        if hook is None or (self._own_pid and hook.pid and hook.pid != self._own_pid):
            caller.answer(b"")  # none of this process: two may have resumed one session
            return
        self._know(hook)
        if hook.event == "UserPromptExpansion":
            self._spawn(self._command(caller, hook))
            return

        def answer(said: Answer | None) -> None:
            news = self.person.news.take() if hook.event in SHOWN else ""
            caller.answer(_spelled(claude_hooks.with_news(said, news)))

        caller.when_gone = lambda: self.session.gone(answer)
        self.session.heard(hook, answer)
        self.driver.tick()
        if self.session.holding:
            wait = self._hold if self.session.reports.listening else 0.0
            asyncio.get_running_loop().call_later(wait, self.session.let, answer)

    def _know(self, hook: Hook) -> None:
        """From now on hooks find us by the host's process too: the session's id changes with `/clear`."""
        if not self._own_pid and hook.pid.isdigit():
            self._own_pid = hook.pid
            self._spawn(self.door.open(byoa_door.by_process(hook.pid)))

    async def _command(self, caller: Caller, hook: Hook) -> None:
        caller.answer(_spelled(claude_hooks.told(await self.person.command(hook.words))))

    # What the session needs.

    def _later(self, deed: Callable[[], None]) -> None:
        def then() -> None:
            deed()
            self.driver.wake()

        asyncio.get_running_loop().call_soon(then)

    def _workspace(self, folder: str) -> Workspace:
        """Git is asked once for each folder: this is read at every tick."""
        if not folder:
            return Workspace()
        if folder not in self._places:
            self._places = {folder: workspace(folder)}
        return self._places[folder]

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self.session.look()
            self.driver.wake()

    async def _look_at_git(self) -> None:
        """The branch changes; git may take its time."""
        while True:
            await asyncio.sleep(GIT_EVERY)
            for folder in list(self._places):
                found = await asyncio.to_thread(workspace, folder)
                if folder in self._places:
                    self._places[folder] = found

    # The person.

    def _keep_open(self, seconds: float) -> None:
        self._hold = seconds

    def _remarks(self) -> list[str]:
        found = [f"turns of apps start when a turn of yours ends; each is then kept open for {self._hold:g} s"]
        if not self.host.is_interactive:
            found.append("this session has no person before it: no app sees it")
        if self.session.let_go:
            found.append("the host takes no more turns of apps in a row: they go on after your next prompt")
        return found

    # The apps' tools.

    def _met(self, name: str, version: str) -> None:
        self.host.version = version

    async def _tools(self) -> Sequence[ProxiedTool]:
        loop = asyncio.get_running_loop()
        end = loop.time() + TOOLS_WITHIN
        while (tools := self.session.reports.tools()) is None and loop.time() < end:
            await asyncio.sleep(TOOLS_STEP)
        return tools or ()

    async def _call(self, name: str, arguments: Mapping[str, object]) -> CallResult:
        return await self.driver.call(self.session.reports, name, arguments)

    def _spawn(self, work: Coroutine[object, object, object]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _spelled(answer: Answer | None) -> bytes:
    return b"" if answer is None else json.dumps({"reply": answer}).encode()


def _number(text: str | None, otherwise: float) -> float:
    try:
        return max(float(text or ""), 0.0)
    except ValueError:
        return otherwise
