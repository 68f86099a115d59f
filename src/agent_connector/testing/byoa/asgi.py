"""`http_over(app)`: the pairer's HTTP port straight into an ASGI app, without a socket."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote, urlsplit

from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response

Scope = MutableMapping[str, Any]
AsgiApp = Callable[[Scope, Callable[[], Awaitable[Scope]], Callable[[Scope], Awaitable[None]]], Awaitable[None]]


class http_over:
    """An `HttpPort` whose every request goes to this ASGI app."""

    def __init__(self, app: AsgiApp, client: tuple[str, int] = ("127.0.0.1", 50_000)) -> None:
        self._app = app
        self._client = client

    async def send(self, request: Request) -> Outcome:
        gone = asyncio.Event()
        unread = [request.body]
        status = 0
        headers: dict[str, str] = {}
        body = bytearray()

        async def receive() -> Scope:
            if unread:
                return {"type": "http.request", "body": unread.pop(), "more_body": False}
            await gone.wait()  # the pairer hangs up only when it has enough
            return {"type": "http.disconnect"}

        async def send(message: Scope) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers.update({name.decode().lower(): value.decode() for name, value in message.get("headers", [])})
            elif len(body) <= request.limit:
                body.extend(message.get("body", b""))
                if len(body) > request.limit:
                    gone.set()

        await self._app(self._scope(request), receive, send)
        if len(body) > request.limit:
            return Failure(f"its answer is larger than {request.limit} bytes")
        return Response(status, headers, bytes(body)) if status else Failure("it gave no answer")

    def _scope(self, request: Request) -> Scope:
        parts = urlsplit(request.url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        own = [("host", parts.netloc), ("content-length", str(len(request.body)))]
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": request.method,
            "scheme": parts.scheme,
            "path": unquote(parts.path),
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in (*own, *request.headers)],
            "client": self._client,
            "server": (parts.hostname, port),
        }
