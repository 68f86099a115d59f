"""The pairer on a real event loop, against a scripted app: pair, chat, call a tool, stop, disconnect."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Failure, Outcome, Request
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.driver import loop
from agent_connector.byoa.driver.files import RealFiles
from agent_connector.byoa.driver.loop import Driver, SystemClock, SystemRandom
from agent_connector.testing.byoa import FakeHost, FakeSession, ScriptedApp
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"


class AppPort:
    """An app that approves whoever asks, and holds polls until it has something to say."""

    def __init__(self, app: ScriptedApp) -> None:
        self.app = app
        self.held: dict[int, asyncio.Future[Outcome]] = {}
        self.ended = asyncio.Event()

    async def send(self, request: Request) -> Outcome:
        await asyncio.sleep(0)
        if request.url.endswith("/pair_poll"):
            self.app.approve()
        answer = self.app.answer(request, 0.0)
        if any(turn.end for turn in self.app.turns.values()):
            self.ended.set()
        if answer is not None:
            return answer
        self.held[request.id] = asyncio.get_running_loop().create_future()
        try:
            return await self.held[request.id]
        except asyncio.CancelledError:
            self.app.hung_up(request.id)
            raise
        finally:
            del self.held[request.id]

    def push(self) -> None:
        for id, response in self.app.due(0.0):
            self.held[id].set_result(response)


Story = Callable[[Driver, AppPort, FakeSession], Awaitable[None]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Story], None]:
    monkeypatch.setattr(loop, "TICK", 0.01)

    async def run(story: Story) -> None:
        host = FakeHost()
        pairer = Pairer(host, RealFiles(str(tmp_path / ".byoa")), SystemClock(), SystemRandom(), version="1.0")
        port = AppPort(ScriptedApp(ORIGIN, mcp=ScriptedMcp({"search": lambda arguments: "found"})))
        driver = Driver(pairer, host, port)
        session = FakeSession()
        session.handle = pairer.attach(session)
        async with asyncio.timeout(60):
            running = asyncio.create_task(driver.run())
            try:
                await story(driver, port, session)
            finally:
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
        assert len(asyncio.all_tasks()) == 1, "tasks are left behind"

    return lambda story: asyncio.run(run(story))


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


async def pair(driver: Driver) -> None:
    said = [say async for say in driver.connect("notes.example")]
    assert said[-1].text == f"paired with Notes ({ORIGIN}) as Ada"


def test_pair_chat_and_disconnect(play: Callable[[Story], None], tmp_path: Path) -> None:
    async def story(driver: Driver, port: AppPort, session: FakeSession) -> None:
        await pair(driver)
        await until(lambda: port.app.sessions and port.app.session.held)
        turn = port.app.chat("What is new?")
        port.push()
        await until(lambda: session.prompts)
        session.answer("Nothing.")
        driver.wake()
        await port.ended.wait()
        assert port.app.turns[turn].text == "Nothing."
        assert port.app.turns[turn].end == wire.Ended(wire.Outcome.DONE)
        assert "connected" in await driver.status()
        said = [say async for say in driver.disconnect("notes")]
        assert said[-1].ok and not list((tmp_path / ".byoa").rglob("*.json"))

    play(story)


def test_stop_reaches_the_session(play: Callable[[Story], None]) -> None:
    async def story(driver: Driver, port: AppPort, session: FakeSession) -> None:
        await pair(driver)
        await until(lambda: port.app.sessions and port.app.session.held)
        turn = port.app.chat("hello")
        port.push()
        await until(lambda: session.prompts)
        session.begin()
        driver.wake()
        await until(lambda: port.app.session.held)
        port.app.stop(turn)
        port.push()
        await port.ended.wait()
        assert session.aborts == 1

    play(story)


def test_a_tool_call_brings_its_result(play: Callable[[Story], None]) -> None:
    async def story(driver: Driver, port: AppPort, session: FakeSession) -> None:
        await pair(driver)
        await until(lambda: session.reports.tools())
        result = await driver.call(session.reports, "byoa_notes", {"tool": "search"})
        assert result.content == ({"type": "text", "text": "found"},) and not result.is_error
        assert (await driver.call(session.reports, "byoa_notes", {"tool": "drop"})).is_error

    play(story)


def test_a_network_that_is_down_is_said(play: Callable[[Story], None]) -> None:
    async def story(driver: Driver, port: AppPort, session: FakeSession) -> None:
        async def down(request: Request) -> Outcome:
            return Failure("no route")

        port.send = down  # type: ignore[method-assign]
        said = [say async for say in driver.connect("notes.example")]
        assert [(say.text, say.ok) for say in said] == [(f"{ORIGIN} cannot be reached: no route", False)]

    play(story)
