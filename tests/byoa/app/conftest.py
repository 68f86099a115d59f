"""An app with one person signed in by a header, the real pairer on the other side, and time that stands still."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.requests import Request

from agent_connector.byoa.app import Account, Byoa, Connection, Session, SqliteStore, Store
from agent_connector.testing.byoa import AppClock, AppWorld, Browser, FakeSession, ScriptedRandom, pair_by_page
from agent_connector.testing.byoa.fakes import PlainSession
from agent_connector.testing.byoa.pages import Page

ORIGIN = "https://notes.example"
ADA, BOB = Account("1", "Ada"), Account("2", "Bob")
PEOPLE = {"ada": ADA, "bob": BOB}


Patience = float | Callable[[], Awaitable[None]]


def account_of(request: Request) -> Account | None:
    return PEOPLE.get(request.headers.get("remote-user", ""))


@dataclass
class Scene:
    """The app, and the machine of the person who pairs it."""

    store: Store
    patience: Patience = 0.0
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    clock: AppClock = field(default_factory=AppClock)
    announced: list[Connection] = field(default_factory=list[Connection])

    def __post_init__(self) -> None:
        self.random = ScriptedRandom()
        self.byoa = self.app()
        self.world = AppWorld(self.byoa, ORIGIN, self.clock, patience=self.patience)

    def app(self, store: Store | None = None) -> Byoa:
        """The app of another process, or after a restart."""
        known = {"id": "notes", "name": "Notes", "origin": ORIGIN, "announce": self.announced.append}
        return Byoa(
            store or self.store, account_of, clock=self.clock, random=self.random.bytes, **{**known, **self.options}
        )

    def browser(self, person: str = "ada", address: str = "127.0.0.1") -> Browser:
        return Browser(self.byoa, ORIGIN, headers={"Remote-User": person} if person else {}, address=address)

    @property
    def token(self) -> str:
        """As the pairer keeps it."""
        (text,) = (text for path, text in self.world.files.texts.items() if path.startswith("credentials/"))
        return json.loads(text)["token"]

    async def post(self, path: str, value: object = None, token: str = "", **headers: str) -> Page:
        """A request as any program may send it."""
        named = {"Content-Type": "application/json", **{name.replace("_", "-"): text for name, text in headers.items()}}
        if token:
            named["Authorization"] = f"Bearer {token}"
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return await self.browser("").send("POST", f"{ORIGIN}{path}", body, named)

    async def live(self, session: PlainSession | None = None) -> tuple[Any, Session]:
        """Paired, and one session there: as the host sees it, and as the app does."""
        await pair_by_page(self.world, headers={"Remote-User": "ada"})
        opened, _ = await self.world.attach(session or FakeSession())
        (found,) = await self.byoa.sessions_of(ADA)
        return opened, found


@pytest.fixture
def make_store() -> Callable[[], Store]:
    """The store of one process; the same data for every one that is made."""
    return SqliteStore


@pytest.fixture
def patience() -> Patience:
    """How long a store may take to wake a poll."""
    return 0.0


@pytest.fixture
def play(make_store: Callable[[], Store], patience: Patience) -> Callable[..., None]:
    """`play(story, **options)`: run `story(scene)`; nothing may be left behind."""

    def run(story: Callable[[Scene], Awaitable[None]], **options: Any) -> None:
        async def whole() -> None:
            scene = Scene(make_store(), patience, options)
            async with asyncio.timeout(150):
                try:
                    await story(scene)
                finally:
                    await scene.world.close()
                    await scene.byoa.close()
            assert len(asyncio.all_tasks()) == 1, "tasks are left behind"

        asyncio.run(whole())

    return run
