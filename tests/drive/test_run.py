"""A run of a host: its stream is read to the end, and nothing of it lives afterwards."""

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent_connector.drive import process, watch
from agent_connector.drive.events import Finished, Job, Noticed, RunEvent, Said, Spent, Started, Usage
from agent_connector.drive.lines import CUT, PIECE, WHOLE
from agent_connector.drive.run import run
from agent_connector.errors import HostError

EVENTS = {
    "started": lambda text: Started(text),
    "said": lambda text: Said(text),
    "piece": lambda text: Said(text, piece=True),
    "end": lambda text: Finished(ok=True),
    "used": lambda text: Spent(Usage(int(text), output=1), 0.5),
    "total": lambda text: Finished(ok=True, usage=Usage(int(text)), cumulative=True),
    "error": lambda text: Noticed("error", text),
}


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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have other limits")
def test_a_prompt_that_no_command_line_can_hold_is_an_error_that_says_so(tmp_path) -> None:
    with pytest.raises(HostError, match="cannot be started") as caught:
        run(Program("pass"), Job("x" * 200_000, cwd=str(tmp_path)), {})
    assert "too long for a command line" in caught.value.remedy


def test_what_a_host_started_may_finish_its_work_where_it_is_given_time(tmp_path) -> None:
    late = f"import time; time.sleep(0.4); open({str(tmp_path / 'late')!r}, 'w').close()"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {late!r}])"
    run(Program(code), job(tmp_path), {})
    assert not (tmp_path / "late").exists()
    outcome = run(Program(code), job(tmp_path), {}, linger=10)
    assert (tmp_path / "late").exists()
    assert outcome.seconds < 10


# ---- lines


def test_what_is_no_record_of_the_host_is_a_line_and_nothing_is_dropped(tmp_path) -> None:
    code = """
import sys
print('started s1'); print('plain words'); print('{"type": "delta"}'); print('{broken'); print('{}'); print()
print('oh dear', file=sys.stderr)
"""
    seen: list[tuple[str, str]] = []
    outcome = run(Program(code), job(tmp_path), {}, on_line=lambda *line: seen.append(line))
    assert [line for channel, line in seen if channel == "stdout"] == ["plain words", "{broken", "{}", ""]
    assert ("stderr", "oh dear") in seen
    assert outcome.silent == {"delta": 1}


def test_every_line_of_a_host_that_prints_text_is_one(tmp_path) -> None:
    @dataclass(frozen=True)
    class Text(Program):
        TEXT = True

    seen: list[tuple[str, str]] = []
    code = "print('{\"a\": 1}'); print('The answer.')"
    outcome = run(Text(code), job(tmp_path), {}, on_line=lambda *line: seen.append(line))
    assert seen == [("stdout", '{"a": 1}'), ("stdout", "The answer.")]
    assert outcome.text == '{"a": 1}\nThe answer.'


def test_an_object_over_many_lines_is_read_as_one(tmp_path) -> None:
    @dataclass(frozen=True)
    class One(Program):
        OBJECT = True

        def read(self, line: str) -> Sequence[RunEvent]:
            return [Said(json.loads(line)["a"])] if line[:1] == "{" and '"a"' in line else []

    seen: list[tuple[str, str]] = []
    code = """print('before', '{', '  "a": "said",', '  "b": {', '  }', '}', 'after', '{', '  "left": 1', sep='\\n')"""
    outcome = run(One(code), job(tmp_path), {}, on_line=lambda *line: seen.append(line))
    assert outcome.said == ("said",)
    assert seen == [("stdout", "before"), ("stdout", "after")]


def test_a_record_as_long_as_is_promised_is_read_whole(tmp_path) -> None:
    code = f"print('said ' + 'x' * {WHOLE - 100})"
    assert len(run(Program(code), job(tmp_path), {}).said[0]) == WHOLE - 100


MEASURED = """
import sys, threading
sys.path.insert(0, {tests!r})
from test_run import *
peak = lambda: int(next(l for l in open("/proc/self/status") if l.startswith("VmHWM")).split()[1])
seen = [0, 0, 0]
def on_line(channel, line):
    seen[0] += 1; seen[1] += len(line.removesuffix(CUT)); seen[2] = max(seen[2], len(line))
run(Program("print('said a')"), Job("p", "."), {{}}, on_line=on_line)
before = peak()
outcome = run(Program({code!r}), Job("p", "."), {{}}, on_line=on_line, keep=100)
print(json.dumps([peak() - before, *seen, len(outcome.events), outcome.forgotten, outcome.why]))
"""


def measured(tmp_path, code: str) -> list:
    """Kilobytes beyond those of an idle run, lines, characters, the longest line, events, events forgotten, why."""
    script = MEASURED.format(tests=str(Path(__file__).parent), code=code)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def flood(megabytes: int) -> dict[str, tuple[str, int, int]]:
    """A program, the characters of text lines that come out of it, and the events."""
    size = megabytes << 20
    return {
        "one endless line": (f"import sys\nfor _ in range({megabytes}): sys.stdout.write('x' * (1 << 20))", size, 0),
        "many lines": (f"for _ in range({size // 1024}): print('y' * 1023)", size // 1024 * 1023, 0),
        "many records": (f"for _ in range({size // 1024}): print('said', 'z' * 1018)", 0, size // 1024),
    }


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak is read from /proc")
@pytest.mark.parametrize("kind", flood(1))
@pytest.mark.parametrize("megabytes", [48, pytest.param(1024, marks=pytest.mark.soak)])
def test_a_flood_takes_bounded_memory(tmp_path, kind: str, megabytes: int) -> None:
    code, characters, events = flood(megabytes)[kind]
    kilobytes, _, text, longest, kept, forgotten, why = measured(tmp_path, code)
    assert kilobytes < 36 * 1024
    assert (text, why) == (characters, "exited")
    assert longest <= PIECE + len(CUT)
    assert (kept, forgotten) == (min(100, events), max(0, events - 100))


def test_pieces_of_a_text_are_handed_out_joined(tmp_path) -> None:
    code = "print('piece one ')\nprint('piece and two')\nprint('said three')\nprint('piece four')"
    seen: list[RunEvent] = []
    outcome = run(Program(code), job(tmp_path), {}, on_event=seen.append)
    assert outcome.said == ("one and two", "three", "four")
    assert tuple(seen) == outcome.events


# ---- how it ends


FOREVER = "import time; print('said up', flush=True); time.sleep(600)"


def test_a_run_is_stopped_from_outside(tmp_path) -> None:
    stop = threading.Event()
    outcome = run(Program(FOREVER), job(tmp_path), {}, stop=stop, on_event=lambda event: stop.set())
    assert (outcome.why, outcome.exit_code, outcome.ok, outcome.said) == ("stopped", None, False, ("up",))


def test_a_run_without_a_word_is_ended_though_its_time_is_not_over(tmp_path) -> None:
    outcome = run(Program(FOREVER), job(tmp_path), {}, seconds=600, stall=0.6)
    assert (outcome.why, outcome.timed_out, outcome.said) == ("stall", True, ("up",))


def test_whoever_speaks_is_not_ended_and_a_slow_listener_is_no_silence(tmp_path) -> None:
    code = "import time\nfor n in range(12): print('still here', flush=True); time.sleep(0.1)"
    assert run(Program(code), job(tmp_path), {}, stall=0.6).why == "exited"
    slow = threading.Event()
    code = "import time; print('one', flush=True); time.sleep(1.1)"
    outcome = run(Program(code), job(tmp_path), {}, stall=0.6, on_line=lambda *line: slow.wait(1.0) and None)
    assert outcome.why == "exited"


STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
for number in range(3):
    if os.fork() == 0 and number == 1:
        os.setsid()
print("said", os.getpid(), flush=True)
while True:
    time.sleep(0.05)
    if os.fork() == 0:
        time.sleep(600)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="who left the group is found on Linux alone")
def test_a_program_that_ignores_the_request_and_forks_is_ended_with_all_of_it(tmp_path) -> None:
    mark = f"HOME={tmp_path}"
    stop = threading.Event()
    outcome = run(
        Program(STUBBORN),
        job(tmp_path),
        {"HOME": str(tmp_path)},
        marks=[mark],
        stop=stop,
        grace=0.3,
        on_event=lambda event: stop.set(),
    )
    assert (outcome.why, outcome.ended) == ("stopped", True)
    assert process.marked([mark]) == []
    assert all(state(int(pid)) in ("Z", "gone") for pid in outcome.said)


def test_nothing_is_handed_out_after_the_run(tmp_path, monkeypatch) -> None:
    """A process that nobody finds holds the pipe and goes on to write."""
    monkeypatch.setattr(watch, "LATE", 0.3)
    late = "import time\nfor n in range(20): print('said late', flush=True); time.sleep(0.1)"
    code = (
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {late!r}], start_new_session=True, env={{}})"
    )
    seen: list[RunEvent] = []
    run(Program(code), job(tmp_path), {}, on_event=seen.append, stall=5)
    there = len(seen)
    threading.Event().wait(0.5)
    assert len(seen) == there


def test_what_a_listener_raises_ends_the_run_and_reaches_the_caller(tmp_path) -> None:
    def raises(event: RunEvent) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run(Program("import time; print('said a', flush=True); time.sleep(600)"), job(tmp_path), {}, on_event=raises)


def test_a_starter_of_ones_own_is_told_all_and_its_process_is_used(tmp_path) -> None:
    told: list = []

    def start(argv, cwd, environment):
        told.append((argv, cwd, environment))
        return process.start(["env", "-C", cwd, *argv], cwd="/", environment=environment, talks=True)

    outcome = run(Program("import os; print('said', os.getcwd())"), job(tmp_path), {"A": "1"}, start=start)
    assert outcome.said == (str(tmp_path),)
    assert told[0][1:] == (str(tmp_path), {"A": "1", "ENDPOINT": ""})


# ---- what is told of it


def test_steps_add_up(tmp_path) -> None:
    outcome = run(Program("print('used 10'); print('used 5'); print('end')"), job(tmp_path), {})
    assert (outcome.usage, outcome.cost_usd) == (Usage(15, output=2), 1.0)


@pytest.mark.parametrize(
    ("more", "of_the_run"),
    [({}, Usage(70)), ({"resume": "s1"}, None), ({"resume": "s1", "spent": Usage(50)}, Usage(20))],
    ids=["new", "resumed", "resumed with what was spent before"],
)
def test_a_total_of_the_whole_session_is_that_of_a_new_one_alone(
    tmp_path, more: dict, of_the_run: Usage | None
) -> None:
    outcome = run(Program("print('total 70')"), job(tmp_path, **more), {})
    assert (outcome.usage, outcome.session_usage) == (of_the_run, Usage(70))


def test_the_last_error_is_told(tmp_path) -> None:
    code = "import sys; print('error of the host'); print('first\\nlast', file=sys.stderr); sys.exit({})"
    assert run(Program(code.format(3)), job(tmp_path), {}).error == "of the host"
    assert run(Program(code.replace("print('error of the host'); ", "").format(3)), job(tmp_path), {}).error == "last"
    assert run(Program(code.format(0)), job(tmp_path), {}).error is None
