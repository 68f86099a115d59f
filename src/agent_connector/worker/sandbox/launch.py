"""Start a command in a sandbox so that it cannot outlive the worker, and stop all of it.

On POSIX through `supervisor.py`; on Windows in a job object. The process that is given back stands for all of the run:
it ends when the command does, and whatever ends it ends the rest.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping, Sequence

from agent_connector.drive.process import Starter, marked
from agent_connector.errors import HostError, SandboxError
from agent_connector.worker.sandbox import jobs, none, paths, system
from agent_connector.worker.sandbox.policy import Kind, Policy, Wrapped

GRACE = 10.0  # seconds between asking and forcing
SURE = 10.0  # seconds for the system to bury what was killed
STEP = 0.02


def starter(kind: Kind, policy: Policy, *, talks: bool = False) -> Starter:
    """What `drive.run` starts a program with; `talks` for a program whose input is a pipe. SandboxError at once when
    the policy would show keys.

    `drive.run` needs no marks then: whoever belongs to the run is found without, and a mark would hit the monitor too.
    """
    paths.check(policy)

    def start(argv: Sequence[str], cwd: str, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        if kind.NAME == none.NAME:
            sys.stderr.write(none.NOTICE)
        program = shutil.which(argv[0], path=environment.get("PATH"))
        if program is None and kind.NAME != "container":  # a container has programs of its own
            raise HostError(f"there is no program {argv[0]!r}", remedy="install the host, or put it on the PATH")
        return begin(kind.wrap(argv, policy, environment), cwd, talks=talks)

    return start


def begin(wrapped: Wrapped, cwd: str, *, talks: bool = False) -> "subprocess.Popen[bytes]":
    """The command as a process whose end, or the worker's, is the end of everything that it started."""
    stdin = subprocess.PIPE if talks else subprocess.DEVNULL
    if sys.platform == "win32":
        return jobs.begin(wrapped, cwd, stdin)
    reading, writing = os.pipe()
    line = [*system.helper("supervisor"), str(reading), str(int(wrapped.monitor)), *wrapped.after, "--"]
    try:
        process = subprocess.Popen(
            [*line, *wrapped.argv],
            cwd=cwd,
            env=dict(wrapped.environment),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            pass_fds=(reading,),
        )
    except OSError as error:
        os.close(writing)
        raise SandboxError(f"the run's supervisor cannot be started in {cwd}: {error.strerror or error}") from error
    finally:
        os.close(reading)
    weakref.finalize(process, os.close, writing)  # held as long as anybody holds the process
    return process


def stop(process: "subprocess.Popen[bytes]", grace: float = GRACE, policy: Policy | None = None) -> None:
    """Ask all of the run to end, force what does not; SandboxError when something of it lives on all the same."""
    if sys.platform == "win32":
        jobs.end(process)
    elif process.poll() is None:
        process.terminate()
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            process.kill()
    try:
        process.wait(SURE)
    except subprocess.TimeoutExpired:
        raise SandboxError(f"the run's process {process.pid} cannot be killed") from None
    if policy:
        clear(policy)


def clear(policy: Policy) -> None:
    """See that nothing of the run lives: kill what does; SandboxError when that does not help."""
    deadline = time.monotonic() + SURE
    while left := alive(policy):
        if time.monotonic() > deadline:
            which = ", ".join(map(str, left))
            raise SandboxError(f"processes of a run cannot be ended: {which}", where=policy.workspace)
        for pid in left:
            _kill(pid)
        time.sleep(STEP)


def alive(policy: Policy) -> list[int]:
    """The processes that have the run's home as their HOME or their folder (Linux).

    Not those in the workspace: a person's editor may be at work there.
    """
    if not sys.platform.startswith("linux"):
        return []
    home = (os.path.realpath(policy.home),)
    there = (int(name) for name in os.listdir("/proc") if name.isdigit() and system.inside(_cwd(name), home))
    return sorted({*there, *marked([f"HOME={policy.home}"])} - {os.getpid()})


def _cwd(pid: str) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
