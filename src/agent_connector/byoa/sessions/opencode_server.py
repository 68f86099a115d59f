"""The HTTP server of a running OpenCode: bounded requests, and the stream of its events.

Only this machine is talked to, without proxies. The password comes from the environment, as for OpenCode's own clients.
"""

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import httpx2

from agent_connector.byoa.protocol import Origin, ProtocolError, parse_origin
from agent_connector.byoa.protocol.origins import LOOPBACK
from agent_connector.byoa.sessions.acp_updates import Object, table
from agent_connector.errors import HostError

ANSWER_WITHIN = 30.0
SILENCE_MOST = 45.0  # it says that it lives every ten seconds
ANSWER_MOST = 128 << 20  # all messages of a session, with what its tools gave
LINE_MOST = 64 << 20
PASSWORD, USERNAME = "OPENCODE_SERVER_PASSWORD", "OPENCODE_SERVER_USERNAME"


class ServerError(Exception):
    """No answer, or one that is not what was asked for; `status` is 0 when there was none."""

    def __init__(self, what: str, status: int = 0) -> None:
        super().__init__(what)
        self.status = status


class Server:
    """`transport` is for tests."""

    def __init__(
        self, url: str, variables: Mapping[str, str], transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        origin = local(url)
        self.url, self.port = str(origin), origin.port
        headers = {"accept-encoding": "identity"}
        if password := variables.get(PASSWORD):
            pair = f"{variables.get(USERNAME) or 'opencode'}:{password}"
            headers["authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self._client = httpx2.AsyncClient(
            base_url=self.url,
            headers=headers,
            transport=transport,
            trust_env=False,
            follow_redirects=False,
            timeout=None,
        )

    async def get(self, path: str, **query: str) -> Any:
        return await self._ask("GET", path, None, query)

    async def post(self, path: str, body: Object | None = None, **query: str) -> Any:
        return await self._ask("POST", path, {} if body is None else body, query)

    async def events(self) -> AsyncGenerator[dict[str, Any]]:
        """Every event of every project, as `{"directory", "payload"}`, until the stream breaks."""
        try:
            async with self._client.stream("GET", "/global/event", headers={"accept": "text/event-stream"}) as answer:
                _check(answer.status_code, "/global/event")
                pieces = answer.aiter_bytes()
                waiting = bytearray()
                while True:
                    async with asyncio.timeout(SILENCE_MOST):
                        piece = await anext(pieces, None)
                    if piece is None:
                        raise ServerError("the stream of events ended")
                    waiting += piece
                    if len(waiting) > LINE_MOST:
                        raise ServerError("an event is too large")
                    if b"\n" not in piece:
                        continue
                    *lines, rest = waiting.split(b"\n")
                    waiting = bytearray(rest)
                    for line in lines:
                        if line.startswith(b"data:") and (event := table(_loaded(bytes(line[5:])))):
                            yield event
        except TimeoutError:
            raise ServerError(f"nothing was heard for {SILENCE_MOST:.0f} s") from None
        except httpx2.HTTPError as problem:
            raise ServerError(str(problem) or type(problem).__name__) from None

    async def close(self) -> None:
        await self._client.aclose()

    async def _ask(self, method: str, path: str, body: Object | None, query: Mapping[str, str]) -> Any:
        content = None if body is None else json.dumps(dict(body)).encode()
        kind = {"content-type": "application/json"} if content is not None else {}
        try:
            async with (
                asyncio.timeout(ANSWER_WITHIN),
                self._client.stream(method, path, params=dict(query), content=content, headers=kind) as answer,
            ):
                got = bytearray()
                async for piece in answer.aiter_bytes():
                    got += piece
                    if len(got) > ANSWER_MOST:
                        raise ServerError(f"{path}: the answer is too large")
                _check(answer.status_code, path)
                return _loaded(bytes(got))
        except TimeoutError:
            raise ServerError(f"{path}: no answer in {ANSWER_WITHIN:.0f} s") from None
        except httpx2.HTTPError as problem:
            raise ServerError(str(problem) or type(problem).__name__) from None


def local(url: str) -> Origin:
    """The address, when it is this machine's."""
    try:
        origin = parse_origin(url.rstrip("/") if "://" in url else f"http://{url.rstrip('/')}")
    except ProtocolError as problem:
        raise HostError(f"{url!r} is no address of a server: it {problem.what}") from None
    if origin.host not in LOOPBACK:
        raise HostError(
            f"{url!r} is not on this machine", remedy="attach on the machine that OpenCode runs on: its own is meant"
        )
    return origin


def _check(status: int, path: str) -> None:
    if status == 401:
        raise ServerError(f"it wants a password: set {PASSWORD} here as it is set there", status)
    if not 200 <= status < 300:
        raise ServerError(f"{path}: status {status}", status)


def _loaded(data: bytes) -> Any:
    try:
        return json.loads(data) if data.strip() else None
    except ValueError:
        raise ServerError("what it says is not JSON") from None
