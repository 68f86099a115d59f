"""A room with the scripted agent in it, and one app that is paired through the real driver."""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.sessions import acp_session, inert
from agent_connector.byoa.sessions.acp_host import Launch
from agent_connector.byoa.sessions.acp_room import Room
from agent_connector.byoa.sessions.acp_updates import Question, Step
from agent_connector.byoa.sessions.typed import Typed
from agent_connector.testing.byoa import ScriptedApp
from agent_connector.testing.byoa.live import LivePort
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"
AGENT = str(Path(__file__).with_name("scripted_agent.py"))


@dataclass
class Lines:
    """A screen that keeps what it is shown."""

    lines: list[str] = field(default_factory=list)

    def typed(self) -> None:
        """It keeps what it is shown alone."""

    def prompt(self, text: str) -> None:
        self.lines.append(f"prompt {text}")

    def said(self, text: str) -> None:
        self.lines.append(f"said {text}")

    def thought(self, text: str) -> None:
        self.lines.append(f"thought {text}")

    def step(self, step: Step) -> None:
        self.lines.append(f"step {step.name} {step.title}")

    def note(self, text: str) -> None:
        self.lines.append(f"note {text}")

    def over(self) -> None:
        self.lines.append("over")

    def ask(self, question: Question) -> None:
        self.lines.append(f"ask {question.title}")

    def has(self, text: str) -> bool:
        return any(text in line for line in self.lines)


@dataclass
class Stage:
    """What a test plays on."""

    room: Room
    screen: Lines
    typed: Typed
    port: LivePort
    running: "asyncio.Task[None]"

    def type(self, line: str | None) -> None:
        self.typed.feed(line)

    async def shows(self, text: str) -> None:
        await self.port.until(lambda: self.screen.has(text))

    async def joined(self, count: int = 1) -> None:
        """The app sees this many sessions, the last of them idle and listening."""
        await self.port.until(lambda: len(self.port.app.sessions) >= count and self.port.app.session.held)

    async def ended(self, turn: str) -> str:
        """How the app recorded the end of its turn."""
        end = await self.port.until(lambda: self.port.app.turns[turn].end)
        return end.outcome.value if end.reason is None else f"{end.outcome.value} {end.reason.value}"

    async def chat(self, text: str) -> str:
        await self.joined()
        return self.port.chat(text)


Story = Callable[[Stage], Awaitable[None]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a story in a room; afterwards nothing is left behind."""
    monkeypatch.setattr(loop, "TICK", 0.02)
    monkeypatch.setattr(acp_session, "STEP", 0.02)

    def start(
        story: Story,
        *,
        host: str = "gemini-cli",
        how: str = "",
        interactive: bool = True,
        apps=(ORIGIN,),
        agent: tuple[str, ...] = (AGENT,),
        proven: bool = True,
    ) -> None:
        async def run() -> None:
            app = ScriptedApp(ORIGIN, mcp=ScriptedMcp({"search": lambda arguments: f"found {arguments['q']}"}))
            screen, port = Lines(), LivePort(app)
            launch = Launch(host, "Scripted", (sys.executable, *agent))
            environment = {**os.environ, "SCRIPTED_AGENT": how}
            files = RealFiles(str(tmp_path / ".byoa"))
            room = Room(launch, str(tmp_path), environment, files, screen, port, interactive=interactive)
            typed = Typed()
            stage = Stage(room, screen, typed, port, asyncio.create_task(room.run(typed, apps)))
            async with asyncio.timeout(60):
                try:
                    await story(stage)
                finally:
                    stage.room.interrupt()
                    stage.room.interrupt()
                    stage.running.cancel()
                    await asyncio.gather(stage.running, return_exceptions=True)
            assert len(asyncio.all_tasks()) == 1, asyncio.all_tasks()

        known = {**inert.PROVEN, host: inert.as_it_is}
        monkeypatch.setattr(inert, "PROVEN", known if proven else {})
        asyncio.run(run())

    return start
