"""A board on a real port, and people at it in a real browser who see no error."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page
from tests.ports import free_port
from tests.services.going import SECONDS

from agent_connector.board import sessions, users
from agent_connector.board.app import application
from agent_connector.board.serve import bind
from agent_connector.board.store import Store, open_store
from agent_connector.testing.board_stage import FREE, hashed

ADA = "ada@example.com"


class Board:
    """The server in a thread. `stop` cuts its connections, as a crash does; `start` serves at the same address again."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.write = store.write
        self.port = free_port()  # which is its own also while it is stopped
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        listener = bind("127.0.0.1", self.port)
        config = uvicorn.Config(
            application(self.store, rates=FREE), log_level="critical", access_log=False, timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True)
        self._thread.start()
        until(lambda: self._server is not None and self._server.started)

    def stop(self) -> None:
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(SECONDS)
            assert not self._thread.is_alive()
            self._server = None


def until(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not there():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    store = open_store(f"sqlite:///{tmp_path}/board.db")
    served = Board(store)
    yield served
    served.stop()
    store.close()


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """What the browser complained about; a test that expects some takes them out."""
    found: list[str] = []
    yield found
    assert found == []


@pytest.fixture
def context(browser: Browser, board: Board, errors: list[str]) -> Iterator[Callable[..., BrowserContext]]:
    """A browser of a person who is logged in."""
    user = board.write(users.add, ADA, hashed(), owner=True)
    opened: list[BrowserContext] = []

    def make(*, logged_in: bool = True, **options: Any) -> BrowserContext:
        made = browser.new_context(**options)
        opened.append(made)
        if logged_in:
            token = board.write(sessions.start, user.id, "page", sessions.PAGE_SECONDS)[0]
            cookie = {"name": f"board-session-{board.port}", "value": token, "url": board.address}
            made.add_cookies([cookie])  # type: ignore[list-item]
        made.on("console", lambda told: told.type in ("error", "warning") and errors.append(told.text))
        made.on("weberror", lambda error: errors.append(str(error.error)))
        return made

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def page(context: Callable[..., BrowserContext]) -> Page:
    return context().new_page()
