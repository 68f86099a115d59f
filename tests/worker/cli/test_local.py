"""`worker local` as a process: it leaves no board behind, and says what keeps it from its work."""

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from agent_connector.worker import credentials
from agent_connector.worker.credentials import Credentials

# The command with a crew of its own: a task is done by nobody, or by one that hears nothing.
LOCAL = """
import asyncio, sys, time
from contextlib import asynccontextmanager
from agent_connector.cli import worker_local
from agent_connector.cli.main import main
from agent_connector.worker import crew, daemon
from agent_connector.worker.values import Result

async def runner(given, emit, stop):
    print("began", given.task.title, flush=True)
    await (asyncio.sleep(600) if given.task.title == "deaf" else stop.wait())
    return Result("cancelled", "", stop.reason)

@asynccontextmanager
async def hire(*given):
    print("hired", flush=True)
    yield daemon.Crew(runner, ("claude-code",), "runs")

def slow(*given):
    print("setting up", flush=True)
    time.sleep(600)

crew.hire = hire
if sys.argv[1] == "early":
    worker_local.settings = slow
sys.exit(main(["worker", "local", *sys.argv[2:]]))
"""
WAIT = 60
KEY = {"ANTHROPIC_API_KEY": "made-up"}


@dataclass
class Local:
    """`worker local` at work; its board is at `port`."""

    process: "subprocess.Popen[str]"
    port: int = 0

    def until(self, text: str) -> str:
        assert self.process.stdout is not None
        while text not in (line := self.process.stdout.readline()):
            assert line, self.process.communicate(timeout=WAIT)[1]
        return line

    def end(self) -> tuple[int, str]:
        err = self.process.communicate(timeout=WAIT)[1]
        return self.process.returncode, err

    def answers(self) -> bool:
        with socket.socket() as one:
            return one.connect_ex(("127.0.0.1", self.port)) == 0

    def board(self) -> int:
        """The process that is its board."""
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, timeout=WAIT, check=True
        ).stdout
        rows = [line.split(None, 2) for line in listed.splitlines()]
        return next(int(pid) for pid, parent, line in rows if int(parent) == self.process.pid and "serve" in line)


Start = Callable[..., Local]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    begun: list[Local] = []

    def go(*words: str, port: str = "0", how: str = "", wait: bool = True, key: Mapping[str, str] = KEY) -> Local:
        line = [sys.executable, "-P", "-c", LOCAL, how, *(words or (str(home / "work"),)), "--port", port]
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONUNBUFFERED": "1", **key}
        one = Local(
            subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=home)
        )
        begun.append(one)
        if wait:
            one.port = int(re.findall(r":(\d+)", one.until("The board is at"))[0])
        return one

    yield go
    for one in begun:
        one.process.kill()
        one.process.communicate(timeout=WAIT)


def board_ends(local: Local) -> bool:
    deadline = time.monotonic() + WAIT
    while local.answers() and time.monotonic() < deadline:
        select.select([], [], [], 0.1)
    return not local.answers()


def put(home: Path, title: str) -> None:
    subprocess.run(
        [sys.executable, "-m", "agent_connector", "board", "task", "add", title],
        env={"PATH": os.environ["PATH"], "HOME": str(home)}, check=True, stdout=subprocess.DEVNULL, timeout=WAIT,
    )  # fmt: skip


def test_a_terminal_that_is_closed_ends_both_in_order(start: Start):
    local = start()
    local.until("hired")
    local.process.send_signal(signal.SIGHUP)
    local.process.send_signal(signal.SIGHUP)  # from the terminal, and from its shell
    code, err = local.end()
    assert code == 0 and "stopping" in err
    assert board_ends(local)


def test_no_board_stays_behind_at_a_second_interrupt(start: Start, home: Path):
    (home / ".agent-connector").mkdir()
    put(home, "deaf")
    local = start()
    local.until("began deaf")
    assert local.process.stderr is not None
    local.process.send_signal(signal.SIGINT)
    while "stopping" not in (line := local.process.stderr.readline()):
        assert line, "it ended without a word"
    local.process.send_signal(signal.SIGINT)
    assert local.end()[0] == 130 and board_ends(local)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_board_stays_behind_when_it_ends_before_it_began(start: Start, number: signal.Signals):
    local = start(how="early")
    local.until("setting up")
    local.process.send_signal(number)
    assert local.end()[0] == -number and board_ends(local)


def test_a_worker_that_is_to_outlive_its_terminal_does(start: Start):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` does
    try:
        local = start()
    finally:
        signal.signal(signal.SIGHUP, before)
    local.until("hired")
    local.process.send_signal(signal.SIGHUP)
    local.process.send_signal(signal.SIGTERM)
    code, err = local.end()
    assert code == 0 and err.count("stopping") == 1 and board_ends(local)


def test_a_board_that_cannot_start_says_why_itself(start: Start):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, err = start(port=port, wait=False).end()
    assert code == 1 and f"127.0.0.1:{port} cannot be used" in err and "with --port" in err and "fault" not in err


def test_what_lies_in_the_folder_where_it_is_called_is_not_run(start: Start, home: Path):
    for name in ("mcp", "sqlalchemy", "uvicorn", "alembic", "secrets"):
        (home / f"{name}.py").write_text("import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\n")
    start().until("hired")
    assert list(home.glob("*.ran")) == []


@pytest.mark.parametrize("once", [False, True])
def test_a_worker_whose_board_has_died_ends_and_says_so(start: Start, home: Path, once: bool):
    (home / ".agent-connector").mkdir()
    put(home, "waits")
    local = start(str(home / "work"), *(["--once"] if once else []))
    local.until("began waits")
    os.kill(local.board(), signal.SIGKILL)
    code, err = local.end()
    assert code == 1 and "the board ended while the worker ran" in err


def test_its_link_makes_the_owner(start: Start):
    local = start(wait=False)
    address = local.until("The board is at").split()[-1]
    link = local.until("this link makes one: ").split()[-1]
    local.until("hired")  # it has a key of its own by now
    owner = {"token": link.partition("token=")[2], "email": "ada@example.com", "password": "long enough, yes"}
    assert httpx2.post(f"{address}/api/setup", json=owner, timeout=WAIT).status_code == 201


def test_without_a_key_nothing_is_made(start: Start, home: Path):
    local = start(wait=False, key={})
    code, err = local.end()
    assert code == 1 and "there is no key for" in err
    assert not (home / ".agent-connector" / "worker" / "connector.yml").exists()
    assert start("--adapter", "codex", str(home / "work"), key={"OPENAI_API_KEY": "made-up"}).answers()


def test_another_folder_or_host_than_the_configuration_s_is_refused(run: Run, home: Path):
    assert run("setup", str(home / "old"), "--adapter", "codex")[0] == 0
    code, _, err = run("local", str(home / "new"), "--port", "0")
    assert code == 2 and "connector.yml" in err and "~/old" in err and "~/new" in err and "move it away" in err
    code, _, err = run("local", "old", "--adapter", "claude-code", "--port", "0")
    assert code == 2 and "codex" in err and "claude-code" in err
    assert not (home / "new").exists() and not (home / ".agent-connector/board").exists()


def test_a_free_port_works_again_and_again(start: Start, home: Path):
    kept = home / ".agent-connector/worker/credentials"
    seen = list[dict[str, str]]()
    for folder in (str(home / "work"), "work/../work"):
        assert start(folder, "--once").end()[0] == 0
        seen.append(json.loads(kept.read_text()))
    assert seen[0]["mcpKey"] == seen[1]["mcpKey"] and seen[0]["baseUrl"] != seen[1]["baseUrl"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "https://board.example"])
def test_the_credentials_of_another_board_are_left_alone(start: Start, home: Path, url: str):
    kept = home / ".agent-connector/worker/credentials"
    credentials.save(str(kept), Credentials(url, "mcp_abcdefgh_" + "A" * 43))
    code, err = start().end()
    assert code == 2 and "is for another board" in err and url in kept.read_text()
