"""Counting inside real FastMCP and mcp servers: the rows are those that `serve` writes for the same traffic."""

import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.telemetry.proxy import LIMIT, proxied, read_rows

from agent_connector import telemetry
from agent_connector.telemetry import switch, worker
from agent_connector.telemetry.tokenizer import Counter

SAME = ("scope", "connector", "surface", "tool", "family", "in", "out", "source", "error")


@pytest.fixture(autouse=True)
def quiet(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(worker, "_LAST", LIMIT)  # a slow machine may take long for the first count
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def fast() -> Any:
    from fastmcp import FastMCP

    server = FastMCP("shop")

    @server.tool
    def echo(text: str) -> str:
        return text * 2

    @server.tool
    def table() -> dict[str, int]:
        return {"rows": 17}

    @server.tool
    def fail(text: str) -> str:
        raise ValueError(text)

    @server.resource("shop://terms")
    def terms() -> str:
        return "hello world"

    @server.prompt
    def ask(what: str) -> str:
        return "Ask for " + what

    return server


def official() -> Any:
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("shop")

    @server.tool()
    def echo(text: str) -> str:
        return text * 2

    @server.tool()
    def fail(text: str) -> str:
        raise ValueError(text)

    return server


def low_level() -> Any:
    import mcp_types as types
    from mcp.server.lowlevel import Server

    async def listed(context: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=[types.Tool(name="echo", input_schema={"type": "object"})])

    async def called(context: Any, params: Any) -> Any:
        text = params.arguments["text"] * 2
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)])

    return Server("shop", on_list_tools=listed, on_call_tool=called)


def put(server: Any, middleware: Any) -> None:
    server.add_middleware(middleware) if hasattr(server, "add_middleware") else server.middleware.append(middleware)


def use(server: Any, *calls: tuple[str, dict[str, Any]], more: bool = False) -> list[Any]:
    """Talk to the server through its own library's client, in memory; returns the results or errors."""

    from fastmcp.exceptions import ToolError
    from mcp.shared.exceptions import MCPError

    async def talk() -> list[Any]:
        if hasattr(server, "add_middleware"):
            from fastmcp import Client
        else:
            from mcp import Client
        found: list[Any] = []
        async with Client(server) as client:
            await client.list_tools()
            for name, arguments in calls:
                try:
                    found.append(await client.call_tool(name, arguments))
                except (ToolError, MCPError) as error:
                    found.append(error)
            if more:
                await client.read_resource("shop://terms")
                await client.get_prompt("ask", {"what": "more"})
        return found

    return anyio.run(talk)


def measured(
    server: Any, *calls: tuple[str, dict[str, Any]], more: bool = False, **options: Any
) -> list[dict[str, Any]]:
    middleware = telemetry.middleware("acme-db", **options)
    put(server, middleware)
    use(server, *calls, more=more)
    if middleware.worker:
        middleware.worker.close()
    return read_rows(Path("data"))


@pytest.mark.parametrize("make", [fast, official, low_level])
def test_calls_and_definitions_are_counted(make: Any) -> None:
    rows = measured(make(), ("echo", {"text": "hello world"}), model_family="gpt")
    calls = [row for row in rows if row["scope"] == "call"]
    (echo,) = calls
    assert (echo["tool"], echo["out"], echo["source"], echo["error"]) == ("echo", 4, "tokenizer-exact", 0)
    assert echo["in"] > 0
    assert echo["ms"] > 0
    assert "echo" in {row["tool"] for row in rows if row["scope"] == "tool_defs"}
    assert all(row["out"] > 0 for row in rows)


@pytest.mark.parametrize("make", [fast, official])
def test_a_tool_that_fails_is_a_row_with_an_error_and_the_client_sees_it(make: Any) -> None:
    rows = measured(make(), ("fail", {"text": "no"}), ("echo", {"text": "x"}))
    assert [(row["tool"], row["error"]) for row in rows if row["scope"] == "call"] == [("fail", 1), ("echo", 0)]


def test_structured_results_resources_and_prompts(home: Path, counter: Counter) -> None:
    rows = measured(fast(), ("table", {}), more=True, model_family="gpt")
    calls = {row["tool"]: row["out"] for row in rows if row["scope"] == "call"}
    assert calls["table"] == counter.text('{"rows":17}', "gpt").tokens
    assert calls["resources/read"] == 2
    assert calls["prompts/get"] == 3


def test_the_results_are_the_same_with_and_without(home: Path) -> None:
    with_it, without = fast(), fast()
    put(with_it, telemetry.middleware("acme-db"))
    calls = (("echo", {"text": "x"}), ("table", {}), ("fail", {"text": "no"}), ("nowhere", {}))
    assert [str(found) for found in use(with_it, *calls)] == [str(found) for found in use(without, *calls)]


SERVER = """
import sys; sys.path.insert(0, {tests!r})
from tests.telemetry.test_in_process import official
official().run("stdio")
"""


def test_the_rows_are_those_that_serve_writes(home: Path) -> None:
    inside = measured(official(), ("echo", {"text": "hello"}), model_family="gpt", root=str(home / "inside"))
    del inside
    inside = read_rows(home / "inside")
    code = SERVER.format(tests=str(Path(__file__).parents[2]))
    with proxied(home, [sys.executable, "-c", code], "--host", "codex") as made:
        made.call({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}})  # fmt: skip
        made.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        made.call({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        params = {"name": "echo", "arguments": {"text": "hello"}}
        made.call({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
        made.end()
        outside = made.rows()
    assert [[row.get(key) for key in SAME] for row in inside] == [[row.get(key) for key in SAME] for row in outside]


def test_behind_serve_it_does_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_CONNECTOR_SERVED", "acme-db")
    assert not measured(fast(), ("echo", {"text": "x"}))
    monkeypatch.setenv("AGENT_CONNECTOR_SERVED", "another")
    assert measured(fast(), ("echo", {"text": "x"}))


def test_switched_off_it_does_nothing(home: Path) -> None:
    switch.turn(str(home / "data"), False, layer="middleware")
    assert not measured(fast(), ("echo", {"text": "x"}))


def test_a_project_can_keep_its_own_book(home: Path) -> None:
    (home / ".git").mkdir()
    assert not measured(fast(), ("echo", {"text": "x"}), store="project")
    assert read_rows(home / ".agent-connector")


def test_a_server_that_is_quicker_than_the_counting_is_not_held_up(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    monkeypatch.setattr(worker, "_WAITING", 10)
    monkeypatch.setattr(worker, "_LAST", 0.01)
    middleware = telemetry.middleware("acme-db")
    gate = threading.Event()
    assert middleware.worker
    middleware.worker.jobs.put(gate.wait)
    server = fast()
    put(server, middleware)
    found = use(server, *[("echo", {"text": "x"})] * 50)
    assert [result.data for result in found] == ["xx"] * 50
    gate.set()
    middleware.worker.thread.join(0.01)


def test_only_counts_are_kept(home: Path) -> None:
    secret = "s3same-0pen-xyzzy"
    assert measured(fast(), ("echo", {"text": secret}), ("fail", {"text": secret}))
    assert not [path for path in home.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert json.dumps(read_rows(home / "data")).count("echo") >= 2
