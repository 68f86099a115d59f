"""HTTP as the board's client wants it: what went wrong on the way is noted for the one call it belongs to.

The SDK turns every bad status into one error and lets a broken line end its whole connection. Here a broken line becomes
a 503 that is noted as such, and each status and `Retry-After` is noted where the call can see it.
"""

from contextvars import ContextVar
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time
from typing import cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

MOST_ANSWER = 64 * 1024 * 1024
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_CONNECT = 10.0  # seconds


@dataclass
class Seen:
    """What one call met: the last status that was no success, how long to wait, how the line broke."""

    status: int | None = None
    retry_after: float | None = None
    broken: str | None = None
    shaken: bool = False  # hands: what comes now is about the call

    def forget(self) -> None:
        """What a handshake meets on its way to an older protocol is no news of the call."""
        self.status = self.retry_after = self.broken = None
        self.shaken = True


SEEN: ContextVar[Seen | None] = ContextVar("board_seen", default=None)


class Noting(httpx2.AsyncBaseTransport):
    """Around the real transport."""

    def __init__(self, inner: httpx2.AsyncBaseTransport) -> None:
        self._inner = inner

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        seen = SEEN.get() or Seen()
        try:
            response = await self._inner.handle_async_request(request)
            if "text/event-stream" not in response.headers.get("content-type", ""):
                response = await _whole(request, response)
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            seen.broken = type(error).__name__
            return httpx2.Response(503, request=request)
        if response.status_code >= 400:
            seen.status = response.status_code
            seen.retry_after = _seconds(response.headers.get("retry-after"))
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _whole(request: httpx2.Request, response: httpx2.Response) -> httpx2.Response:
    """Read here, where a line that breaks in the middle, or never ends, is ours to report."""
    body = bytearray()
    try:
        async for part in cast("httpx2.AsyncByteStream", response.stream):  # as it came: it is decoded once, later
            body += part
            if len(body) > MOST_ANSWER:
                raise httpx2.ReadError("the answer is too large", request=request)
    finally:
        await response.aclose()
    return httpx2.Response(response.status_code, headers=response.headers, content=bytes(body), request=request)


def http_client(url: str, key: str, seconds: float, transport: httpx2.AsyncBaseTransport | None) -> httpx2.AsyncClient:
    """With the key on every request. It follows no redirect: a key goes where it was meant to go."""
    return httpx2.AsyncClient(
        headers={"X-API-Key": key},
        timeout=httpx2.Timeout(seconds, connect=min(_CONNECT, seconds)),
        transport=Noting(transport or httpx2.AsyncHTTPTransport(proxy=_proxy(url))),
        follow_redirects=False,
        trust_env=False,
    )


def _proxy(url: str) -> str | None:
    """As the environment says; never to this machine itself."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return None if host in LOOPBACK or proxy_bypass(host) else getproxies().get(parts.scheme)


def _seconds(told: str | None) -> float | None:
    """Of a Retry-After: a number, or a date."""
    if not told:
        return None
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time())
    except (ValueError, TypeError):
        return None
