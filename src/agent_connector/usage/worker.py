"""A second process that reads logs, so that two are read at once: jobs go in, batches come out.

It gets frames of msgpack on a pipe and answers on another; it touches neither the index nor our home, and ends with its
input. Linux forks it, which costs a tenth of starting an interpreter; elsewhere, and where other threads run, it is
started with the paths of this one and nothing else of the surroundings.
"""

import gc
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import IO, Protocol

import msgspec

from agent_connector.usage import batches
from agent_connector.usage.batches import Batch, Job

_LENGTH = struct.Struct("<I")
_AHEAD = 256  # batches that may wait here to be written
_TURN = 0.001  # seconds
_BUFFER = 1 << 20
_DESCRIPTORS = 1 << 16
_START = "import sys; sys.path[:] = sys.argv[1:]; from agent_connector.usage.worker import serve; serve(sys.stdin.buffer, sys.stdout.buffer)"


class _Process(Protocol):
    """As much of a process as we need."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None

    def kill(self) -> None: ...
    def wait(self) -> int: ...


class _Fork:
    """A child of ours."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = pid
        self.stdin: IO[bytes] | None = stdin
        self.stdout: IO[bytes] | None = stdout

    def kill(self) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        code = os.waitpid(self.pid, 0)[1] if self.pid else 0
        self.pid = 0
        return code


def _forked() -> _Process:
    jobs, answers = os.pipe(), os.pipe()
    if min(*jobs, *answers) < 3:  # a standard stream of ours is closed: what follows would mix them up
        for descriptor in (*jobs, *answers):
            os.close(descriptor)
        return _started()
    pid = os.fork()
    if pid:
        os.close(jobs[0])
        os.close(answers[1])
        return _Fork(pid, open(jobs[1], "wb", _BUFFER), open(answers[0], "rb", _BUFFER))
    try:
        os.dup2(jobs[0], 0)
        os.dup2(answers[1], 1)
        os.dup2(os.open(os.devnull, os.O_RDWR), 2)
        # What else is open here is the parent's: its index, its lock.
        most = os.sysconf("SC_OPEN_MAX")  # -1 for no limit
        os.closerange(3, most if most > 0 else _DESCRIPTORS)
        with open(0, "rb", _BUFFER) as source, open(1, "wb", _BUFFER) as out:
            serve(source, out)
    finally:
        os._exit(0)


def _started() -> _Process:
    ours = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _START, ours, *(path for path in sys.path if path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=_BUFFER,
    )


class Worker:
    """The second process as its parent sees it."""

    def __init__(self) -> None:
        able = sys.platform == "linux" and threading.active_count() == 1
        self.process = _forked() if able else _started()
        self.batches: SimpleQueue[bytes | None] = SimpleQueue()
        self._decode = msgspec.msgpack.Decoder(Batch).decode
        self._room = threading.Semaphore(_AHEAD)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def send(self, job: Job) -> bool:
        """Give it a job; False when it is gone."""
        try:
            _write(_opened(self.process.stdin), msgspec.msgpack.encode(job))
        except (OSError, ValueError):
            return False
        return True

    def receive(self) -> Batch | None:
        """The next batch, None when it is gone."""
        self._room.release()
        frame = self.batches.get()
        return None if frame is None else self._decode(frame)

    def close(self) -> None:
        """End it, whatever it does."""
        self.process.kill()
        with suppress(OSError):
            _opened(self.process.stdin).close()
        self.process.wait()
        self._room.release()
        self._listener.join()

    def _listen(self) -> None:
        try:
            with _opened(self.process.stdout) as stream:
                for frame in _frames(stream):
                    self._room.acquire()
                    self.batches.put(frame)
        except (OSError, ValueError):
            pass  # it was ended in the midst of one
        finally:
            self.batches.put(None)


@contextmanager
def started() -> Generator[Worker]:
    """A second process until the end of the block."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)  # else the one that listens waits longer for its turn than reading takes
    worker = Worker()
    try:
        yield worker
    finally:
        worker.close()
        sys.setswitchinterval(interval)


def serve(source: IO[bytes], out: IO[bytes]) -> None:
    """What the second process does."""
    gc.disable()  # nothing here refers to itself
    encode, decode = msgspec.msgpack.Encoder().encode, msgspec.msgpack.Decoder(Job).decode
    try:
        for frame in _frames(source):
            for batch in batches.read(decode(frame)):
                _write(out, encode(batch))
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(1)


def _frames(stream: IO[bytes]) -> Iterator[bytes]:
    while len(head := stream.read(_LENGTH.size)) == _LENGTH.size:
        (length,) = _LENGTH.unpack(head)
        data = stream.read(length)
        if len(data) < length:
            return
        yield data


def _write(stream: IO[bytes], data: bytes) -> None:
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101  # both were asked for
    return stream
