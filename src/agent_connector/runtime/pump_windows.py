"""The server as a child process on Windows: the same two pumps and the same tap, with what Windows has for the rest.

There are no process groups: this process joins a job of its own, in which everything that it starts is born, and the
system ends the job with its last handle, however this process dies. There are no signals: a server that does not end
is terminated. Programs that are batch files (`npx.cmd`) are started through the command interpreter.
"""

import os
import subprocess
import sys
import time
from _thread import allocate_lock, start_new_thread

from agent_connector.runtime.pump import Way
from agent_connector.runtime.pump_tap import Tap
from agent_connector.telemetry.frames import IN, OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable, Mapping

AFTER_EOF = 10.0
QUIET = 0.5
TURN = 0.1
IDLE_PRIORITY, BREAKAWAY, NO_WINDOW = 0x40, 0x01000000, 0x08000000
KILL_ON_CLOSE, BREAKAWAY_OK = 0x2000, 0x800
EXTENDED_LIMITS = 9
ON_WINDOWS = sys.platform == "win32"


class Clock:
    """Ends a server that outstays its host: once stdin is closed, after some quiet."""

    def __init__(self, patience: float, moved: "Callable[[], int]") -> None:
        self.patience = patience
        self.moved = moved
        self.seen = -1
        self.end = 0.0

    def start(self) -> None:
        self.seen = self.moved()
        self.end = time.monotonic() + self.patience

    def over(self) -> bool:
        """True when the patience is over; while answers flow it starts anew."""
        if not self.end or time.monotonic() < self.end:
            return False
        if self.moved() != self.seen:
            self.start()
            return False
        return True


def run(command: "list[str]", environment: "Mapping[str, str]", measuring: "list[str] | None", grace: float) -> int:
    """Serve until the server has ended; returns its exit code."""
    job = contain()
    line = batch(command, environment) if ON_WINDOWS else None
    server = subprocess.Popen(
        line or command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=dict(environment), bufsize=0
    )
    assert server.stdin  # noqa: S101 (for the type checker)
    assert server.stdout  # noqa: S101
    tap = start_measuring(measuring)
    inward, outward = Way(0, server.stdin.fileno()), Way(server.stdout.fileno(), 1)
    clock = Clock(min(AFTER_EOF, grace), lambda: outward.moved)
    finished = allocate_lock()
    finished.acquire()

    def host_to_server() -> None:
        inward.run(tap.shower(IN) if tap else None)
        os.close(inward.sink)
        clock.start()

    def server_to_host() -> None:
        if outward.run(tap.shower(OUT) if tap else None) == "sink":
            os.close(outward.source)
            clock.start()
        outward.state = "done"
        finished.release()

    start_new_thread(host_to_server, ())
    start_new_thread(server_to_host, ())
    code = wait(server, clock)
    finish(outward, finished)
    settle(tap)
    del job
    return code - (1 << 32) if code >= 1 << 31 else code


def wait(server: "subprocess.Popen[bytes]", clock: Clock) -> int:
    """The server's exit code; a server that stays too long is ended."""
    while True:
        try:
            return server.wait(TURN)
        except subprocess.TimeoutExpired:
            if clock.over():
                server.kill()


def finish(outward: Way, finished: "LockType") -> None:
    """Bring out what the server still wrote."""
    seen = -1
    while outward.state != "done":
        if outward.state == "read" and outward.moved == seen:
            return
        seen = outward.moved
        finished.acquire(True, QUIET)


def settle(tap: "Tap | None") -> None:
    """Give the last frames a moment to go out."""
    end = time.monotonic() + 0.3
    while tap and not tap.settled() and time.monotonic() < end:
        time.sleep(0.01)


def start_measuring(command: "list[str] | None") -> "Tap | None":
    """Start the measuring process outside the job, so that it can finish; None when it cannot be."""
    if not command:
        return None
    flags = (IDLE_PRIORITY | NO_WINDOW | BREAKAWAY, IDLE_PRIORITY | NO_WINDOW) if ON_WINDOWS else (0,)
    for each in flags:
        try:
            helper = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                creationflags=each,
                bufsize=0,
            )
        except OSError:
            continue
        assert helper.stdin  # noqa: S101
        tap = Tap(os.dup(helper.stdin.fileno()))
        helper.stdin.close()
        helper.returncode = 0  # nobody waits for it
        tap.start()
        return tap
    return None


def batch(command: "list[str]", environment: "Mapping[str, str]") -> "str | list[str]":
    """How to start `command`: as it is, or a command line for the interpreter when it is a batch file."""
    import shutil

    path = shutil.which(command[0], path=environment.get("PATH")) or command[0]
    if not path.lower().endswith((".cmd", ".bat")):
        return [path, *command[1:]]
    words = " ".join(quoted(word) for word in [path, *command[1:]])
    return f'{environment.get("COMSPEC", "cmd.exe")} /e:ON /v:OFF /d /c "{words}"'


def quoted(word: str) -> str:
    """An argument of a batch file. A percent sign is followed by an empty slice of a variable, or it would expand."""
    inner = word.replace('"', '""').replace("%", "%%cd:~,%").replace("\r", "").replace("\n", " ")
    tail = len(inner) - len(inner.rstrip("\\"))
    return '"' + inner + "\\" * tail + '"'


def contain() -> object:
    """Put this process into a job that ends with it. Returns the handle to hold, None where there are no jobs."""
    if sys.platform != "win32":
        return None
    import ctypes

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = limit_bytes(ctypes.sizeof(ctypes.c_void_p))
    kernel.SetInformationJobObject(job, EXTENDED_LIMITS, limits, len(limits))
    kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))
    return job


def limit_bytes(pointer: int) -> bytes:
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION with nothing but its flags, for a pointer of that many bytes.

    The flags stand behind two 64-bit times; the whole is 144 bytes in 64-bit programs and 112 in 32-bit ones.
    """
    flags = (KILL_ON_CLOSE | BREAKAWAY_OK).to_bytes(4, "little")
    return bytes(16) + flags + bytes((144 if pointer == 8 else 112) - 20)
