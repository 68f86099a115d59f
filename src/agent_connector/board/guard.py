"""What every request passes before anything of the board sees it: names, origins, sizes, times.

A page elsewhere can point its own name at this machine (DNS rebinding): the Host must be one of ours. A browser says
where a request comes from: that must be the very address it goes to.
"""

import asyncio
from collections.abc import Iterable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MOST_BODY = 2 * 1024 * 1024
BODY_SECONDS = 30
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store"}
_FREE = ("/healthz",)  # says nothing that a stranger might not know


class Refused(Exception):
    """An HTTP refusal: `{"error": code}`. The status says the rest."""

    def __init__(self, status: int, code: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.headers = dict(headers or {})

    def response(self) -> Response:
        return JSONResponse({"error": self.code}, self.status, self.headers)


class Guard:
    """`hosts` are names without a port, as a Host header has them; a page may come from these alone."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        try:
            if scope["path"] not in _FREE:
                self._known(headers)
            receive = _again(await _body(headers, receive), receive)
        except Refused as refused:
            await refused.response()(scope, receive, _kept(send))
            return
        await self.app(scope, receive, _kept(send))

    def _known(self, headers: Headers) -> None:
        given = headers.getlist("host")
        if len(given) != 1 or _name(given[0]) not in self.hosts:
            raise Refused(421, "unknown_host")
        origins = headers.getlist("origin")
        if any(origin.partition("://")[2].lower() != given[0].lower() for origin in origins):
            raise Refused(403, "foreign_origin")


def _name(host: str) -> str:
    """Of a Host header, without its port."""
    host = host.lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


async def _body(headers: Headers, receive: Receive) -> bytes:
    """The whole of it, within size and time."""
    told = headers.get("content-length", "")
    if told.isdecimal() and int(told) > MOST_BODY:
        raise Refused(413, "too_large", {"connection": "close"})
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise Refused(400, "broken_off")
                body += message.get("body", b"")
                if len(body) > MOST_BODY:
                    raise Refused(413, "too_large", {"connection": "close"})
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError:
        raise Refused(408, "too_slow", {"connection": "close"}) from None


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, given once more; then what really comes."""
    unread = [body]

    async def receive_again() -> Message:
        return {"type": "http.request", "body": unread.pop(), "more_body": False} if unread else await receive()

    return receive_again


def _kept(send: Send) -> Send:
    """With the headers that every answer has, unless it has its own."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sent
