"""A run of a host: its stream is read to the end, and nothing of it lives afterwards."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent_connector.drive import process
from agent_connector.drive.events import Finished, Job, RunEvent, Said, Started
from agent_connector.drive.run import run
from agent_connector.errors import HostError

EVENTS = {"started": lambda text: Started(text), "said": lambda text: Said(text), "end": lambda text: Finished(ok=True)}


@dataclass(frozen=True)
class Program:
    """A host whose program is a piece of Python that prints `kind text` lines."""

    code: str

    def argv(self, job: Job) -> list[str]:
        return [sys.executable, "-c", self.code, job.prompt]

    def environment(self, job: Job) -> dict[str, str]:
        return {"ENDPOINT": job.endpoint or ""}

    def read(self, line: str) -> Sequence[RunEvent]:
        kind, _, text = line.partition(" ")
        return [EVENTS[kind](text)] if kind in EVENTS else []


def job(tmp_path, **more: str) -> Job:
    return Job("the prompt", cwd=str(tmp_path), **more)


def state(pid: int) -> str:
    """A process that ended stays as a zombie ("Z") until whoever inherited it looks after it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "gone"


def test_the_events_come_in_order_with_the_end_of_the_process(tmp_path) -> None:
    code = "import sys; print('started s1'); print('noise'); print('said', sys.argv[1]); print('end'); sys.exit(3)"
    outcome = run(Program(code), job(tmp_path), {})
    assert outcome.events == (Started("s1"), Said("the prompt"), Finished(ok=True))
    assert (outcome.started, outcome.finished) == (Started("s1"), Finished(ok=True))
    assert (outcome.exit_code, outcome.timed_out) == (3, False)


def test_the_child_gets_the_given_environment_and_what_its_host_needs_and_nothing_else(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "a real key")
    code = "import os, json; print('said', json.dumps(dict(os.environ)))"
    outcome = run(Program(code), job(tmp_path, endpoint="http://127.0.0.1:1"), {"HOME": "/h"})
    seen = json.loads(outcome.said[0])
    assert seen.items() >= {"HOME": "/h", "ENDPOINT": "http://127.0.0.1:1"}.items()
    assert "MODEL_API_KEY" not in seen


def test_a_line_is_an_event_as_soon_as_it_is_there(tmp_path) -> None:
    seen: list[RunEvent] = []
    run(Program("print('said one'); print('said two')"), job(tmp_path), {}, on_event=seen.append)
    assert seen == [Said("one"), Said("two")]


def test_a_last_line_without_an_end_and_bytes_that_are_no_text_are_read(tmp_path) -> None:
    code = "import sys; sys.stdout.buffer.write(b'said \\xff\\nsaid last'); sys.stderr.write('oh dear')"
    outcome = run(Program(code), job(tmp_path), {})
    assert outcome.said == ("\ufffd", "last")
    assert outcome.stderr == "oh dear"


def test_a_run_that_takes_too_long_is_ended_and_says_so(tmp_path) -> None:
    code = "import time; print('said waiting', flush=True); time.sleep(600)"
    outcome = run(Program(code), job(tmp_path), {}, seconds=0.7)
    assert (outcome.exit_code, outcome.timed_out, outcome.said) == (None, True, ("waiting",))


def test_a_program_that_ignores_requests_to_stop_is_forced(tmp_path) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('said up', flush=True); time.sleep(600)"
    child = process.start([sys.executable, "-c", code], cwd=str(tmp_path), environment={})
    assert child.stdout and child.stdout.readline() == b"said up\n"
    process.end(child, grace=0.2)
    assert child.returncode == -9
    child.stdout.close()
    assert child.stderr
    child.stderr.close()


CHILD_IN_THE_GROUP = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("said", child.pid)
"""
CHILD_THAT_LEFT = CHILD_IN_THE_GROUP.replace('600)"]', '600)"], start_new_session=True')


@pytest.mark.parametrize("code", [CHILD_IN_THE_GROUP, CHILD_THAT_LEFT], ids=["in the group", "in a session of its own"])
def test_what_a_host_leaves_behind_is_ended_with_it(tmp_path, code: str) -> None:
    mark = f"HOME={tmp_path}"
    outcome = run(Program(code), job(tmp_path), {"HOME": str(tmp_path)}, marks=[mark])
    assert outcome.exit_code == 0
    assert state(int(outcome.said[0])) in ("Z", "gone")
    assert process.marked([mark]) == []


def test_a_program_that_is_not_there_is_an_error_with_a_remedy(tmp_path) -> None:
    with pytest.raises(HostError, match="no program 'not-a-host'") as caught:
        process.start(["not-a-host"], cwd=str(tmp_path), environment={"PATH": "/usr/bin"})
    assert "install the host" in caught.value.remedy


def test_what_a_host_started_may_finish_its_work_where_it_is_given_time(tmp_path) -> None:
    late = f"import time; time.sleep(0.4); open({str(tmp_path / 'late')!r}, 'w').close()"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {late!r}])"
    run(Program(code), job(tmp_path), {})
    assert not (tmp_path / "late").exists()
    outcome = run(Program(code), job(tmp_path), {}, linger=10)
    assert (tmp_path / "late").exists()
    assert outcome.seconds < 10
