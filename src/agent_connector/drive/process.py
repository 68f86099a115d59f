"""Start a program so that all of it can be ended again: the program, its process group, and what left the group.

On Linux a process that made itself a session of its own is still found: by an entry of its environment ("mark") that
only the caller gave out, such as a private HOME. Elsewhere only the group (on Windows the tree) is ended.
"""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from agent_connector.errors import HostError

GRACE = 3.0  # seconds between asking and forcing
FORCED = 10.0  # seconds for the system to end what was forced
STEP = 0.02


# How a program is started: the command line, its folder, its whole environment. What starts it in a sandbox has this
# form too; both outputs are pipes, and so is the input where the program is talked to (ACP).
Starter = Callable[[Sequence[str], str, Mapping[str, str]], "subprocess.Popen[bytes]"]


def start(
    argv: Sequence[str], cwd: str, environment: Mapping[str, str], *, talks: bool = False
) -> "subprocess.Popen[bytes]":
    """The program as the leader of a new process group, both outputs in pipes; nothing to read unless one `talks` to it."""
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    try:
        return subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=dict(environment),
            stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            creationflags=flags,
        )
    except FileNotFoundError:
        raise HostError(f"there is no program {argv[0]!r}", remedy="install the host, or put it on the PATH") from None
    except OSError as error:
        long = error.errno == errno.E2BIG
        remedy = "the prompt is too long for a command line (128 kB on Linux): shorten it, or use ACP" if long else ""
        raise HostError(f"{argv[0]!r} cannot be started: {error.strerror or error}", remedy=remedy) from None


def talking(argv: Sequence[str], cwd: str, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """A program that is talked to: its input is a pipe."""
    return start(argv, cwd, environment, talks=True)


def end(process: "subprocess.Popen[bytes]", *, marks: Sequence[str] = (), grace: float = GRACE) -> bool:
    """Ask everything that belongs to `process` to stop, force what does not, and reap it.

    True: nothing of it lives. A process that not even force ends (it hangs in the system) is waited for a while only.
    """
    if sys.platform == "win32":
        _end_tree(process)
        return True
    met = _ask(process, marks, signal.SIGTERM)
    deadline = time.monotonic() + grace
    while _lives(process, marks) and time.monotonic() < deadline:
        time.sleep(STEP)
    deadline = time.monotonic() + FORCED
    while True:  # what is forked between a look and a blow is met by the next one
        met |= _ask(process, marks, signal.SIGKILL)
        # one that is on its way out has no environment any more, and is no zombie yet
        if not _lives(process, marks) and not any(_status(pid) for pid in met):
            process.wait()
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(STEP)


def sweep(marks: Sequence[str]) -> None:
    """End every process that holds one of `marks`, whoever started it: for the end of what the marks stand for."""
    while pids := marked(marks):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(STEP)


def settle(process: "subprocess.Popen[bytes]", *, marks: Sequence[str] = (), seconds: float) -> None:
    """Give what a program that is over has started up to `seconds` to come to its own end."""
    deadline = time.monotonic() + seconds
    while sys.platform != "win32" and _lives(process, marks) and time.monotonic() < deadline:
        time.sleep(STEP)


def marked(marks: Sequence[str]) -> list[int]:
    """The live processes whose environment holds one of `marks` ("NAME=value"); none where there is no /proc."""
    wanted = {mark.encode() for mark in marks}
    if not wanted or not sys.platform.startswith("linux"):
        return []
    return [pid for pid in _pids() if pid != os.getpid() and wanted & _environment(pid)]


def _ask(process: "subprocess.Popen[bytes]", marks: Sequence[str], number: int) -> set[int]:
    """The marked processes that were there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
    found = marked(marks)
    for pid in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
    return set(found)


def _lives(process: "subprocess.Popen[bytes]", marks: Sequence[str]) -> bool:
    """Is the program, a member of its group that is no zombie, or a marked process still there?"""
    return process.poll() is None or _group_lives(process.pid) or bool(marked(marks))


def _group_lives(group: int) -> bool:
    """Zombies count on other systems than Linux: they go as soon as their parent, or init, reaps them."""
    if sys.platform.startswith("linux"):
        return any(_status(pid) == group for pid in _pids())
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _pids() -> Iterable[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdigit())


def _status(pid: int) -> int:
    """The process group, 0 for a process that is gone or only waits to be reaped."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0
    return 0 if fields[0] in (b"Z", b"X") else int(fields[2])


def _environment(pid: int) -> set[bytes]:
    """A zombie has none, and another user's cannot be read."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return set(file.read().split(b"\0"))
    except OSError:
        return set()


def _end_tree(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], check=False, capture_output=True)
        process.wait()
