"""Answers each `connect` of a run without namespaces, by making the connection in its place.

The address is copied once and that copy is what is connected, so a run cannot pass one address for the check and another
for the call. A unix socket is reachable when it lies in a folder that the run is shown; of the network, with a proxy, that
one address of the loopback alone. On the hot path of no one: standard library, and little of it.
"""

import errno
import os
import struct
from _socket import AF_INET, AF_INET6, AF_UNIX, SOCK_STREAM, socket
from _thread import start_new_thread

from agent_connector.worker.sandbox import kernel, rights

LONGEST = 128  # bytes of an address
_LOOPBACK4 = bytes((127, 0, 0, 1))
_LOOPBACK6 = bytes(10) + b"\xff\xff" + _LOOPBACK4  # the same in a socket of both families


class Broker:
    """`rules.shown` are the run's folders without links; `rules.port` is the proxy's, None for none."""

    def __init__(self, listener: int, rules: "rights.Rules", takes: bool) -> None:
        self.listener = listener
        self.shown = rules.shown
        self.port = rules.port
        self.open_network = rules.open_network
        self.takes = takes  # may we have the descriptors of others? Containers forbid it

    def serve(self) -> None:
        """Until nobody is left who could ask."""
        while True:
            try:
                question = kernel.receive(self.listener)
            except OSError as error:
                if error.errno in (errno.EINTR, errno.ENOENT):  # the caller is gone again
                    continue
                return
            start_new_thread(self.answer, (question,))

    def answer(self, question: kernel.Question) -> None:
        try:
            code = self.connected(question)
        except OSError as error:
            code = error.errno or errno.EPERM
        try:
            kernel.reply(self.listener, question.ident, code)
        except OSError:  # it was killed while it waited
            return

    def connected(self, question: kernel.Question) -> int:
        number, place, size = question.arguments[:3]
        address = _memory(question.thread, place, min(size, LONGEST))
        process = _process(question.thread)
        if not kernel.still_waits(self.listener, question.ident):
            return errno.EPERM
        family = struct.unpack_from("=H", address)[0] if len(address) >= 2 else 0
        if family == AF_UNIX:
            return self.unix(question, process, number, address)
        if not self.open_network and not self.proxy(family, address):
            return errno.EACCES
        return self.join(question, process, number, family, address)

    def proxy(self, family: int, address: bytes) -> bool:
        if self.port is None:
            return False
        port = struct.pack("!H", self.port)
        if family == AF_INET:
            return address[2:8] == port + _LOOPBACK4
        return family == AF_INET6 and address[2:4] == port and address[8:24] == _LOOPBACK6

    def unix(self, question: kernel.Question, process: int, number: int, address: bytes) -> int:
        """By a handle on the very socket that was checked. An abstract name has no folder, so none can show it."""
        name = address[2:].split(b"\0", 1)[0]
        if not name:
            return errno.EACCES
        handle = os.open(os.path.join(os.readlink(f"/proc/{process}/cwd"), os.fsdecode(name)), os.O_PATH | os.O_CLOEXEC)
        try:
            real = os.readlink(f"/proc/self/fd/{handle}")
            if not any(real == folder or real.startswith(folder.rstrip("/") + "/") for folder in self.shown):
                return errno.EACCES
            known = struct.pack("=H", AF_UNIX) + f"/proc/self/fd/{handle}".encode() + b"\0"
            return self.join(question, process, number, AF_UNIX, known)
        finally:
            os.close(handle)

    def join(self, question: kernel.Question, process: int, number: int, family: int, address: bytes) -> int:
        if not self.takes:
            return self.exchange(question, process, number, family, address)
        taken = kernel.take_descriptor(process, number)
        try:
            return kernel.connect(taken, address)
        finally:
            os.close(taken)

    def exchange(self, question: kernel.Question, process: int, number: int, family: int, address: bytes) -> int:
        """A connected stream of ours in the place of the run's; there are no datagrams where this is needed."""
        flags = _flags(process, number)
        own = socket(family, SOCK_STREAM)
        try:
            code = kernel.connect(own.fileno(), address)
            if code == 0:
                own.setblocking(not flags & os.O_NONBLOCK)
                kernel.replace_descriptor(self.listener, question.ident, own.fileno(), number, flags & os.O_CLOEXEC)
            return code
        finally:
            own.close()


def may_take() -> bool:
    """Does this system let us have the descriptors of our own processes?"""
    reading, writing = os.pipe()
    try:
        os.close(kernel.take_descriptor(os.getpid(), reading))
    except OSError:
        return False
    finally:
        os.close(reading)
        os.close(writing)
    return True


def _memory(thread: int, place: int, size: int) -> bytes:
    handle = os.open(f"/proc/{thread}/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.pread(handle, size, place)
    finally:
        os.close(handle)


def _process(thread: int) -> int:
    with open(f"/proc/{thread}/status", "rb") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(b"Tgid:"))


def _flags(process: int, number: int) -> int:
    with open(f"/proc/{process}/fdinfo/{number}", "rb") as file:
        return next(int(line.split()[1], 8) for line in file if line.startswith(b"flags:"))
