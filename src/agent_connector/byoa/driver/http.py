"""The HTTP port over httpx2: whole bodies within their limit and time, no redirect, no cookie (section 1 of the wire)."""

import asyncio
import ssl
from functools import cache

import httpx2

from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response


class HttpxPort:
    """Shares connections between the requests to an origin; `transport` is for tests."""

    def __init__(self, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._transport = transport
        self._clients: dict[str, httpx2.AsyncClient] = {}

    def _client(self, url: str) -> httpx2.AsyncClient:
        """One for each origin: a client looks through all of its connections for every request, and polls hold many."""
        origin = "/".join(url.split("/", 3)[:3])
        if origin not in self._clients:
            # Our own bound on the time is the only one: a held poll is silent for most of it.
            self._clients[origin] = httpx2.AsyncClient(
                transport=self._transport,
                verify=_context(),
                follow_redirects=False,
                timeout=None,
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=100),
            )
        return self._clients[origin]

    async def send(self, request: Request) -> Outcome:
        try:
            async with asyncio.timeout(request.timeout):
                return await self._send(request)
        except TimeoutError:
            return Failure(f"no answer in {request.timeout:.0f} s")
        except httpx2.HTTPError as problem:
            return Failure(str(problem) or type(problem).__name__)

    async def _send(self, request: Request) -> Outcome:
        # Not compressed: what is bounded is what comes over the wire.
        headers = [*request.headers, ("Accept-Encoding", "identity")]
        content = request.body if request.method != "GET" else None
        client = self._client(request.url)
        async with client.stream(request.method, request.url, headers=headers, content=content) as answer:
            client.cookies.clear()
            large = Failure(f"its answer is larger than {request.limit} bytes")
            said = answer.headers.get("content-length", "")
            if said.isascii() and said.isdigit() and int(said[:20]) > request.limit:
                return large
            if answer.headers.get("content-encoding", "identity").lower() != "identity":
                return Failure("its answer is compressed, which was not asked for")
            body = bytearray()
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > request.limit:
                    return large
            found = {name.lower(): value for name, value in answer.headers.items()}
            return Response(answer.status_code, found, bytes(body))

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aclose()


@cache
def _context() -> ssl.SSLContext:
    """Made once: it reads every certificate of the system."""
    return httpx2.create_ssl_context()
