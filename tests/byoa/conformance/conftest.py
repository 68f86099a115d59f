"""Our app as the suite meets it, without a socket: an hour costs nothing, and its person is a few lines."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from starlette.requests import Request as AppRequest

from agent_connector.byoa.app import Account, Byoa, Ended, SqliteStore
from agent_connector.byoa.core.effects import Outcome, Request
from agent_connector.testing.byoa import AppClock, Browser, http_over
from agent_connector.testing.byoa.conformance import Person

ORIGIN = "https://notes.example"
ADA = Account("1", "Ada")
ROUNDS = 40


def account_of(request: AppRequest) -> Account | None:
    return ADA if "person=ada" in request.headers.get("cookie", "") else None


def tools() -> MCPServer:
    server = MCPServer("notes")

    @server.tool()
    def search(text: str) -> str:
        """Find notes."""
        return text

    assert search
    return server


@dataclass
class FreeClock:
    """Time passes when somebody waits for it, and costs nothing."""

    app: AppClock
    free: bool = True

    def now(self) -> float:
        return self.app.now()

    async def sleep(self, seconds: float) -> None:
        end = self.now() + seconds
        while self.now() < end:
            await self.step(min(1.0, end - self.now()))

    async def step(self, seconds: float = 1.0) -> None:
        self.app.source.advance(seconds)
        self.app.strike()
        for _ in range(ROUNDS):
            await asyncio.sleep(0)


class WaitingPort:
    """Requests into the app; while one is held, time passes."""

    def __init__(self, app: Any, clock: FreeClock) -> None:
        self.http = http_over(app)
        self.clock = clock

    async def send(self, request: Request) -> Outcome:
        answer = asyncio.ensure_future(self.http.send(request))
        for _ in range(ROUNDS):
            await asyncio.sleep(0)
        while not answer.done():
            if request.url.endswith("/poll"):
                await self.clock.step()
            else:
                await asyncio.wait([answer])
        return await answer


@dataclass
class Ada(Person):
    """Signed in at our app, and quick."""

    byoa: Byoa
    patience: float = 50.0
    browser: Browser = field(init=False)

    def __post_init__(self) -> None:
        self.browser = Browser(self.byoa, ORIGIN, cookies={"person": "ada"})

    async def approve(self, link: str, code: str) -> None:
        await self._decide(link, code, "approve")

    async def deny(self, link: str, code: str) -> None:
        await self._decide(link, code, "deny")

    async def _decide(self, link: str, code: str, decision: str) -> None:
        page = await self.browser.get(link)
        await self.browser.submit(page, page.form("letters"), {"letters": code[-4:], "decision": decision})

    async def _session(self, title: str) -> Any:
        return next(session for session in await self.byoa.sessions_of(ADA) if session.title == title)

    async def chat(self, title: str, text: str) -> None:
        await (await self._session(title)).chat(text)

    async def stop(self, title: str, turn: str) -> None:
        found = await self.byoa.turn(ADA, turn)
        assert found is not None
        await found.stop()

    async def end(self, title: str) -> None:
        await (await self._session(title)).end()

    async def ends(self, turn: str) -> list[str]:
        found = await self.byoa.turn(ADA, turn)
        assert found is not None
        ended = [event async for event in found if isinstance(event, Ended)]
        return ["/".join(filter(None, (event.outcome, event.reason))) for event in ended]


@dataclass
class Ours:
    """The real app, its person, and a port into it."""

    options: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        clock = AppClock()
        known = {"id": "notes", "name": "Notes", "origin": ORIGIN, "clock": clock, "mcp": tools()}
        self.byoa = Byoa(SqliteStore(), account_of, **{**known, **self.options})
        self.clock = FreeClock(clock)
        self.person = Ada(self.byoa)

    def port(self, app: Any = None) -> WaitingPort:
        return WaitingPort(app or self.byoa, self.clock)


@pytest.fixture
def ours() -> type[Ours]:
    return Ours
