"""Following JSON-RPC from request to answer, in both ages of the protocol."""

import json
from typing import Any

import pytest

from agent_connector.telemetry.frames import IN, OUT
from agent_connector.telemetry.lines import Long, Lost, Message
from agent_connector.telemetry.messages import CLIENT, Meter
from agent_connector.telemetry.origin import Origin
from agent_connector.telemetry.rows import INSTRUCTIONS, UNKNOWN, Rows
from agent_connector.telemetry.tokenizer import EXACT, HEURISTIC, Counter

GPT = {"name": "codex-mcp-client"}


class Line:
    """A meter with a clock that the test moves, and the rows that it wrote."""

    def __init__(self, counter: Counter, **origin: Any) -> None:
        self.rows: list[dict[str, Any]] = []
        self.time = 0
        writing = Rows(Origin("acme-db", **origin), self.rows.append)
        self.meter = Meter(writing, lambda: counter, lambda: counter, lambda moment: moment // 1000)

    def send(self, *messages: Any, after: float = 1.0) -> None:
        self._see(IN, messages, after)

    def answer(self, *messages: Any, after: float = 1.0) -> None:
        self._see(OUT, messages, after)

    def _see(self, way: bytes, messages: tuple[Any, ...], after: float) -> None:
        for message in messages:
            self.time += round(after * 1000)
            data = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.meter.see(Message(way, self.time, data))


@pytest.fixture
def line(counter: Counter) -> Line:
    return Line(counter)


def request(id: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def call(id: Any, name: str = "query", **more: Any) -> dict[str, Any]:
    return request(id, "tools/call", name=name, arguments={"q": "hello"}, **more)


def result(id: Any, **fields: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": fields}


def said(id: Any, text: str = "hello world", **fields: Any) -> dict[str, Any]:
    return result(id, content=[{"type": "text", "text": text}], **fields)


def test_a_call_becomes_a_row(line: Line, counter: Counter) -> None:
    line.send(request(0, "initialize", clientInfo=GPT))
    line.answer(result(0))
    line.send(call(1))
    line.answer(said(1), after=25)
    (row,) = line.rows
    assert counter.encode
    expected = {
        "scope": "call",
        "tool": "query",
        "host": "codex",
        "family": "gpt",
        "source": EXACT,
        "ms": 25.0,
        "error": 0,
    }
    assert expected.items() <= row.items()
    assert row["in"] == len(counter.encode('{"q":"hello"}'))
    assert row["out"] == 2


def test_answers_come_in_any_order_and_ids_of_two_types_are_two(line: Line) -> None:
    line.send(call(1, "a"), call("1", "b"), call("x", "c"))
    line.answer(said("x"), said("1"), said(1))
    assert [row["tool"] for row in line.rows] == ["c", "b", "a"]


def test_errors_of_both_kinds_are_told(line: Line) -> None:
    line.send(call(1), call(2), call(3))
    line.answer(said(1, isError=True), {"id": 2, "error": {"code": -1, "message": "it failed"}}, said(3, isError=False))
    assert [row["error"] for row in line.rows] == [1, 1, 0]
    assert line.rows[1]["out"] > 0


def test_definitions_are_counted_at_each_fetch(line: Line) -> None:
    tools = [{"name": "a", "description": "A" * 40, "inputSchema": {}}, {"name": "b", "inputSchema": {}}]
    for id in (1, 2):
        line.send(request(id, "tools/list"))
        line.answer(result(id, tools=tools))
    assert [(row["scope"], row["tool"]) for row in line.rows] == [("tool_defs", "a"), ("tool_defs", "b")] * 2
    assert line.rows[0]["out"] > line.rows[1]["out"] > 0


@pytest.mark.parametrize("method", ["initialize", "server/discover"])
def test_instructions_are_a_part_of_the_definitions(line: Line, method: str) -> None:
    line.send(request(1, method))
    line.answer(result(1, instructions="hello world"))
    (row,) = line.rows
    assert (row["scope"], row["tool"], row["out"]) == ("tool_defs", INSTRUCTIONS, 2)


def test_definitions_are_not_counted_where_the_author_said_so(counter: Counter) -> None:
    line = Line(counter)
    line.meter.rows.definitions = False
    line.send(request(1, "tools/list"))
    line.answer(result(1, tools=[{"name": "a"}]))
    assert not line.rows


def test_each_stateless_request_tells_its_client(line: Line) -> None:
    line.send(call(1, _meta={CLIENT: {"name": "claude-code"}}), call(2, _meta={CLIENT: GPT}), call(3))
    line.answer(said(1), said(2), said(3))
    assert [(row["host"], row["family"]) for row in line.rows] == [
        ("claude-code", "claude"),
        ("codex", "gpt"),
        ("", ""),
    ]


def test_the_family_is_the_requests_then_the_clients_then_the_hint(counter: Counter) -> None:
    line = Line(counter, hint="gemini")
    turn = {"x-codex-turn-metadata": {"model": "claude-opus-5", "session_id": "s-1"}}
    line.send(call(1), call(2, _meta={CLIENT: GPT}), call(3, _meta={CLIENT: GPT, **turn}))
    line.answer(said(1), said(2), said(3))
    assert [row["family"] for row in line.rows] == ["gemini", "gpt", "claude"]
    assert line.rows[2]["session"] == "s-1"


def test_the_host_is_as_installed_then_as_marked_then_the_client(counter: Counter) -> None:
    for origin, host in (
        ({"given_host": "cursor"}, "cursor"),
        ({"marked_host": "opencode"}, "opencode"),
        ({}, "codex"),
    ):
        line = Line(counter, **origin)
        line.send(request(0, "initialize", clientInfo=GPT), call(1))
        line.answer(said(1))
        assert line.rows[0]["host"] == host


def test_batches_are_taken_apart(line: Line) -> None:
    line.send([call(1, "a"), {"method": "notifications/x"}, call(2, "b")])
    line.answer([said(2), said(1)])
    assert [row["tool"] for row in line.rows] == ["b", "a"]


def test_a_call_that_asks_for_input_counts_once_it_is_complete(line: Line) -> None:
    line.send(call(1))
    line.answer(result(1, resultType="input_required", inputRequests={"x": {}}))
    line.send(call(2, inputResponses={"x": {}}))
    line.answer(said(2, resultType="complete"))
    assert len(line.rows) == 1


@pytest.mark.parametrize("method", ["tasks/result", "tasks/get"])
def test_a_task_is_the_call_that_began_it(line: Line, method: str) -> None:
    line.send(call(1, "slow", task={"ttl": 60}))
    line.answer(result(1, task={"taskId": "t1", "status": "working"}))
    assert not line.rows
    for id in (2, 3):
        line.send(request(id, method, taskId="t1"))
        done = said(id) if method == "tasks/result" else result(id, status="completed", result=said(0)["result"])
        line.answer(done)
    (row,) = line.rows
    assert (row["tool"], row["out"], row["ms"]) == ("slow", 2, 3.0)


def test_a_cancelled_call_and_one_without_an_answer_failed(line: Line) -> None:
    line.send(call(1, "cancelled"), {"method": "notifications/cancelled", "params": {"requestId": 1}}, call(2, "open"))
    line.answer(said(1))
    line.meter.end(line.time + 5000)
    assert [(row["tool"], row["error"], row["out"]) for row in line.rows] == [("cancelled", 1, 0), ("open", 1, 0)]


def test_resources_and_prompts_have_rows_of_their_own(line: Line) -> None:
    line.send(request(1, "resources/read", uri="a:b"), request(2, "prompts/get", name="p", arguments={"n": "x"}))
    line.answer(result(1, contents=[{"uri": "a:b", "text": "hello world"}]))
    line.answer(result(2, messages=[{"role": "user", "content": {"type": "text", "text": "hello world"}}]))
    assert [(row["tool"], row["out"]) for row in line.rows] == [("resources/read", 2), ("prompts/get", 2)]


def test_requests_of_the_servers_are_not_mixed_with_those_of_the_host(line: Line) -> None:
    line.send(call(1))
    line.answer(request(1, "sampling/createMessage", messages=[]))
    line.send(result(1, role="assistant", content={"type": "text", "text": "x"}))
    line.answer(said(1))
    assert len(line.rows) == 1


def test_a_root_names_the_project_where_the_folder_says_nothing(counter: Counter, tmp_path: Any) -> None:
    (tmp_path / "shop").mkdir()
    for vague, name in ((True, "shop"), (False, "here")):
        line = Line(counter, project="h", project_name="here", vague=vague)
        line.answer(request(9, "roots/list"))
        line.send(result(9, roots=[{"uri": (tmp_path / "shop").as_uri()}]))
        line.send(call(1))
        line.answer(said(1))
        assert line.rows[0]["project_name"] == name


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe\xff", b"null", b"7", b'"x"', b"[]", b"[1,[2]]", b"{}", b'{"id":1}', b'{"method":7,"id":{}}',
     b'{"method":"tools/call","id":1,"params":[1]}', b'{"method":"tools/call","params":null,"id":null}',
     b'{"jsonrpc":"2.0","id":1,"result":[]}', b'{"id":1,"error":"x"}', b"[" * 100_000],
)  # fmt: skip
def test_what_is_no_message_is_passed_over(line: Line, data: bytes) -> None:
    line.send(data)
    line.answer(data)
    line.send(call(5))
    line.answer(said(5))
    assert line.rows[-1]["tool"] == "query"


def test_a_giant_answer_belongs_to_its_call(line: Line) -> None:
    for id, head, tail in (
        (1, b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"' + b"word " * 900, b'word"}]}}'),
        (2, b'{"result":{"content":[{"type":"text","text":"' + b"word " * 900, b'word"}]},"jsonrpc":"2.0","id":2}'),
        ("c", b'{"result":{"content":[{"type":"text","text":"' + b"word " * 900, b'word"}]},"id":"c"}'),
    ):
        line.send(call(id, "big"))
        line.meter.see(Long(OUT, line.time + 5000, 50_000_000, head, tail))
        row = line.rows[-1]
        assert (row["tool"], row["source"], row["error"]) == ("big", HEURISTIC, 0)
        assert 10_000_000 < row["out"] < 17_000_000


def test_a_giant_picture_is_no_text(line: Line) -> None:
    from tests.telemetry.test_media import png

    head = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"' + png(640, 480).encode()
    line.send(call(1))
    line.meter.see(Long(OUT, line.time, 50_000_000, head + b"A" * 50_000, b'AAAA","mimeType":"image/png"}]}}'))
    assert line.rows[0]["out"] < 2000


def test_a_giant_request_is_a_call_too(line: Line) -> None:
    head = (
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"write","arguments":{"text":"' + b"a " * 5000
    )
    line.meter.see(Long(IN, 1000, 8_000_000, head, b'a"}}}'))
    line.answer(said(9))
    (row,) = line.rows
    assert (row["tool"], row["source"]) == ("write", HEURISTIC)
    assert row["in"] > 1_000_000


def test_lost_answers_are_told_by_number_and_size(line: Line) -> None:
    line.send(call(1), call(2))
    line.meter.see(Lost(OUT, line.time + 1, 4000, 2))
    line.meter.end(line.time + 2)
    (row,) = line.rows
    assert (row["tool"], row["n"], row["out"], row["source"], row["error"]) == (UNKNOWN, 2, 1000, HEURISTIC, 0)


def test_nothing_is_kept_of_requests_beyond_a_bound(line: Line) -> None:
    for id in range(12_000):
        line.meter.objects(IN, 1, [call(id)])
        line.meter.objects(OUT, 1, [said(f"other {id}")])
    assert len(line.meter.open) <= 10_000
    assert len(line.meter.early) < 10
