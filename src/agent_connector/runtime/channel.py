"""The three standard streams as hosts hand them over: all of stdin in, one reply out, nothing of the author between.

While an author's code runs, stdout and stderr lead nowhere: what a handler, or a program that it starts, prints
must not mix with the reply, and a program that it leaves running must not keep the host waiting for the stream's end.
"""

import sys
import time

from agent_connector.home.system import calls

LIMIT = 256 << 20  # bytes of a payload; what is larger is read to its end and not looked at
_CHUNK = 1 << 16
_MOST = 1 << 20
_NOWHERE = "nul" if sys.platform == "win32" else "/dev/null"
_PAUSE = 0.001  # a host may have made its pipes non-blocking; the time limit bounds the waiting

_out, _err = 1, 2


def receive() -> "bytes | None":
    """Everything on stdin; None when it is beyond `LIMIT`. A closed stdin is an empty one."""
    pieces: list[bytes] = []
    size, chunk = 0, _CHUNK
    while True:
        try:
            piece = calls.read(0, chunk)
        except BlockingIOError:
            time.sleep(_PAUSE)
            continue
        except OSError:
            break
        if not piece:
            break
        size += len(piece)
        if size <= LIMIT:
            pieces.append(piece)
        if len(piece) == chunk:
            chunk = min(chunk * 2, _MOST)
    return b"".join(pieces) if size <= LIMIT else None


def divert() -> None:
    """From now on stdout and stderr lead nowhere, and only `send` and `complain` reach the host."""
    global _out, _err
    _out, _err = _copied(1), _copied(2)
    nowhere = calls.open(_NOWHERE, calls.O_RDWR)
    for stream in (1, 2):
        if nowhere != stream:
            calls.dup2(nowhere, stream)
    if nowhere > 2:
        calls.close(nowhere)
    if sys.platform != "win32":
        calls.register_at_fork(after_in_child=_let_go)


def _copied(stream: int) -> int:
    """A copy that programs do not inherit; -1 when the host has closed the stream."""
    try:
        return calls.dup(stream)
    except OSError:
        return -1


def _let_go() -> None:
    for stream in (_out, _err):
        if stream >= 0:
            calls.close(stream)


def send(data: bytes) -> bool:
    """Write `data` to the host; False when it no longer listens."""
    return _write(_out, data)


def complain(text: str) -> bool:
    """Write `text` to stderr: a reply's own words, which some hosts show to the model."""
    return _write(_err, text.encode("utf-8", "replace"))


def _write(stream: int, data: bytes) -> bool:
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[calls.write(stream, rest) :]
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            return False
    return True
