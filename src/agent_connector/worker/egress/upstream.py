"""The model's API of one run: requests are passed on with the worker's key in place of the run's token."""

import asyncio
import hmac
import ipaddress
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import h11

from agent_connector.errors import WorkerError
from agent_connector.worker.egress.wire import Gone, Wire, passed_on

# Where hosts put a key. With a key of ours all of these go, so that a run cannot work with an account of its own choice.
KEY_HEADERS = frozenset((b"authorization", b"x-api-key", b"x-goog-api-key", b"api-key", b"cookie"))
KEY_PARAMETER = "key"  # of the query, as Gemini's clients do
CONNECT_SECONDS = 30.0
PATIENCE = 60.0  # seconds without the head of an answer, after which that is said
TROUBLE = (401, 402, 403, 407, 408, 429)  # and all from 500 on: no answer to what was asked


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where the model is. Without a key the run brings a login of its own, which is passed on as it is."""

    base: str  # "https://api.example.org/v1", without a slash at its end
    key: str | None
    header: str

    @property
    def authority(self) -> tuple[str, int]:
        parts = urlsplit(self.base)
        return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)

    @property
    def loopback(self) -> bool:
        return _loopback(self.authority[0])

    def credential(self) -> list[tuple[bytes, bytes]]:
        if self.key is None:
            return []
        plain = self.header.lower() != "authorization" or self.key.lower().startswith(("bearer ", "basic "))
        return [(self.header.lower().encode(), (self.key if plain else f"Bearer {self.key}").encode())]


def parse(base: str, key: str | None, header: str) -> Upstream:
    """The upstream as a value; WorkerError when it would send a key in the clear over a network."""
    parts = urlsplit(base)
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.query or parts.username:
        raise WorkerError(f"{base!r} is no base URL of a model", remedy="write https://host[:port][/path]")
    if parts.scheme == "http" and not _loopback(parts.hostname):
        raise WorkerError(
            f"{base!r} would send prompts and the key unencrypted", remedy="use https, or a model on this machine"
        )
    return Upstream(base.rstrip("/"), key, header)


def _loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def presents(request: h11.Request, token: str) -> bool:
    """Does the request hold the run's token where its host puts a key?"""
    given = [value.rpartition(b" ")[2] for name, value in request.headers if name in KEY_HEADERS]
    query = parse_qsl(request.target.partition(b"?")[2].decode("latin-1"))
    given += [value.encode() for name, value in query if name == KEY_PARAMETER]
    return any(hmac.compare_digest(value, token.encode()) for value in given)


class Relay:
    """Passes requests on. One client for each run: connections are kept, and closed with it."""

    def __init__(self, upstream: Upstream, on_trouble: Callable[[str], None] = lambda text: None) -> None:
        import httpx2  # here, since it takes a quarter of a second and a worker may have nothing to do

        self.upstream = upstream
        self.on_trouble = on_trouble
        self.failed = httpx2.HTTPError
        self.make = httpx2.Request
        timeout = httpx2.Timeout(
            None, connect=CONNECT_SECONDS
        )  # a model may think for long; the run has a limit of its own
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=8)
        # A proxy that the person's environment names leads to the internet, never to this machine.
        trust = not upstream.loopback
        self.client: Any = httpx2.AsyncClient(timeout=timeout, limits=limits, trust_env=trust, follow_redirects=False)

    async def close(self) -> None:
        await self.client.aclose()

    async def serve(self, wire: Wire, request: h11.Request) -> None:
        """One request and its answer. When the run hangs up, so do we: nobody pays for what nobody reads."""
        sent = asyncio.Event()
        work = asyncio.create_task(self._exchange(wire, request, sent))
        watch = asyncio.create_task(_hung_up(wire, sent))
        try:
            await asyncio.wait((work, watch), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise Gone
            await work
        finally:
            for task in (work, watch):
                task.cancel()
            await asyncio.gather(work, watch, return_exceptions=True)

    async def _exchange(self, wire: Wire, request: h11.Request, sent: asyncio.Event) -> None:
        body: AsyncIterator[bytes] | None = _all(wire, sent)
        if not any(name in (b"content-length", b"transfer-encoding") for name, _ in request.headers):
            body = await _none(wire, sent)
        url, headers = self._url(request.target), self._headers(request)
        out = self.make(request.method.decode(), url, headers=headers, content=body)
        late = asyncio.get_running_loop().call_later(PATIENCE, self._late)
        try:
            response = await self.client.send(out, stream=True)
        finally:
            late.cancel()
        if response.status_code in TROUBLE or response.status_code >= 500:
            self.on_trouble(f"the model at {self.upstream.authority[0]} answers {response.status_code}")
        try:
            headers = passed_on([(name.lower(), value) for name, value in response.headers.raw])
            await wire.send(h11.Response(status_code=response.status_code, headers=headers))
            async for data in response.aiter_raw():
                await wire.send(h11.Data(data=data))
            await wire.send(h11.EndOfMessage())
        finally:
            await response.aclose()

    def _late(self) -> None:
        self.on_trouble(f"the model at {self.upstream.authority[0]} has not answered for {PATIENCE:.0f} seconds")

    def _url(self, target: bytes) -> str:
        path, mark, query = target.decode("latin-1").partition("?")
        if self.upstream.key is not None and mark:
            query = urlencode([pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != KEY_PARAMETER])
        return self.upstream.base + path + (f"?{query}" if query else "")

    def _headers(self, request: h11.Request) -> list[tuple[bytes, bytes]]:
        ours = self.upstream.credential()
        without = frozenset((b"host", b"expect")) | (KEY_HEADERS if ours else frozenset[bytes]())
        return passed_on(list(request.headers), without) + ours


async def _all(wire: Wire, sent: asyncio.Event) -> AsyncIterator[bytes]:
    async for data in wire.body():
        yield data
    sent.set()


async def _none(wire: Wire, sent: asyncio.Event) -> None:
    async for _ in _all(wire, sent):
        raise Gone  # a body that no header announced


async def _hung_up(wire: Wire, sent: asyncio.Event) -> None:
    await sent.wait()
    await wire.gone()
