"""The MCP server of a session, line by line."""

import asyncio
import json
from typing import Any

import pytest

from agent_connector.byoa.core.effects import CallResult
from agent_connector.byoa.core.proxied_tool import ProxiedTool
from agent_connector.byoa.sessions.claude_tools import LARGEST, ToolServer

TOOL = ProxiedTool("byoa_notes", "Tools of Notes", '{"type": "object"}', "https://notes.example", ("search",))


def talk(*messages: Any) -> tuple[list[dict[str, Any]], list[Any]]:
    """(what it answered, what it did)."""
    answers: list[dict[str, Any]] = []
    did: list[Any] = []

    async def call(name: str, arguments: Any) -> CallResult:
        did.append((name, dict(arguments)))
        if arguments.get("tool") == "never":
            try:
                await asyncio.Event().wait()
            finally:
                did.append("cancelled")
        return CallResult(({"type": "text", "text": "found"},), is_error=arguments.get("tool") == "bad")

    async def tools() -> tuple[ProxiedTool, ...]:
        return (TOOL,)

    async def run() -> None:
        reader = asyncio.StreamReader(limit=LARGEST)
        server = ToolServer(tools, call, lambda *who: did.append(who), lambda line: answers.append(json.loads(line)))
        running = asyncio.create_task(server.run(reader))
        for message in messages:
            reader.feed_data(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")
            for _ in range(5):
                await asyncio.sleep(0)
        reader.feed_eof()
        await running

    asyncio.run(run())
    return answers, did


def ask(method: str, id: int = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def test_the_handshake_as_claude_code_makes_it() -> None:
    client = {"name": "claude-code", "version": "2.1.332"}
    answers, did = talk(
        ask("server/discover", 1),
        ask("initialize", 2, protocolVersion="2025-11-25", clientInfo=client),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        ask("tools/list", 3),
    )
    assert [answer["id"] for answer in answers] == [1, 2, 3]
    assert answers[0]["error"]["code"] == -32601
    assert answers[1]["result"]["protocolVersion"] == "2025-11-25"
    assert answers[1]["result"]["capabilities"] == {"tools": {}}
    assert answers[2]["result"]["tools"] == [
        {"name": "byoa_notes", "description": "Tools of Notes", "inputSchema": {"type": "object"}}
    ]
    assert did == [("claude-code", "2.1.332")]


def test_an_unknown_revision_is_answered_with_our_newest() -> None:
    answers, _ = talk(ask("initialize", protocolVersion="1999-01-01"))
    assert answers[0]["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("tool", ["search", "bad"])
def test_a_call(tool: str) -> None:
    answers, did = talk(ask("tools/call", name="byoa_notes", arguments={"tool": tool}))
    assert did == [("byoa_notes", {"tool": tool})]
    assert answers[0]["result"] == {"content": [{"type": "text", "text": "found"}], "isError": tool == "bad"}


def test_a_cancelled_call_is_not_answered_and_others_go_on() -> None:
    answers, did = talk(
        ask("tools/call", 1, name="byoa_notes", arguments={"tool": "never"}),
        ask("ping", 2),
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        ask("tools/call", 3, name="byoa_notes", arguments={"tool": "search"}),
    )
    assert [answer["id"] for answer in answers] == [2, 3]
    assert did[1:] == ["cancelled", ("byoa_notes", {"tool": "search"})]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json\n", -32700),
        (b"[" * 100_000 + b"\n", -32700),
        (b"[]\n", -32600),
        (json.dumps(ask("tools/call", name=1)).encode() + b"\n", -32602),
        (json.dumps(ask("tools/call", name="x", arguments=[1])).encode() + b"\n", -32602),
        (json.dumps(ask("no/such")).encode() + b"\n", -32601),
    ],
)
def test_nonsense_is_answered_and_survived(line: bytes, code: int) -> None:
    answers, _ = talk(line, ask("ping", 9))
    assert answers[0]["error"]["code"] == code
    assert answers[1] == {"jsonrpc": "2.0", "id": 9, "result": {}}


def test_an_end_in_the_middle_of_a_call_is_an_end() -> None:
    answers, did = talk(ask("tools/call", name="byoa_notes", arguments={"tool": "never"}))
    assert answers == []
    assert did[-1] == "cancelled"
