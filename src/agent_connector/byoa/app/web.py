"""Requests as they come in: bodies within their size and time, addresses behind proxies, and plain answers out."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive

from agent_connector.byoa.app.people import AppError
from agent_connector.byoa.protocol.fields import dump

BODY_SECONDS = 20.0
JSON = "application/json"
UNKNOWN = "unknown"
UNIX = "unix"
PLAIN_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class Refused(Exception):
    """This request gets no more than a status and a word."""

    def __init__(self, status: int, word: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(word)
        self.status = status
        self.word = word
        self.headers = dict(headers or {})

    def response(self) -> Response:
        return json_response({"error": self.word}, self.status, self.headers)


def json_response(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return bytes_response(dump(value), status, headers)


def bytes_response(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(body, status, {**PLAIN_HEADERS, **(headers or {})}, JSON)


async def read_body(request: Request, most: int, seconds: float = BODY_SECONDS) -> bytes:
    """The whole body. Larger is refused unread, slower is given up."""
    said = request.headers.get("content-length", "0")
    if not (said.isascii() and said.isdigit()) or int(said[:20]) > most:
        raise Refused(413, "too_large")
    try:
        async with asyncio.timeout(seconds):
            return await _gather(request.receive, most)
    except TimeoutError:
        raise Refused(408, "too_slow", {"Connection": "close"}) from None


async def _gather(receive: Receive, most: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "disconnected")
        body += message.get("body", b"")
        if len(body) > most:
            raise Refused(413, "too_large")
        if not message.get("more_body", False):
            return bytes(body)


def is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == JSON


def bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer" or not token:
        raise unauthorized()
    return token.strip()


def unauthorized() -> Refused:
    return Refused(401, "unauthorized", {"WWW-Authenticate": "Bearer"})


@dataclass(frozen=True, slots=True)
class Come:
    """Where a request came from: the address as it is shown, and the network that limits count."""

    address: str
    network: str


class Proxies:
    """Which neighbours may say for whom they ask, by `X-Forwarded-For`; without any, nobody."""

    def __init__(self, trusted: Iterable[str]) -> None:
        names = list(trusted)
        self._unix = UNIX in names
        try:
            self._networks = [ip_network(name, strict=False) for name in names if name != UNIX]
        except ValueError as problem:
            raise AppError(f"trusted_proxies: {problem}", remedy='Give addresses, networks, or "unix".') from None

    def come(self, request: Request) -> Come:
        nearest = None if request.client is None else _parsed(request.client.host)
        if not self._trusts(nearest):
            return _named(nearest)
        for said in reversed(request.headers.get("x-forwarded-for", "").split(",")):
            address = _parsed(said.strip())
            if address is None:
                break  # what stands before it was said by nobody we trust
            nearest = address
            if not self._trusts(nearest):
                break
        return _named(nearest)

    def host(self, request: Request) -> str:
        """The host that the browser asked for."""
        nearest = None if request.client is None else _parsed(request.client.host)
        forwarded = request.headers.get("x-forwarded-host")
        if forwarded and self._trusts(nearest):
            return forwarded.rpartition(",")[2].strip().lower()
        return request.headers.get("host", "").lower()

    def _trusts(self, address: IPv4Address | IPv6Address | None) -> bool:
        if address is None:
            return self._unix
        return any(_within(address, network) for network in self._networks)


def _within(address: IPv4Address | IPv6Address, network: IPv4Network | IPv6Network) -> bool:
    return address.version == network.version and address in network


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def _named(address: IPv4Address | IPv6Address | None) -> Come:
    if address is None:
        return Come(UNKNOWN, UNKNOWN)
    if isinstance(address, IPv6Address):
        # one customer has at least a /64: an address out of it costs nothing
        return Come(str(address), str(ip_network((address, 64), strict=False)))
    return Come(str(address), str(address))
