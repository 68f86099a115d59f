"""Nothing of a run outlives the worker, nor its end: here without a sandbox, where nothing else helps."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.worker.sandbox.lives import CASES, PATIENCE, STAYS, begin, close, comes, first_line, gone

from agent_connector.drive.events import Job
from agent_connector.drive.run import run as drive
from agent_connector.errors import HostError, SandboxError
from agent_connector.hosts.claude_code import headless
from agent_connector.worker.sandbox import jobs, launch, none
from agent_connector.worker.sandbox.policy import Policy, Wrapped


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_left(case: Callable[[str, Policy], None], run: Policy) -> None:
    case("none", run)


def test_what_ends_a_run_from_outside_is_done_when_all_is_over(run: Policy) -> None:
    """A container, for one, lives on when its client is killed."""
    note = Path(run.workspace, "ended")
    wrapped = Wrapped(("sh", "-c", STAYS), {"PATH": "/usr/bin:/bin", "HOME": run.home}, after=("touch", str(note)))
    process = launch.begin(wrapped, run.workspace)
    assert first_line(process) == "up" and not note.exists()
    os.killpg(process.pid, 9)
    close(process)
    assert gone(run)
    assert comes(note.exists)
    process.wait()


def test_the_environment_is_what_was_given_and_the_input_too(run: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARD_KEY", "mcp_secret")
    process = launch.starter(none, run, talks=True)(
        ["sh", "-c", "cat; env"], run.workspace, {"PATH": "/usr/bin:/bin", "A": "b"}
    )
    out, _ = process.communicate(b"said\n", timeout=PATIENCE)
    names = {line.partition("=")[0] for line in out.decode().splitlines()[1:]}
    assert (
        out.startswith(b"said\n") and "A" in names and names <= {"A", "PATH", "PWD", "LC_CTYPE", "_", "SHLVL", "OLDPWD"}
    )


def test_no_sandbox_is_said_at_each_start(run: Policy, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        process = begin("none", run, "exit 0")
        process.communicate(timeout=PATIENCE)
    assert capfd.readouterr().err.count("NO sandbox") == 2


def test_a_missing_program_and_a_folder_of_keys_are_errors_before_the_start(run: Policy, tmp_path: Path) -> None:
    with pytest.raises(HostError, match="no program 'missing'"):
        launch.starter(none, run)(["missing"], run.workspace, {"PATH": "/usr/bin:/bin"})
    with pytest.raises(SandboxError, match="keys lie in"):
        launch.starter(none, Policy(os.path.expanduser("~/.ssh"), run.home))


def test_drive_runs_and_times_out_what_a_starter_starts(run: Policy, tmp_path: Path) -> None:
    program = tmp_path / "agent"
    program.write_text(f"#!/bin/sh\n{STAYS}\n")
    program.chmod(0o755)
    job = Job("prompt", run.workspace, program=str(program))
    variables = {"PATH": "/usr/bin:/bin", "HOME": run.home}
    lines: list[str] = []
    took = drive(
        headless,
        job,
        variables,
        seconds=5,  # in which it has to come to its first line
        grace=1,
        start=launch.starter(none, run),
        on_line=lambda channel, line: lines.append(line),
    )
    assert took.why == "timeout" and lines == ["up"] and gone(run)


class Windows:
    """The calls that Windows would get, in order."""

    def __init__(self, **answers: int) -> None:
        self.calls: list[str] = []
        self.answers: Mapping[str, int] = answers
        self.flags = 0

    def __getattr__(self, name: str) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            self.calls.append(name)
            if name == "SetInformationJobObject":
                self.flags = arguments[2]._obj.basic.flags
            return self.answers.get(name, 1)

        return call


def test_on_windows_a_run_is_in_its_job_before_it_does_anything(run: Policy) -> None:
    system = Windows()
    wrapped = Wrapped(("sh", "-c", "exit 0"), {"PATH": "/usr/bin:/bin"})
    process = jobs.begin(wrapped, run.workspace, 0, system, system)
    assert system.calls == [
        "CreateJobObjectW",
        "SetInformationJobObject",
        "AssignProcessToJobObject",
        "NtResumeProcess",
    ]
    assert system.flags & 0x2000 and not system.flags & 0x1800  # all end with the job; nobody may break away from it
    jobs.end(process, system)
    process.communicate(timeout=PATIENCE)
    del process
    assert system.calls[4:] == ["TerminateJobObject", "CloseHandle"]


@pytest.mark.parametrize("call", ["CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject"])
def test_on_windows_without_a_job_there_is_no_run(run: Policy, call: str) -> None:
    system = Windows(**{call: 0})
    with pytest.raises(SandboxError):
        jobs.begin(Wrapped(("sleep", "1000"), {"PATH": "/usr/bin:/bin"}), run.workspace, 0, system, system)
    assert "NtResumeProcess" not in system.calls
