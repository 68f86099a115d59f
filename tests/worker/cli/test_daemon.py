"""The whole worker as a process: it does what is there, ends in order at an interrupt, at once at a second one."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.worker.cli.conftest import Live

from agent_connector.board import tasks
from agent_connector.worker import credentials, killswitch, private_home, setup
from agent_connector.worker.credentials import Credentials
from agent_connector.worker.state import State, Waiting

# The worker with a crew of its own: each task is done by a script that says what it was given and then waits, or not.
CREW = """
import asyncio, os, sys
from contextlib import asynccontextmanager
from agent_connector.worker import config, credentials, daemon
from agent_connector.worker.lines import Lines
from agent_connector.redaction import Redactor
from agent_connector.worker.values import Result

async def runner(given, emit, stop):
    emit("said", "host", {"text": f"working on {given.task.title} with {held.mcp_key}"})
    print("began", given.task.title, flush=True)
    if given.task.title == "deaf":
        await asyncio.sleep(600)
    if given.task.title.startswith("slow"):
        await stop.wait()
        return Result("cancelled", "", stop.reason)
    return Result("succeeded", f"done, and {held.mcp_key} was used")

@asynccontextmanager
async def hire():
    yield daemon.Crew(runner, ("claude-code",), home + "/runs")

home = os.environ["HOME"]
made = config.load(sys.argv[1], os.environ, home)
held = credentials.load(sys.argv[2])
redactor = Redactor(daemon.secrets(held, os.environ))
lines = Lines(sys.stderr, redactor.text, as_json=True)
found = asyncio.run(daemon.serve(made, held, hire, redactor, lines, once=sys.argv[3] == "once"))
print("taken", *found.taken, flush=True)
"""

Started = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path, live: Live) -> Iterator[Started]:
    home = tmp_path / "home"
    path, keys = home / ".agent-connector/worker/connector.yml", home / ".agent-connector/worker/credentials"
    home.mkdir()
    setup.write(str(path), str(tmp_path / "work"), {}, str(home))
    path.write_text(path.read_text().replace("# doneStatus: review ", "doneStatus: done ").replace("15000 ", "100 "))
    credentials.save(str(keys), Credentials(live.url, live.key()))
    begun: list[subprocess.Popen[str]] = []

    def go(how: str) -> "subprocess.Popen[str]":
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "ACME_TOKEN": "tok-" + "z" * 30}
        begun.append(
            subprocess.Popen(
                [sys.executable, "-c", CREW, str(path), str(keys), how],
                env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
        )  # fmt: skip
        return begun[-1]

    yield go
    for one in begun:
        one.kill()
        one.communicate(timeout=60)


def add(live: Live, title: str) -> str:
    return live.store.write(tasks.add, title=title, by="ada@example.com").id


def began(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_what_is_there_is_done_and_no_secret_is_told(tmp_path: Path, live: Live, start: Started):
    ids = {add(live, "one"), add(live, "tok-" + "z" * 30)}
    switch = next(tmp_path.rglob("connector.yml")).with_name("STOP")
    killswitch.engage(str(switch))
    out, err = start("once").communicate(timeout=60)
    assert out.split() == ["taken"] and "agent-connector worker resume" in err
    killswitch.release(str(switch))
    process = start("once")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and set(out.splitlines()[-1].split()[1:]) == ids, err
    said = [json.loads(line) for line in err.splitlines()]
    assert all(set(line) == {"time", "text"} for line in said) and "zzzz" not in err and "mcp_" not in err
    assert any("one" in line["text"] for line in said)
    for id in ids:
        task = live.store.read(tasks.get, id)
        told = live.store.read(tasks.said, id)
        assert task.status == "done" and "[redacted" in told[-1].body and "mcp_" not in told[-1].body


@pytest.mark.parametrize("how", ["once", "forever"])
def test_an_interrupt_ends_what_runs_and_tells_the_board(live: Live, start: Started, how: str):
    first = add(live, "slow one")
    process = start(how)
    assert began(process) == "began slow one\n"
    later = add(live, "slow two")
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and "stopping" in err
    assert "slow two" not in out and live.store.read(tasks.get, later).status == "todo"
    assert live.store.read(tasks.get, first).status == "todo"  # a later run takes it up again


def test_old_homes_are_removed_but_not_of_a_task_that_waits_for_a_person(tmp_path: Path, start: Started):
    runs = tmp_path / "home/runs"
    kept, gone = (private_home.place(str(runs), task) for task in ("waits", "forgotten"))
    for one in (kept, gone):
        os.utime(one.folder, (0, 0))
    with State(str(next(tmp_path.rglob("connector.yml")).with_name("worker-state.db"))) as state:
        state.wait_for_person("waits", Waiting("guard", "a push", "2026", "2026", None))
    assert start("once").communicate(timeout=60)[0].split() == ["taken"]
    assert os.listdir(runs) == [os.path.basename(kept.folder)]


def test_a_second_interrupt_ends_it_at_once(live: Live, start: Started):
    add(live, "deaf")
    process = start("forever")
    assert began(process) == "began deaf\n"
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "stopping" not in (line := process.stderr.readline()):
        assert line, "it ended without a word"
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130  # its run would take ten minutes


def test_two_workers_with_one_memory_do_not_work_at_once(live: Live, start: Started):
    add(live, "slow")
    assert began(start("forever")) == "began slow\n"
    out, err = start("once").communicate(timeout=60)
    assert "another worker works with this state" in err and "taken" not in out
