"""The way out of one run: a unix socket, and where its sandbox needs one a port of the loopback.

A request for a path goes to the model; one for another host (CONNECT, or a whole URL) goes there when it is allowed. All
else is refused and told, each host once.
"""

import asyncio
import base64
import hmac
import os
import secrets
import socket
import ssl
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from urllib.parse import urlsplit

import h11

from agent_connector.worker.egress import dial
from agent_connector.worker.egress.allow import Allowed
from agent_connector.worker.egress.upstream import Relay, Upstream, presents
from agent_connector.worker.egress.wire import Gone, Wire, passed_on, pipe

INNER_PORT = 41_414  # inside a network of its own, where any port is free
MOST_CONNECTIONS = 256
MOST_TOLD = 200
PAUSE = 0.1
_ENDS = (OSError, Gone, h11.ProtocolError, ssl.SSLError, asyncio.IncompleteReadError)


class Door:
    """What `Egress.open` gives: `socket` and `port` are for the run's policy, `token` is the key that the run holds."""

    def __init__(
        self, allowed: Sequence[Allowed], on_line: Callable[[str], None], resolve: dial.Resolve, connect: dial.Connect
    ) -> None:
        self.token = "ac-" + secrets.token_urlsafe(32)
        self.socket = ""
        self.port = INNER_PORT
        self._allowed = tuple(allowed)
        self._on_line = on_line
        self.on_trouble: Callable[[str], None] = lambda text: None  # what the model answers that is none, each once
        self._resolve = resolve
        self._connect = connect
        self._relay: Relay | None = None
        self._old: list[Relay] = []
        self._told: set[str] = set()
        self._room = asyncio.Semaphore(MOST_CONNECTIONS)
        self._tasks: set[asyncio.Task[None]] = set()  # of connections, and one for each that is listened to

    async def listen(self, path: str, loopback: bool) -> "Door":
        self.socket = path
        unix = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        unix.bind(path)
        os.chmod(path, 0o600)
        unix.listen()
        self._start(self._hear(unix, own=True))
        if loopback:
            server = socket.create_server(("127.0.0.1", 0))
            self.port = int(server.getsockname()[1])
            self._start(self._hear(server, own=False))
        await asyncio.sleep(0)  # a task that is cancelled before it began could not close its socket
        return self

    def lead(self, upstream: Upstream) -> str:
        """Pass the run's requests on to this model from now on; the base URL for the run."""
        if self._relay is not None:
            self._old.append(self._relay)
        self._relay = Relay(upstream, self._trouble)
        if upstream.key is None:  # a login that the run holds itself: its host may speak to the model by name
            name, port = upstream.authority
            self._allowed = (*self._allowed, Allowed(name, (port,), below=False))
        return f"http://127.0.0.1:{self.port}"

    def environment(self) -> Mapping[str, str]:
        """For a run that may reach hosts: how its programs find the way. Nothing when there is none to reach."""
        if not self._allowed:
            return {}
        url = f"http://run:{self.token}@127.0.0.1:{self.port}"
        found = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), url)
        return {
            **found,
            "NO_PROXY": "127.0.0.1,localhost",
            "no_proxy": "127.0.0.1,localhost",
            "NODE_USE_ENV_PROXY": "1",
        }

    async def close(self) -> None:
        """Cut every connection; who waits to be let in is turned away."""
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        for relay in (*self._old, self._relay):
            if relay is not None:
                await relay.close()
        if self.socket and os.path.exists(self.socket):
            os.unlink(self.socket)

    def _start(self, work: "Coroutine[None, None, None]") -> "asyncio.Task[None]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _hear(self, server: socket.socket, *, own: bool) -> None:
        """`own`: it is the unix socket, which no other user of this machine can open.

        Not asyncio's server: one that closes forgets whom it has just let in, and they would wait for ever.
        """
        server.setblocking(False)
        with server:
            while True:
                await self._room.acquire()
                try:
                    one, _ = await asyncio.get_running_loop().sock_accept(server)
                except OSError:  # out of descriptors, or they hung up already
                    self._room.release()
                    await asyncio.sleep(PAUSE)
                    continue
                if not own:  # the words of a model come in small pieces, and none waits for the next
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                streams = await asyncio.open_connection(sock=one, limit=dial.SIZE)
                self._start(self._serve(Wire(*streams), own)).add_done_callback(partial(self._leave, streams[1]))

    def _leave(self, writer: asyncio.StreamWriter, task: "asyncio.Task[None]") -> None:
        """Not at the end of the task's own work: it may be cut before it began."""
        writer.close()
        self._room.release()

    async def _serve(self, wire: Wire, own: bool) -> None:
        try:
            while request := await wire.request():
                if request.method == b"CONNECT" or not request.target.startswith(b"/"):
                    await self._elsewhere(wire, request, own)
                    break
                await self._model(wire, request)
                if not wire.again():
                    break
        except _ENDS:
            pass  # either side hung up, or the run does not speak HTTP
        except BaseExceptionGroup as group:
            if group.split(_ENDS)[1] is not None:
                raise

    async def _model(self, wire: Wire, request: h11.Request) -> None:
        relay = self._relay
        if relay is None:
            await wire.answer(404, "this run has no model")
        elif relay.upstream.key is not None and not presents(request, self.token):
            self._tell("egress: a request for the model without this run's token was refused")
            await wire.answer(401, "this is no key of this run")
        else:
            try:
                await relay.serve(wire, request)
            except relay.failed as error:
                what = f"the model at {relay.upstream.authority[0]} cannot be reached: {type(error).__name__}"
                self._tell(f"egress: {what}")
                self._trouble(what)
                if wire.state.our_state is not h11.SEND_RESPONSE:
                    raise Gone from error  # in the middle of an answer: the run must see that it is cut
                await wire.answer(502, f"the model cannot be reached: {type(error).__name__}")

    async def _elsewhere(self, wire: Wire, request: h11.Request, own: bool) -> None:
        name, port, path = _place(request)
        if not own and not _may(request, self.token):
            await wire.answer(407, "this proxy is a run's own", [(b"proxy-authenticate", b'Basic realm="run"')])
            return
        try:
            far = await dial.reach(name, port, self._allowed, self._resolve, self._connect)
        except dial.Refused as refused:
            self._tell(f"egress: {_shown(name)}:{port} was refused: {refused}")
            await wire.answer(refused.code, f"{_shown(name)}:{port} was refused: {refused}")
            return
        try:
            if request.method == b"CONNECT":
                await wire.send(h11.Response(status_code=200, headers=[]))
                far[1].write(wire.state.trailing_data[0])
                await pipe((wire.reader, wire.writer), far)
            else:
                await _plain(wire, request, name, port, path, far)
        finally:
            far[1].close()

    def _tell(self, line: str) -> None:
        self._once(line, self._on_line)

    def _trouble(self, text: str) -> None:
        self._once(text, self.on_trouble)

    def _once(self, text: str, tell: Callable[[str], None]) -> None:
        if text not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(text)
            tell(text)


def _place(request: h11.Request) -> tuple[str, int, str]:
    """Name, port and path of what is asked for; a name that is none is refused later, as any other."""
    target = request.target.decode("latin-1")
    if request.method == b"CONNECT":
        name, _, number = target.rpartition(":")
        return name, int(number) if number.isascii() and number.isdigit() else 0, ""
    try:
        parts = urlsplit(target)
        port = parts.port or 80
    except ValueError:
        return "", 0, ""
    if parts.scheme != "http" or not parts.hostname:
        return "", 0, ""
    return parts.hostname, port, (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _may(request: h11.Request, token: str) -> bool:
    for name, value in request.headers:
        if name == b"proxy-authorization":
            kind, _, given = value.partition(b" ")
            if kind.lower() == b"basic":
                try:
                    given = base64.b64decode(given, validate=True).rpartition(b":")[2]
                except ValueError:
                    return False
            return hmac.compare_digest(given, token.encode())
    return False


async def _plain(wire: Wire, request: h11.Request, name: str, port: int, path: str, far: dial.Streams) -> None:
    """One request without encryption. The host's name is the one that was checked, whatever the request says."""
    out = h11.Connection(h11.CLIENT)
    host = name if port == 80 else f"{name}:{port}"
    headers = [(b"host", host.encode()), *passed_on(list(request.headers), frozenset((b"host", b"expect")))]
    chunked = any(header == b"transfer-encoding" for header, _ in request.headers)
    headers += [(b"connection", b"close"), *([(b"transfer-encoding", b"chunked")] if chunked else [])]
    far[1].write(out.send(h11.Request(method=request.method, target=path, headers=headers)) or b"")
    async for data in wire.body():
        far[1].write(out.send(h11.Data(data=data)) or b"")
        await far[1].drain()
    far[1].write(out.send(h11.EndOfMessage()) or b"")
    await far[1].drain()
    while data := await far[0].read(dial.SIZE):
        wire.writer.write(data)
        await wire.writer.drain()


def _shown(name: str) -> str:
    """A name that a run made up, fit for a log."""
    return ascii(name[:200])[1:-1]
