"""Inside a run without a network: 127.0.0.1:PORT leads to the unix socket of the worker's egress proxy.

python -I -S forward.py PORT SOCKET -- COMMAND ...   Listens, leaves a process of its own that moves bytes, and becomes
COMMAND. Standard library only; it knows nothing of the package.
"""

import os
import select
import sys
from _socket import AF_INET, AF_UNIX, IPPROTO_TCP, SHUT_WR, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, TCP_NODELAY, socket

SIZE = 65_536


def main(words: "list[str]") -> None:
    port, path, command = int(words[0]), words[1], words[3:]
    server = socket(AF_INET, SOCK_STREAM)
    server.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", port))
    server.listen(128)
    if os.fork() == 0:
        if os.fork() == 0:  # a grandchild: the command must not find a child that it did not start
            serve(server, path)
        os._exit(0)
    os.wait()
    server.close()
    try:
        os.execvp(command[0], command)  # noqa: S606 - what this is for
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        os._exit(127)


def serve(server: socket, path: str) -> None:
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):  # whoever reads the command's output must see its end
        os.dup2(null, number)
    Pump(server, path).run()


class Pump:
    """All connections in one thread. A side that is not read from is not written to: memory stays bounded."""

    def __init__(self, server: socket, path: str) -> None:
        self.server = server
        self.path = path
        self.poll = select.epoll()
        self.ends: dict[int, End] = {}
        server.setblocking(False)
        self.poll.register(server.fileno(), select.EPOLLIN)

    def run(self) -> None:
        while True:
            for number, events in self.poll.poll():
                if number == self.server.fileno():
                    self.accept()
                elif number in self.ends:
                    self.ends[number].ready(events)

    def accept(self) -> None:
        try:
            accepted: tuple[int, object] = getattr(self.server, "_accept")()  # noqa: B009 - what the larger module calls
            near = socket(fileno=accepted[0])
        except OSError:
            return
        far = socket(AF_UNIX, SOCK_STREAM)
        try:
            far.connect(self.path)
        except OSError:  # the worker's proxy is gone; the run sees a closed connection
            near.close()
            far.close()
            return
        near.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        one, other = End(self, near), End(self, far)
        one.peer, other.peer = other, one
        for end in (one, other):
            end.socket.setblocking(False)
            self.ends[end.number] = end
        for end in (one, other):
            end.watch()

    def close(self, end: "End") -> None:
        for one in (end, end.peer):
            if self.ends.pop(one.number, None):  # closing takes it out of epoll, too
                one.socket.close()


class End:
    """One side of a connection, and what it still has to be given."""

    peer: "End"

    def __init__(self, pump: Pump, sock: socket) -> None:
        self.pump = pump
        self.socket = sock
        self.number = sock.fileno()
        self.waiting = b""
        self.ended = False  # nothing more comes from here
        self.watched = 0

    def ready(self, events: int) -> None:
        try:
            if events & select.EPOLLOUT:
                self.give(b"")
            if (
                events & (select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR)
                and not self.ended
                and not self.peer.waiting
            ):
                self.take()
        except BlockingIOError:
            return
        except OSError:
            self.pump.close(self)
            return
        over = self.ended and self.peer.ended and not self.waiting and not self.peer.waiting
        if over or events & select.EPOLLERR or (events & select.EPOLLHUP and self.ended):
            self.pump.close(self)

    def take(self) -> None:
        data = self.socket.recv(SIZE)
        self.ended = not data
        if data:
            self.peer.give(data)
        else:
            self.peer.socket.shutdown(SHUT_WR)
        self.watch()

    def give(self, data: bytes) -> None:
        self.waiting += data
        self.waiting = self.waiting[self.sent() :]
        self.watch()
        self.peer.watch()

    def sent(self) -> int:
        try:
            return self.socket.send(self.waiting)
        except BlockingIOError:
            return 0

    def watch(self) -> None:
        """What epoll tells of this side: with nothing to do it is taken out, or a hung-up one would be told for ever."""
        if self.number not in self.pump.ends:
            return
        wanted = 0 if self.ended or self.peer.waiting else select.EPOLLIN
        wanted |= select.EPOLLOUT if self.waiting else 0
        if wanted == self.watched:
            return
        poll = self.pump.poll
        if not self.watched:
            poll.register(self.number, wanted)
        elif wanted:
            poll.modify(self.number, wanted)
        else:
            poll.unregister(self.number)
        self.watched = wanted


if __name__ == "__main__":
    main(sys.argv[1:])
