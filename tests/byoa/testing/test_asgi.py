"""`http_over`: requests of the pairer straight into an ASGI app."""

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request as WebRequest
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from agent_connector.byoa.core.effects import Failure, Outcome, Request
from agent_connector.byoa.core.effects import Response as Answer
from agent_connector.testing.byoa import http_over


async def echo(request: WebRequest) -> Response:
    said = {
        "body": (await request.body()).decode(),
        "path": request.url.path,
        "host": request.headers["host"],
        "token": request.headers.get("authorization"),
        "client": request.client.host if request.client else None,
    }
    return JSONResponse(said, headers={"Retry-After": "3"})


async def endless(request: WebRequest) -> Response:
    return StreamingResponse(iter([b"x" * 1000] * 1000))


APP = Starlette(
    routes=[
        Route("/echo", echo, methods=["POST"]),
        Route("/endless", endless, methods=["POST"]),
        Route("/moved", lambda request: RedirectResponse("https://other.example"), methods=["POST"]),
    ]
)


def ask(path: str) -> Outcome:
    headers = (("Authorization", "Bearer tok"),)
    request = Request(1, "POST", f"https://notes.example:8443{path}", headers, b"hello", 10_000)
    return asyncio.run(http_over(APP, client=("192.0.2.1", 1)).send(request))


def test_a_request_arrives_whole_and_so_does_its_answer() -> None:
    answer = ask("/echo")
    assert isinstance(answer, Answer) and answer.status == 200 and answer.headers["retry-after"] == "3"
    assert answer.body == (
        b'{"body":"hello","path":"/echo","host":"notes.example:8443","token":"Bearer tok","client":"192.0.2.1"}'
    )


def test_a_redirect_is_brought_back_as_it_is() -> None:
    answer = ask("/moved")
    assert isinstance(answer, Answer) and answer.status == 307


def test_more_than_the_limit_is_a_failure() -> None:
    assert ask("/endless") == Failure("its answer is larger than 10000 bytes")
