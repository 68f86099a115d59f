"""The verbs of `worker` in a home of their own, with a real board to talk to and a terminal to be asked at."""

import os
import pty
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import uvicorn

from agent_connector.board import users
from agent_connector.board.app import application
from agent_connector.board.store import Store, open_store
from agent_connector.cli.main import main
from agent_connector.testing.board_stage import minted

EMAIL, PASSWORD = "ada@example.com", "correct horse battery"
KEPT = ("PATH", "LANG", "VIRTUAL_ENV")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("APPSUITE_CREDENTIALS", "APPSUITE_CONNECTOR_CONFIG", "APPSUITE_BOARD_ID", "AGENT_CONNECTOR_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*words: str) -> tuple[int, str, str]:
        code = main(["worker", *words])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


@dataclass
class Live:
    """A board that answers on this machine, and its database."""

    url: str
    store: Store

    def key(self) -> str:
        return minted(self.store, "worker@example.com")


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    store = open_store(f"sqlite:///{tmp_path}/board.db")
    store.write(users.add, EMAIL, users.hashed(PASSWORD), owner=True)
    server = uvicorn.Server(uvicorn.Config(application(store), port=0, log_level="critical", lifespan="on"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield Live(f"http://127.0.0.1:{port}", store)
    server.should_exit = True
    thread.join(60)
    store.close()


@dataclass
class Terminal:
    """A program that somebody sits before. `answer(question, typed)` waits for the question first."""

    words: tuple[str, ...]
    home: Path
    seen: str = ""
    process: "subprocess.Popen[bytes]" = field(init=False)

    def __post_init__(self) -> None:
        self.master, slave = pty.openpty()
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {"HOME": str(self.home), "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "200"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "agent_connector", *self.words],
            stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=self.home, start_new_session=True,
        )  # fmt: skip
        os.close(slave)

    def answer(self, question: str, typed: str) -> None:
        self.until(lambda: question in self.seen)
        self.seen = self.seen[self.seen.index(question) + len(question) :]
        os.write(self.master, typed.encode() + b"\n")

    def end(self) -> tuple[int, str]:
        self.until(lambda: self.process.poll() is not None)
        return self.process.returncode, self.seen

    def until(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not done():
            if not select.select([self.master], [], [], 0.1)[0]:
                assert time.monotonic() < deadline, f"still waiting after: {self.seen!r}"
                continue
            try:
                self.seen += os.read(self.master, 65536).decode(errors="replace")
            except OSError:  # it has ended
                self.process.wait(60)


@pytest.fixture
def terminal(home: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*words: str) -> Terminal:
        opened.append(Terminal(("worker", *words), home))
        return opened[-1]

    yield start
    for one in opened:
        one.process.kill()
        one.process.wait(60)
        os.close(one.master)
