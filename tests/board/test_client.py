"""The client at boards of others: strict ones, forgetful ones, broken ones."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from agent_connector.board.client import BoardClient, endpoint
from agent_connector.errors import BoardError, BoardRefused, BoardUnreachable, BoardWrong

URL = "http://127.0.0.1:8700/somewhere"
TASK = {"id": "1", "title": "t", "status": "todo", "updatedAt": "2026-01-01T00:00:00Z"}
Answer = Callable[[httpx2.Request], Awaitable[httpx2.Response] | httpx2.Response]


class Strict:
    """A server that keeps sessions, lacks most of what is optional, and answers in text alone."""

    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, Any]]] = []
        self.answers: dict[str, Any] = {}
        self.failed = False
        text = {"type": "string"}
        self.tools = {
            "tasks_tasks_list": {"status": {"type": "array"}, "cursor": text},
            "tasks_task_get": {"id": text},
            "tasks_comment_add": {"taskId": text, "body": text},
            "agentops_run_update": {"id": text, "status": text, "result": {"type": "object"}},
        }

    async def listed(self, ctx: Any, params: Any) -> types.ListToolsResult:
        held = [
            types.Tool(name=name, input_schema={"type": "object", "properties": takes})
            for name, takes in self.tools.items()
        ]
        first = params is None or params.cursor is None  # two pages
        return types.ListToolsResult(tools=held[:2] if first else held[2:], next_cursor="more" if first else None)

    async def called(self, ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        self.got.append((params.name, dict(params.arguments or {})))
        answer = self.answers[params.name]
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=self.failed)

    @contextlib.asynccontextmanager
    async def running(self, json_response: bool = True) -> AsyncGenerator[httpx2.ASGITransport]:
        server = Server[Any]("strict", on_list_tools=self.listed, on_call_tool=self.called)
        manager = StreamableHTTPSessionManager(server, json_response=json_response)

        async def app(scope: Any, receive: Any, send: Any) -> None:
            if any(value.startswith(b"2026") for name, value in scope["headers"] if name == b"mcp-protocol-version"):
                await send({"type": "http.response.start", "status": 400, "headers": []})
                await send({"type": "http.response.body", "body": b"what?"})
            elif scope["method"] == "GET":
                await send({"type": "http.response.start", "status": 405, "headers": []})
                await send({"type": "http.response.body"})
            else:
                await manager.handle_request(scope, receive, send)

        async with manager.run():
            yield httpx2.ASGITransport(app)


class Switch(httpx2.AsyncBaseTransport):
    """A transport that can be replaced while a client has it."""

    now: httpx2.AsyncBaseTransport

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return await self.now.handle_async_request(request)


async def ends(call: Awaitable[object]) -> BoardError:
    try:
        await call
    except BoardError as error:
        return error
    raise AssertionError("no error")


@pytest.mark.parametrize("json_response", [True, False], ids=["json", "sse"])
def test_a_strict_server_gets_only_what_it_takes(json_response: bool):
    strict = Strict()
    strict.answers = {
        "tasks_tasks_list": {"tasks": [TASK], "extra": 1},
        "tasks_comment_add": {"comment": {"id": "c", "author": "a", "body": "b", "createdAt": "x"}},
        "agentops_run_update": {},
    }

    async def work() -> None:
        async with strict.running(json_response) as transport, BoardClient(URL, "k", transport=transport) as board:
            assert [task.id for task in await board.tasks(board="main", status=["todo"], updated_after="x")] == ["1"]
            assert (await board.comment("1", "b", fence=1, request_id="r")).id == "c"
            await board.run_update("r", status="failed", cost=1.5, model="m", fence=2, result={"cost": 1.5})
            assert strict.got == [
                ("tasks_tasks_list", {"status": ["todo"]}),
                ("tasks_comment_add", {"taskId": "1", "body": "b"}),
                ("agentops_run_update", {"id": "r", "status": "failed", "result": {"cost": 1.5}}),
            ]
            assert board.offers == frozenset(strict.tools)
            assert not board.knows("tasks_comment_add", "requestId")
            error = await ends(board.claim("1", connector_id="c", instance_id="i", lease_seconds=5))
            assert isinstance(error, BoardRefused)
            assert error.code == "unknown_tool"

    asyncio.run(work())


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"error": {"code": "stale_fence", "message": "late"}}, "stale_fence"),
        ({"code": "NOT_FOUND", "message": "no"}, "not_found"),
        ("stale_fence: another one has it", "stale_fence"),
        ("Not found", "not_found"),
        ("Something else went wrong", "invalid"),
        ({"error": "conflict: twice"}, "invalid"),
        ("[]", "invalid"),
    ],
)
def test_refusals_are_read_however_they_are_spelled(answer: Any, code: str):
    strict = Strict()
    strict.answers, strict.failed = {"tasks_task_get": answer}, True

    async def work() -> None:
        async with strict.running() as transport, BoardClient(URL, "k", transport=transport) as board:
            error = await ends(board.task("1"))
            assert isinstance(error, BoardRefused)
            assert error.code == code

    asyncio.run(work())


@pytest.mark.parametrize(
    ("answer", "where"),
    [
        ("no JSON", "tasks_task_get"),
        ([1], "tasks_task_get"),
        ({}, "tasks_task_get.task"),
        ({"task": {**TASK, "status": 1}}, "tasks_task_get.task.status"),
    ],
)
def test_an_answer_against_the_contract_names_tool_and_field(answer: Any, where: str):
    strict = Strict()
    strict.answers = {"tasks_task_get": answer}

    async def work() -> None:
        async with strict.running() as transport, BoardClient(URL, "k", transport=transport) as board:
            error = await ends(board.task("1"))
            assert isinstance(error, BoardWrong)
            assert error.where == where

    asyncio.run(work())


def test_a_list_that_never_ends_is_wrong():
    strict = Strict()
    strict.answers = {"tasks_tasks_list": {"tasks": [], "nextCursor": "same"}}

    async def work() -> None:
        async with strict.running() as transport, BoardClient(URL, "k", transport=transport) as board:
            assert isinstance(await ends(board.tasks()), BoardWrong)
            assert len(strict.got) == 2

    asyncio.run(work())


def test_a_forgotten_session_is_opened_again():
    strict = Strict()
    strict.answers = {"tasks_task_get": {"task": TASK}}
    line = Switch()

    async def work() -> None:
        async with BoardClient(URL, "k", transport=line) as board:
            for _ in range(2):  # the second server knows nothing of the first one's session
                async with strict.running() as line.now:
                    assert (await board.task("1")).id == "1"
                    await asyncio.gather(*(board.task("1") for _ in range(4)))

    asyncio.run(work())


def answering(answer: Answer) -> httpx2.MockTransport:
    return httpx2.MockTransport(answer)


@pytest.mark.parametrize(
    ("response", "code", "after"),
    [
        (httpx2.Response(429, headers={"retry-after": "12"}), None, 12.0),
        (httpx2.Response(503, headers={"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}), None, 0.0),
        (httpx2.Response(500, text="<html>"), None, None),
        (httpx2.Response(502), None, None),
        (httpx2.Response(401), "unauthorized", None),
        (httpx2.Response(403), "forbidden", None),
        (httpx2.Response(404), "not_found", None),
        (httpx2.Response(421), "forbidden", None),
        (httpx2.Response(307, headers={"location": "https://evil.example/mcp"}), None, None),
        (httpx2.Response(200, text="hello"), None, None),
        (httpx2.Response(200, json={"jsonrpc": "2.0"}), None, None),
    ],
    ids=lambda value: str(getattr(value, "status_code", "")),
)
def test_every_status_is_one_of_two_errors(response: httpx2.Response, code: str | None, after: float | None):
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.host)
        return httpx2.Response(response.status_code, headers=response.headers, content=response.content)

    async def work() -> None:
        async with BoardClient(URL, "k", transport=answering(answer)) as board:
            error = await ends(board.ping())
            if code is None:
                assert isinstance(error, BoardUnreachable)
                assert error.retry_after == after
            else:
                assert isinstance(error, BoardRefused)
                assert error.code == code
            assert board.offers == frozenset()

    asyncio.run(work())
    assert set(asked) == {"127.0.0.1"}, "the key went nowhere else"


@pytest.mark.parametrize(
    "error",
    [httpx2.ConnectError("no"), httpx2.ReadError("no"), OSError("no"), RuntimeError("ends the SDK's own connection")],
)
def test_a_line_that_breaks_is_unreachable_and_mends(error: Exception):
    strict = Strict()
    strict.answers = {"tasks_task_get": {"task": TASK}}
    line = Switch()

    def broken(request: httpx2.Request) -> httpx2.Response:
        raise error

    async def work() -> None:
        async with BoardClient(URL, "k", transport=line) as board:
            line.now = answering(broken)
            assert isinstance(await ends(board.task("1")), BoardUnreachable)
            async with strict.running() as line.now:
                assert (await board.task("1")).id == "1"
                line.now = answering(broken)
                assert isinstance(await ends(board.task("1")), BoardUnreachable)
            async with strict.running() as line.now:
                assert (await board.task("1")).id == "1"

    asyncio.run(work())


def test_an_answer_that_breaks_off_is_unreachable():
    class Torn(httpx2.AsyncByteStream):
        async def __aiter__(self) -> AsyncGenerator[bytes]:
            yield b'{"jsonrpc": '
            raise httpx2.ReadError("torn")

    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": "application/json"}, stream=Torn())

    async def work() -> None:
        async with BoardClient(URL, "k", transport=answering(answer)) as board:
            error = await ends(board.ping())
            assert isinstance(error, BoardUnreachable)
            assert "ReadError" in str(error)

    asyncio.run(work())


def test_a_board_that_does_not_answer_is_given_up():
    strict = Strict()
    strict.answers = {"tasks_task_get": {"task": TASK}}
    line = Switch()

    async def never(request: httpx2.Request) -> httpx2.Response:
        await asyncio.sleep(3600)
        raise AssertionError

    async def work() -> None:
        async with BoardClient(URL, "k", seconds=0.3, transport=line) as board:
            line.now = answering(never)
            assert isinstance(await ends(board.task("1")), BoardUnreachable)
            async with strict.running() as line.now:
                board._seconds = 30  # pyright: ignore[reportPrivateUsage]
                assert (await board.task("1")).id == "1"

    asyncio.run(work())


def test_a_key_goes_in_the_clear_to_this_machine_alone():
    assert endpoint("https://board.example/", False) == "https://board.example/mcp"
    assert endpoint("http://localhost:8700/a?b#c", False) == "http://localhost:8700/a/mcp"
    assert endpoint("http://[::1]:8700", False) == "http://[::1]:8700/mcp"
    assert endpoint("http://board.example", True) == "http://board.example/mcp"
    for bad in ("http://board.example", "http://127.0.0.1.example", "ftp://x", "board.example", "https://u:p@x", ""):
        with pytest.raises(BoardRefused):
            endpoint(bad, False)
