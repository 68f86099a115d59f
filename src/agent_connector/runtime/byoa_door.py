"""A hook's way to the pairer of its session: one line there, one line back, and nothing at all when nobody is there.

The pairer lies in wait in a private folder, under the process id of the host (which stays the same over `/clear`) and
under the session's id. On POSIX the names are Unix sockets; on Windows files that say which named pipe it is, since
the name of a pipe is everybody's to take. On the hook path.
"""

import sys
import time

from agent_connector.home import system
from agent_connector.home.system import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from collections.abc import Iterable

LARGEST = 8 << 20  # bytes, of either line
LONGEST_ADDRESS = 100  # bytes that the shortest of the systems takes for a socket's path
PIPES = "\\\\.\\pipe\\"  # where Windows has them
_LONGEST_NAME = 200
_OTHERS = 0o077
_CHUNK = 1 << 16


def folder(root: str, host: str) -> str:
    return system.join(root, "byoa", host)


def by_process(pid: "str | int") -> str:
    """The name under which the pairer of that host process is found."""
    return f"p{pid}"


def by_session(session: str) -> str:
    """The name for a session; what could leave the folder is taken out."""
    return "s" + "".join(letter for letter in session if letter.isalnum() or letter in "-_")[:64]


def ask(where: str, names: "Iterable[str]", line: bytes, seconds: float) -> bytes:
    """The answer to `line` of the first of `names` that is there; empty when there is none, or not in time."""
    try:
        if not _private(where) or len(line) >= LARGEST:
            return b""
    except OSError:
        return b""
    end = time.monotonic() + seconds
    for name in names:
        try:
            return _talk(where, name, line + b"\n", end)
        except OSError:
            continue
    return b""


def _private(where: str) -> bool:
    """Whether nobody else could have put anything there."""
    if sys.platform == "win32":
        return True  # the folder is in the person's own profile
    found = calls.stat(where)
    return found.st_uid == calls.geteuid() and not found.st_mode & _OTHERS


def _over_pipe(where: str, name: str, line: bytes, end: float) -> bytes:
    """A pipe is opened as a file. A read of it cannot be timed: the limit of the hook itself ends it."""
    with open(system.join(where, name), "rb", 0) as told:
        address = told.read(_LONGEST_NAME).decode("ascii", "replace")
    if not address.startswith(PIPES):
        raise OSError(address)
    with open(address, "r+b", 0) as pipe:
        left = memoryview(line)
        while left:
            left = left[pipe.write(left) or 0 :]
        answer = b""
        while not answer.endswith(b"\n") and len(answer) <= LARGEST and time.monotonic() < end:
            piece = pipe.read(_CHUNK)
            if not piece:
                break
            answer += piece
    return answer.rstrip(b"\n")


def _over_socket(where: str, name: str, line: bytes, end: float) -> bytes:
    import _socket

    link = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        link.settimeout(max(end - time.monotonic(), 0.01))
        _connect(link, where, name)
        link.sendall(line)
        answer = b""
        while not answer.endswith(b"\n") and len(answer) <= LARGEST:
            link.settimeout(max(end - time.monotonic(), 0.01))
            piece = link.recv(_CHUNK)
            if not piece:
                break
            answer += piece
        return answer.rstrip(b"\n")
    finally:
        link.close()


def _connect(link: "_socket.socket", where: str, name: str) -> None:
    path = system.join(where, name)
    if len(path.encode("utf-8", "surrogateescape")) <= LONGEST_ADDRESS:
        link.connect(path)
        return
    before = calls.open(".", calls.O_RDONLY)
    try:
        calls.chdir(where)
        link.connect(name)
    finally:
        calls.fchdir(before)
        calls.close(before)


_talk = {"win32": _over_pipe}.get(sys.platform, _over_socket)
