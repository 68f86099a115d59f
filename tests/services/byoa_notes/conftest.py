"""The notes app as anybody starts it, a person's machine with a scripted session on the real pairer, and browsers."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.ports import free_port
from tests.services.going import SECONDS, follow
from tools.scripted_host import ScriptedHost

from agent_connector.testing.byoa import FakeSession

ROOT = Path(__file__).parents[3]
T = TypeVar("T")


class App:
    """The process, on a port of its own."""

    def __init__(self, data: str) -> None:
        self._data = data
        self._port = str(free_port())  # which is its own also while it is stopped
        self.origin = ""
        self.passwords: dict[str, str] = {}

    def start(self) -> None:
        program = str(ROOT / "examples" / "notes" / "app.py")
        words = [sys.executable, program, "--port", self._port, "--data", self._data]
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self._process.stdout
        printed = [self._process.stdout.readline().split() for _ in range(4)]
        if not all(printed):
            self._process.kill()
            raise AssertionError(f"the app did not start: {self._process.communicate()[1]}")
        self.origin = printed[0][-1]
        self.passwords = self.passwords or {line[3]: line[4] for line in printed[1:3]}

    def stop(self) -> None:
        with self._process as process:
            process.terminate()
            assert process.communicate(timeout=SECONDS)[1] == "", "the app complained"


@pytest.fixture
def app(tmp_path: Path) -> Generator[App]:
    made = App(str(tmp_path / "app"))
    made.start()
    yield made
    made.stop()


class Machine:
    """A person's machine. Everything of the pairer happens in a thread with a loop of its own."""

    def __init__(self, home: str) -> None:
        self._home = home
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.session = FakeSession()

    def __enter__(self) -> Self:
        self._thread.start()
        self.host = self.run(self._made())
        self._running = asyncio.run_coroutine_threadsafe(self.host.run(), self._loop)
        return self

    async def _made(self) -> ScriptedHost:
        return ScriptedHost(self._home)

    def __exit__(self, *problem: object) -> None:
        self._running.cancel()
        self.run(self._ended())
        assert self._running.cancelled(), self._running.exception()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _ended(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    def do(self, call: Callable[..., T], *values: Any) -> T:
        """What the host does, and all that follows from it."""

        async def done() -> T:
            result = call(*values)
            self.host.driver.wake()
            return result

        return self.run(done())

    def until(self, condition: Callable[[], Any], seconds: float = SECONDS) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"it did not come true; the host was shown {self.host.shown.toasts}"
            time.sleep(0.02)

    # What the host does in a turn.

    def attach(self, session: FakeSession | None = None) -> FakeSession:
        self.session = session or self.session
        self.do(self.host.attach, self.session)
        return self.session

    def begins(self) -> str:
        """The host begins what the app has asked. Gives the prompt."""
        self.until(lambda: self.session.prompts)
        prompt = self.session.prompts[0]
        assert self.do(self.session.begin)
        return prompt

    def says(self, text: str) -> None:
        self.do(self.session.reports.delta, text)

    def uses(self, tool: str) -> None:
        self.do(self.session.reports.tool, tool)

    def ends(self) -> None:
        self.do(self.session.end)


@pytest.fixture
def machine(tmp_path: Path) -> Generator[Machine]:
    home = tmp_path / "home"
    home.mkdir()
    with Machine(str(home)) as made:
        yield made


@dataclass
class Visitor:
    """A browser of a person. What it complains about fails the test, but for what is `expected`."""

    page: Page
    context: BrowserContext
    app: App
    complaints: list[str] = field(default_factory=list)

    def expected(self, words: str) -> None:
        """It complained of this, and nothing else so far."""
        end = time.monotonic() + SECONDS
        while not self.complaints and time.monotonic() < end:
            self.page.wait_for_timeout(20)
        assert self.complaints, f"it did not complain of {words}"
        self.forgiven(words)

    def forgiven(self, words: str) -> None:
        """If it complained, then of this."""
        assert all(words in said for said in self.complaints), self.complaints
        self.complaints.clear()

    def sign_in(self, name: str) -> None:
        self.page.goto(f"{self.app.origin}/")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Password").fill(self.app.passwords[name])
        follow(self.page.get_by_role("button", name="Sign in"))
        expect(self.page.get_by_role("heading", name="Your notes")).to_be_visible()

    def go(self, path: str) -> None:
        self.page.goto(f"{self.app.origin}{path}")

    def approve(self, invitation: tuple[str, str]) -> None:
        link, code = invitation
        self.page.goto(link)
        self.page.get_by_label("last four").fill(code[-4:])
        follow(self.page.get_by_role("button", name="Connect"))
        expect(self.page.get_by_role("heading", name="Approved")).to_be_visible()

    def pair(self, machine: Machine, session: FakeSession | None = None) -> None:
        """Pair the machine, and open the page with its session."""
        self.approve(machine.run(machine.host.invitation(self.app.origin)))
        machine.attach(session)
        self.go("/")
        expect(self.page.locator("[data-session]")).to_be_visible()
        self.talk()

    def talk(self) -> None:
        """Open the page with the chat. Its script has run then: before, Enter is only a new line."""
        follow(self.page.locator("[data-session] a"))
        expect(self.page.get_by_label("Message to your agent")).to_be_visible()

    def ask(self, text: str) -> None:
        self.page.get_by_label("Message to your agent").fill(text)
        follow(self.page.get_by_role("button", name="Send"))
        expect(self.turn.locator(".question")).to_have_text(text)

    @property
    def turn(self) -> Any:
        """The last one that is shown."""
        return self.page.locator(".turn").last


@pytest.fixture
def visit(browser: Browser, app: App) -> Generator[Callable[..., Visitor]]:
    """`visit("ada", java_script_enabled=False)`: a browser of its own; without a name, one of nobody."""
    made: list[Visitor] = []

    def visiting(name: str = "", **options: Any) -> Visitor:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        visitor = Visitor(context.new_page(), context, app)
        visitor.page.on("console", lambda message: visitor.complaints.append(message.text))
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        visitor.page.on("dialog", lambda dialog: (visitor.complaints.append(dialog.message), dialog.dismiss()))
        made.append(visitor)
        if name:
            visitor.sign_in(name)
        return visitor

    yield visiting
    for visitor in made:
        visitor.context.close()
        assert visitor.complaints == []
