"""The server as a child process on Linux and macOS: started, signalled, ended, and never left behind.

The server leads a process group of its own, so that what it starts can be ended with it. A tiny forked guard in a
session of its own holds one end of a pipe: when this process dies without a word (kill -9), the pipe closes and the
guard ends the group.
"""

import os
import select
import sys
import time
from _thread import allocate_lock, start_new_thread

from agent_connector.runtime.pump import Way
from agent_connector.runtime.pump_tap import Tap
from agent_connector.telemetry.frames import IN, OUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping, Sequence
else:
    import _signal as signal  # the module around it builds enums

FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
ENDING = {signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
OURS = {signal.SIGALRM, signal.SIGCHLD}
AFTER_EOF = 10.0  # seconds that a server gets once its host has closed stdin and still listens
AFTER_TERM = 5.0  # until KILL follows a forwarded TERM
AFTER_LOSS = 2.0  # when the host is gone: to TERM, and again to KILL
QUIET = 0.5  # how long output may rest after the server's end before we stop listening
PIPE_SIZE = 1 << 20
F_SETPIPE_SZ = 1031


class Server:
    """A running server, its two pipes, and the steps towards its end."""

    def __init__(self, pid: int, stdin: int, stdout: int, grace: float) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.patience = (min(AFTER_EOF, grace), min(AFTER_TERM, grace), min(AFTER_LOSS, grace))
        self.inward = Way(0, stdin)
        self.outward = Way(stdout, 1)
        self.finished = allocate_lock()
        self.finished.acquire()
        self.termed = False
        self.seen = -1

    def send(self, number: int) -> bool:
        """Signal the server's whole group. False when nothing of it is left."""
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def forward(self, number: int) -> None:
        """A signal of the host's goes on to the server; one that means the end is followed up."""
        self.send(number)
        if number in ENDING:
            self.termed = True
            signal.setitimer(signal.ITIMER_REAL, self.patience[1])

    def overdue(self) -> None:
        """The patience is over: TERM, then KILL. While answers still reach the host, it starts anew."""
        if not self.termed and self.outward.moved != self.seen and not listener_gone():
            self.seen = self.outward.moved
            signal.setitimer(signal.ITIMER_REAL, self.patience[0])
            return
        self.send(signal.SIGKILL if self.termed else signal.SIGTERM)
        self.termed = True
        signal.setitimer(signal.ITIMER_REAL, self.patience[2])

    def host_to_server(self, tap: "Tap | None") -> None:
        """Move requests until one side closes, and tell the other side so."""
        end = self.inward.run(tap.shower(IN) if tap else None)
        os.close(self.stdin)
        if end == "sink":
            close_for_good(0)  # the host learns that nobody reads
            return
        self.seen = self.outward.moved
        signal.setitimer(signal.ITIMER_REAL, self.patience[2] if listener_gone() else self.patience[0])

    def server_to_host(self, tap: "Tap | None") -> None:
        """Move answers until one side closes, and tell the other side so."""
        end = self.outward.run(tap.shower(OUT) if tap else None)
        if end == "sink":
            os.close(self.stdout)  # the server learns that nobody reads
            signal.setitimer(signal.ITIMER_REAL, self.patience[2])
        else:
            close_for_good(1)
        self.outward.state = "done"
        self.finished.release()


def listener_gone() -> bool:
    """True when the other end of our stdout is closed."""
    poll = select.poll()
    poll.register(1, 0)
    return bool(poll.poll(0))


def close_for_good(descriptor: int) -> None:
    """Close it for the other side, and keep its number from being used for something else."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)


def start(command: "list[str]", environment: "Mapping[str, str]", grace: float) -> Server:
    """Start the server between two pipes. OSError says why it cannot be."""
    if "PATH" in environment:
        os.environ["PATH"] = environment["PATH"]  # where the program is looked for
    theirs_in, ours_in = os.pipe()
    ours_out, theirs_out = os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, theirs_in, 0), (os.POSIX_SPAWN_DUP2, theirs_out, 1)]
    ignored = [getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ", "SIGXFZ") if hasattr(signal, name)]

    def spawn(argv: "list[str]") -> int:
        return os.posix_spawnp(
            argv[0], argv, environment, file_actions=actions, setpgroup=0, setsigmask=[], setsigdef=ignored
        )

    try:
        pid = spawn(command)
    except OSError as error:
        if error.errno != 8:  # ENOEXEC: a script without its first line; shells run it, and so did the host
            raise
        pid = spawn(["/bin/sh", *command])
    os.close(theirs_in)
    os.close(theirs_out)
    return Server(pid, ours_in, ours_out, grace)


def guard(group: int, patience: float) -> "tuple[int, int]":
    """Fork the guard of the server's group. Returns (its process id, the descriptor whose closing calls it)."""
    theirs, ours = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        return 0, ours
    if pid:
        os.close(theirs)
        return pid, ours
    try:
        os.setsid()
        for number in FORWARDED:
            signal.signal(number, signal.SIG_IGN)
        os.close(ours)
        os.dup2(theirs, 0)
        os.closerange(1, 1024)
        os.chdir("/")
        if os.read(0, 1) == b"":
            os.killpg(group, signal.SIGTERM)
            end = time.monotonic() + patience
            while time.monotonic() < end:
                time.sleep(0.05)
                os.killpg(group, 0)
            os.killpg(group, signal.SIGKILL)
    finally:
        os._exit(0)


def start_measuring(command: "list[str]", environment: "Mapping[str, str]") -> "tuple[int, Tap | None]":
    """Start the measuring process; (0, None) when it cannot be."""
    theirs, ours = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, theirs, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        pid = os.posix_spawn(
            command[0],
            command,
            environment,
            file_actions=actions,
            setpgroup=0,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE],
        )
    except OSError:
        os.close(ours)
        return 0, None
    finally:
        os.close(theirs)
    enlarge(ours)
    announce(command, pid)
    return pid, Tap(ours)


def announce(command: "Sequence[str]", pid: int) -> None:
    """Leave word that this process counts for us, for a report that is asked for right after our end."""
    root = next((word[5:] for word in command if word.startswith("root=")), "")
    folder = root + "/telemetry/live"
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        os.close(os.open(folder + "/" + str(os.getpid()) + "." + str(pid), os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError:
        return


def enlarge(pipe: int) -> None:
    """A larger pipe, where the system grants it: fewer bytes have to wait here."""
    if sys.platform == "linux":
        import fcntl

        try:  # noqa: SIM105 (contextlib is not for this path)
            fcntl.fcntl(pipe, F_SETPIPE_SZ, PIPE_SIZE)
        except OSError:
            pass


def run(command: "list[str]", environment: "Mapping[str, str]", measuring: "list[str] | None", grace: float) -> int:
    """Serve until the server has ended; returns its exit code, negative for the signal that ended it.

    Signals are blocked and waited for, never handled: a handler can come in the moment before a wait and be missed.
    """
    heard: set[int] = {number for number in FORWARDED if signal.getsignal(number) != signal.SIG_IGN}
    signal.signal(signal.SIGCHLD, lambda number, frame: None)  # what is ignored by default may not be kept for a wait
    signal.pthread_sigmask(signal.SIG_BLOCK, heard | OURS)
    server = start(command, environment, grace)
    guardian, rope = guard(server.pid, min(AFTER_LOSS, grace))
    helper, tap = start_measuring(measuring, os.environ) if measuring else (0, None)
    if tap:
        tap.start()
    start_new_thread(server.host_to_server, (tap,))
    start_new_thread(server.server_to_host, (tap,))
    status = watch(server, heard, helper, tap)
    finish(server)
    if tap:
        settle(tap)
    dismiss(guardian, rope)
    return os.waitstatus_to_exitcode(status)


def watch(server: Server, heard: "set[int]", helper: int, tap: "Tap | None") -> int:
    """Pass signals on until the server has ended; returns its wait status."""
    while True:
        number = signal.sigwait(heard | OURS)
        if number == signal.SIGALRM:
            server.overdue()
        elif number != signal.SIGCHLD:
            server.forward(number)
        elif (status := reap(server.pid, helper, tap)) is not None:
            return status


def reap(pid: int, helper: int, tap: "Tap | None") -> "int | None":
    """The server's wait status once it has ended. A measuring process that dies on the way is forgotten."""
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended == pid:
            return status
        if ended == 0:
            return None
        if ended == helper and tap:
            tap.close()


def dismiss(guardian: int, rope: int) -> None:
    """There is nothing left to guard."""
    if guardian:
        try:
            os.write(rope, b".")
            os.kill(guardian, signal.SIGKILL)
            os.waitpid(guardian, 0)
        except OSError:
            pass


def finish(server: Server) -> None:
    """Bring out what the server still wrote, unless we are told to end; and end what it left behind in its group."""
    server.finished.acquire(True, QUIET)
    if server.send(signal.SIGTERM):
        end = time.monotonic() + server.patience[2]
        while time.monotonic() < end and server.send(0):
            time.sleep(0.02)
        server.send(signal.SIGKILL)
    seen = -1
    while server.outward.state != "done" and not signal.sigpending() & ENDING:
        if server.outward.state == "read" and server.outward.moved == seen:
            return  # something outside the group holds the pipe open and says nothing
        seen = server.outward.moved
        server.finished.acquire(True, QUIET)


def settle(tap: Tap) -> None:
    """Give the last frames a moment to go out."""
    end = time.monotonic() + 0.3
    while not tap.settled() and time.monotonic() < end:
        time.sleep(0.01)
