"""Starts a command so that nothing of it outlives the worker, nor this process, whatever either dies of.

main([LIFELINE, MONITOR, AFTER ..., "--", COMMAND ...])

LIFELINE is a descriptor whose other end the worker holds: its end means the worker is gone. MONITOR is 1 when the
command's first process only watches over the rest. AFTER is a command that is run when all is over.

Two processes: the first stands where the worker's program thinks that the command stands, passes on signals and the way
it ended; the second (the guard, in a session of its own, out of reach of a kill of the first's group) is the one that
started the command. Each is a child-subreaper, so that whoever leaves its parent is found below one of them, and each
ends everything when the other is gone. Standard library only; it knows nothing of the package.
"""

import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # the other doubles the time of a start

SUBREAPER = 36
KEYCTL = {"x86_64": 250, "aarch64": 219}
JOIN_SESSION_KEYRING = 1
STEP = 0.01
ASK = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


def main(words: "list[str]") -> None:
    lifeline, monitor = int(words[0]), words[1] == "1"
    split = words.index("--")
    after, command = words[2:split], words[split + 1 :]
    os.set_inheritable(lifeline, False)
    reading, writing = os.pipe()
    adopt()

    def ask(number: int, frame: object) -> None:
        try:
            os.write(writing, b"T")
        except OSError:
            return  # the guard is gone, and we are about to see it

    for number in ASK:
        signal.signal(number, ask)
    guard = os.fork()
    if guard == 0:
        os.close(writing)
        os._exit(Guard(lifeline, reading, monitor, command).run(after))
    os.close(reading)
    os.close(lifeline)
    quiet()
    _, status = os.waitpid(guard, 0)
    end_all()  # only when the guard was killed is there anything left
    leave(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


class Guard:
    """The second process."""

    def __init__(self, lifeline: int, control: int, monitor: bool, command: "list[str]") -> None:
        self.lifeline = lifeline
        self.control = control
        self.monitor = monitor
        self.command = command

    def run(self, after: "list[str]") -> int:
        """Start the command, wait for its end or the end of whoever wants it, and leave nothing of it."""
        os.setsid()
        adopt()
        if self.monitor:  # a sandbox: no namespace takes a keyring away
            forget_keyring()
        for number in ASK:
            signal.signal(number, signal.SIG_IGN)
        woken, wake = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        child = start(self.command)
        quiet()
        status = self.watch(child, woken)
        end_all()
        if after:
            run(after)
        return code(status)

    def watch(self, child: int, woken: int) -> int:
        poll = select.poll()
        for number in (self.lifeline, self.control, woken):
            poll.register(number, select.POLLIN)
        while True:
            ready = [number for number, _ in poll.poll()]
            if woken in ready:
                drain(woken)
            status = reap(child)
            if status is not None:
                return status
            if self.control in ready and os.read(self.control, 64):
                self.ask(child)
            elif self.control in ready or self.lifeline in ready:
                return signal.SIGKILL

    def ask(self, child: int) -> None:
        """Ask all to stop; a monitor would take its charges down at once, so it is passed by."""
        found = below(os.getpid())
        passed_by = child if self.monitor and len(found) > 1 else 0
        for pid in found:
            if pid != passed_by:
                send(pid, signal.SIGTERM)


def adopt() -> None:
    """Whoever loses their parent below us becomes our child, and is waited for (Linux)."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def forget_keyring() -> None:
    """A keyring of the kernel is inherited as the environment is; a new, empty one takes its place (Linux)."""
    number = KEYCTL.get(os.uname().machine)
    if number is not None and sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).syscall(number, JOIN_SESSION_KEYRING, None)


def start(command: "list[str]") -> int:
    """The command in a session of its own, with every signal as a program expects it."""
    child = os.fork()
    if child:
        return child
    os.setsid()
    signal.set_wakeup_fd(-1)
    for number in (*ASK, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores the last two
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606 - what this is for
    except OSError as error:
        os.write(2, f"agent-connector: {command[0]}: {error.strerror}\n".encode())
    os._exit(127)


def quiet() -> None:
    """Let go of the command's inputs and outputs: whoever reads them must see their end."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    os.close(null)


def drain(descriptor: int) -> None:
    try:
        while os.read(descriptor, 512):
            pass
    except BlockingIOError:
        pass


def reap(child: int) -> "int | None":
    """Bury all who ended; the status of `child` when it was among them."""
    found = None
    try:
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return found
            if pid == child:
                found = status
    except ChildProcessError:
        return found


def end_all() -> None:
    """Kill everything below us, again and again, until there is no child left."""
    while children_left():
        for pid in below(os.getpid()):
            send(pid, signal.SIGKILL)
        time.sleep(STEP)


def children_left() -> bool:
    """Buries who ended, too."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def below(root: int) -> "list[int]":
    """All living processes whose parent, or its parent and so on, is `root`; parents first."""
    children: dict[int, list[int]] = {}
    for pid, parent in parents():
        children.setdefault(parent, []).append(pid)
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found[1:]


def parents() -> "list[tuple[int, int]]":
    if not os.path.exists("/proc/self/stat"):
        return listed()
    pairs: list[tuple[int, int]] = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            pairs.append((int(name), int(fields[1])))
    return pairs


def listed() -> "list[tuple[int, int]]":
    """Where there is no /proc (macOS)."""
    reading, writing = os.pipe()
    told = os.posix_spawn(
        "/bin/ps", ["ps", "-A", "-o", "pid=,ppid="], {}, file_actions=[(os.POSIX_SPAWN_DUP2, writing, 1)]
    )
    os.close(writing)
    with open(reading, "rb") as lines:
        pairs = [(int(pid), int(parent)) for pid, parent in (line.split() for line in lines)]
    os.waitpid(told, 0)
    return [pair for pair in pairs if pair[0] != told]


def send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def run(command: "list[str]") -> None:
    child = start(command)
    os.waitpid(child, 0)


def code(status: int) -> int:
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def leave(number: int) -> None:
    """End as the command did: by the same signal, where it was one."""
    if number > 128 and number - 128 in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGSEGV, signal.SIGABRT):
        signal.signal(number - 128, signal.SIG_DFL) if number - 128 != signal.SIGKILL else None
        os.kill(os.getpid(), number - 128)
    os._exit(number)
