"""The HTTP port over httpx2: bounds and what is never done (section 1)."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx2

from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response
from agent_connector.byoa.driver.http import HttpxPort

Handler = Callable[[httpx2.Request], httpx2.Response]


def ask(handler: Handler, *, limit: int = 1000, timeout: float = 30, times: int = 1) -> list[Outcome]:
    async def run() -> list[Outcome]:
        port = HttpxPort(httpx2.MockTransport(handler))
        request = Request(
            1, "POST", "https://notes.example/x", (("Authorization", "Bearer tok"),), b"{}", limit, timeout
        )
        try:
            return [await port.send(request) for _ in range(times)]
        finally:
            await port.close()

    return asyncio.run(run())


def test_a_request_and_its_answer() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        assert request.headers["authorization"] == "Bearer tok" and request.content == b"{}"
        return httpx2.Response(200, headers={"X-Some": "thing"}, content=b"[]")

    (answer,) = ask(handler)
    assert isinstance(answer, Response) and (answer.status, answer.body) == (200, b"[]")
    assert answer.headers["x-some"] == "thing"


def test_a_redirect_is_not_followed() -> None:
    seen: list[str] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        seen.append(str(request.url))
        return httpx2.Response(307, headers={"location": "https://other.example"})

    (answer,) = ask(handler)
    assert isinstance(answer, Response) and answer.status == 307 and seen == ["https://notes.example/x"]


class Endless(httpx2.AsyncByteStream):
    def __init__(self) -> None:
        self.given = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.given += 100
            yield b"x" * 100


def test_a_body_without_end_is_left_at_the_limit() -> None:
    stream = Endless()
    assert ask(lambda request: httpx2.Response(200, stream=stream)) == [Failure("its answer is larger than 1000 bytes")]
    assert stream.given <= 1200


def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    stream = Endless()
    answer = ask(lambda request: httpx2.Response(200, headers={"content-length": "1001"}, stream=stream))
    assert answer == [Failure("its answer is larger than 1000 bytes")] and stream.given == 0


class Silent(httpx2.AsyncByteStream):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        await asyncio.Event().wait()
        yield b""


def test_a_body_that_never_comes_is_given_up() -> None:
    answer = ask(lambda request: httpx2.Response(200, stream=Silent()), timeout=0.05)
    assert answer == [Failure("no answer in 0 s")]


def test_a_connection_that_fails_is_a_failure() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused")

    assert ask(handler) == [Failure("refused")]


def test_cookies_are_not_kept() -> None:
    cookies: list[str | None] = []

    def handler(request: httpx2.Request) -> httpx2.Response:
        cookies.append(request.headers.get("cookie"))
        return httpx2.Response(200, headers={"set-cookie": "track=1"})

    ask(handler, times=2)
    assert cookies == [None, None]


def test_a_compressed_answer_is_refused_unread() -> None:
    def handler(request: httpx2.Request) -> httpx2.Response:
        assert request.headers["accept-encoding"] == "identity"
        return httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=Endless())

    assert ask(handler) == [Failure("its answer is compressed, which was not asked for")]
