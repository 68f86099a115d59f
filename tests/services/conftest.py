"""A real PostgreSQL and a real Chromium for the tests of this folder; each is started once.

`SLOW_BROWSER=6 make test-services` shows what only a busy machine shows: pages are computed 6 times slower, and every
answer comes 6 times 50 ms later.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tests.ports import free_port
from tests.services.going import SECONDS
from tools import services

SERVER_USER = "postgres"  # PostgreSQL refuses to run as root
START_SECONDS = 120
BROWSER_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SLOW = float(os.environ.get("SLOW_BROWSER", "0"))
expect.set_options(timeout=SECONDS * 1000)  # of a page on a machine that has much to do


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything below this folder needs a service."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.services)


class Cluster:
    """A PostgreSQL server of our own in a scratch folder, on loopback only. `stop` and `start` for tests of its loss."""

    def __init__(self, programs: str, folder: str) -> None:
        self.programs = programs
        self.folder = folder
        self.port = free_port()
        self.prefix: list[str] = []
        if os.getuid() == 0:
            user = pwd.getpwnam(SERVER_USER)
            os.chown(folder, user.pw_uid, user.pw_gid)
            self.prefix = ["runuser", "-u", SERVER_USER, "--"]
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.start()

    @property
    def data(self) -> str:
        return os.path.join(self.folder, "data")

    def run(self, program: str, *arguments: str) -> None:
        command = [*self.prefix, os.path.join(self.programs, program), *arguments]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=START_SECONDS, check=False
        )
        assert done.returncode == 0, f"{program}: {done.stderr or done.stdout}"

    def start(self) -> None:
        log = os.path.join(self.folder, "log")
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
        command = [*self.prefix, os.path.join(self.programs, "pg_ctl"), "-D", self.data, "-l", log, "-w", "-o", options]
        done = subprocess.run(
            [*command, "start"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=START_SECONDS,
            check=False,
        )
        assert done.returncode == 0, Path(log).read_text(encoding="utf-8", errors="replace")

    def stop(self, mode: str = "immediate") -> None:
        self.run("pg_ctl", "-D", self.data, "-w", "-m", mode, "stop")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"


@pytest.fixture(scope="session")
def postgres() -> Generator[Cluster]:
    """The server itself, for tests that stop and start it."""
    programs = services.postgresql()
    assert programs is not None, "PostgreSQL is missing: run `python tools/services.py install`"
    folder = tempfile.mkdtemp(prefix="ac-pg-")
    cluster = Cluster(programs, folder)
    try:
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


@pytest.fixture
def postgres_url(postgres: Cluster) -> Iterator[str]:
    """A fresh database: `postgresql://...`."""
    name = f"t{time.monotonic_ns()}"
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
    yield postgres.url(name)
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")  # type: ignore[arg-type]


@contextmanager
def headless() -> Generator[Browser]:
    """A Chromium of our own. While it runs, no other event loop can in this process."""
    program = services.chromium()
    assert program is not None, "Chromium is missing: run `python tools/services.py install`"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=program, args=list(BROWSER_FLAGS), timeout=START_SECONDS * 1000
        )
        started.on("context", patient)
        yield started
        started.close()


def patient(context: BrowserContext) -> None:
    context.set_default_timeout(SECONDS * 1000)
    if SLOW:
        context.on("page", slowed)


def slowed(page: Page) -> None:
    session = page.context.new_cdp_session(page)
    for method, given in {
        "Emulation.setCPUThrottlingRate": {"rate": SLOW},
        "Network.enable": {},
        "Network.emulateNetworkConditions": {
            "offline": False,
            "latency": SLOW * 50,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        },
    }.items():
        session.send(method, given)  # pyright: ignore[reportUnknownMemberType]


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """A headless Chromium; take a context of your own with `browser.new_context()` and close it.

    It goes with its module, since no event loop of another test can run beside it.
    """
    with headless() as started:
        yield started
