"""The stand-in model as a server on the loopback interface: the routes of four APIs, every request recorded."""

import asyncio
import dataclasses
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType, TracebackType
from typing import Any, Self, cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from agent_connector.errors import RehearseError
from agent_connector.rehearse.model import anthropic, chat, gemini, responses
from agent_connector.rehearse.model.actor import Actor, Detour
from agent_connector.rehearse.model.turns import Asked
from agent_connector.rehearse.script import Script

START_SECONDS = 10.0
STOP_SECONDS = 5.0


@dataclass(slots=True)
class StandIn:
    """A scripted model; `with StandIn(script, server="acme") as model:` serves it at `model.url` until the end."""

    script: Script
    server: str
    aliases: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    searched: str = ""
    routed: Detour | None = None
    actor: Actor = field(init=False)
    strays: list[str] = field(default_factory=list[str])  # requests for what no model API has: "GET /x"
    _socket: socket.socket = field(init=False)
    _serving: uvicorn.Server = field(init=False)
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.actor = Actor(self.script, self.server, self.aliases, self.searched, self.routed)

    @property
    def url(self) -> str:
        """The base URL, without a version path."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    @property
    def requests(self) -> tuple[Asked, ...]:
        """What the host asked so far, in order."""
        return tuple(self.actor.requests)

    def __enter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(
            self.app(), log_config=None, access_log=False, lifespan="off", http="h11", ws="none", loop="asyncio"
        )
        self._serving = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, name="stand-in model", daemon=True)
        self._thread.start()
        deadline = time.monotonic() + START_SECONDS
        while not self._serving.started:
            if time.monotonic() > deadline or not self._thread.is_alive():
                self._socket.close()
                raise RehearseError("the stand-in model did not start", remedy="is the loopback interface up?")
            time.sleep(0.005)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._serving.should_exit = True
        self._serving.force_exit = True  # a host that was killed may have left a connection open
        self._thread.join(STOP_SECONDS)
        self._socket.close()

    def _serve(self) -> None:
        asyncio.run(self._serving.serve(sockets=[self._socket]))

    def app(self) -> Starlette:
        """The routes; bases with and without a version path are both taken, since hosts differ in what they append."""
        routes = [
            *_at("/messages/count_tokens", _count_anthropic),
            *_at("/messages", self._model(anthropic)),
            *_at("/responses", self._model(responses)),
            *_at("/chat/completions", self._model(chat)),
            Route("/{version}/models/{model:path}", self._gemini, methods=["POST"]),
            Route("/{path:path}", self._stray, methods=["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]),
        ]
        return Starlette(routes=routes)

    def _model(self, api: ModuleType) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            body = await _body(request)
            if body is None:
                return JSONResponse({"error": {"message": "the body is not a JSON object"}}, status_code=400)
            asked = dataclasses.replace(api.read(body, request.url.path), keys=_keys(request), at=time.time())
            turn = self.actor.act(asked)
            if asked.stream:
                return _streamed(api.stream(turn, asked))
            return JSONResponse(api.answer(turn, asked))

        return endpoint

    async def _gemini(self, request: Request) -> Response:
        if request.url.path.endswith(":countTokens"):
            body = await _body(request)
            return JSONResponse({"totalTokens": _rough_count(body or {})})
        return await self._model(gemini)(request)

    async def _stray(self, request: Request) -> Response:
        self.strays.append(f"{request.method} {request.url.path}")
        return JSONResponse({"error": {"message": "the stand-in model has no such route"}}, status_code=404)


def _at(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> list[Route]:
    return [Route(path, endpoint, methods=["POST"]), Route(f"/v1{path}", endpoint, methods=["POST"])]


async def _body(request: Request) -> dict[str, Any] | None:
    try:
        value: object = json.loads(await request.body())
    except (ValueError, UnicodeDecodeError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


async def _count_anthropic(request: Request) -> Response:
    return JSONResponse({"input_tokens": _rough_count(await _body(request) or {})})


def _rough_count(body: Mapping[str, Any]) -> int:
    """Counting is not what is rehearsed: four characters to a token."""
    return max(1, len(json.dumps(body)) // 4)


def _keys(request: Request) -> tuple[str, ...]:
    """Credentials in the headers that model APIs use, and in Gemini's query."""
    found = [request.headers.get(name, "") for name in ("authorization", "x-api-key", "x-goog-api-key")]
    found.append(request.query_params.get("key", ""))
    return tuple(key.removeprefix("Bearer ") for key in found if key)


def _streamed(events: Iterator[str]) -> StreamingResponse:
    return StreamingResponse(events, media_type="text/event-stream", headers={"cache-control": "no-cache"})
