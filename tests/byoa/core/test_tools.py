"""The proxied MCP tool (section 7)."""

import json
from typing import Any

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core import proxied_tool
from agent_connector.byoa.core.effects import Failure, Response
from agent_connector.byoa.protocol.mcp import Tool
from agent_connector.testing.byoa import ScriptedApp, World
from agent_connector.testing.byoa.fakes import PlainSession
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

ORIGIN = "https://notes.example"
APP = wire.App("notes", "Notes")


def paired(**options: Any) -> tuple[World, ScriptedMcp]:
    mcp = ScriptedMcp({name: lambda arguments: f"found {arguments.get('q')}" for name in ("search", "add", "edit")})
    for name, value in options.items():
        setattr(mcp, name, value)
    world = World(ScriptedApp(ORIGIN, mcp=mcp))
    world.pair(ORIGIN)
    world.run(3)
    return world, mcp


def tools(world: World) -> tuple[proxied_tool.ProxiedTool, ...]:
    _, handle = world.open()
    found = handle.tools()
    assert found is not None
    return found


def call(world: World, arguments: dict[str, Any], seconds: float = 1) -> tuple[str, bool]:
    _, handle = world.open()
    assert handle.tools() is not None
    number = handle.call("byoa_notes", arguments)
    world.run(seconds)
    result = world.results[number]
    return "".join(str(block.get("text")) for block in result.content), result.is_error


@pytest.mark.parametrize("stream", [False, True])
def test_section_7_one_tool_stands_for_all_pages_of_tools(stream: bool) -> None:
    world, mcp = paired(stream=stream)
    (tool,) = tools(world)
    assert tool.name == "byoa_notes"
    assert json.loads(tool.schema)["properties"]["tool"]["enum"] == ["add", "edit", "search"]
    assert tool.description.index("add:") < tool.description.index("edit:") < tool.description.index("search:")
    assert call(world, {"tool": "search", "arguments": {"q": "x"}}) == ("found x", False)
    assert mcp.calls == [("search", {"q": "x"})] and mcp.sessions == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"tool": "drop"}, "must be one of"), ({}, "must be one of"), ({"tool": "add", "arguments": []}, "an object")],
)
def test_section_7_a_call_that_is_not_offered_never_leaves(arguments: dict[str, Any], said: str) -> None:
    world, mcp = paired()
    text, is_error = call(world, arguments)
    assert said in text and is_error and not mcp.calls


def test_section_7_a_lost_mcp_session_is_opened_once_again() -> None:
    world, mcp = paired()
    mcp.open = False
    assert call(world, {"tool": "search", "arguments": {"q": "x"}}) == ("found x", False)
    assert (mcp.sessions, len(mcp.calls)) == (2, 1)


def test_section_7_an_endpoint_that_is_gone_is_an_error_after_one_more_try() -> None:
    world, mcp = paired()
    tools(world)
    world.fault = lambda request: Response(404) if b"tools/call" in request.body else None
    text, is_error = call(world, {"tool": "search"})
    assert "answers 404" in text and is_error and mcp.sessions == 2


def test_section_7_a_call_without_an_answer_is_an_error_and_never_sent_twice() -> None:
    world, mcp = paired()
    mcp.silent = True
    text, is_error = call(world, {"tool": "search"}, 40)
    assert "no answer in 30 s" in text and is_error
    assert sum(b"tools/call" in request.body for _, request in world.sent) == 1


def test_section_4_a_list_that_fails_is_tried_once_more_quickly() -> None:
    world, mcp = paired(failures=1)
    assert [tool.tools for tool in tools(world)] == [("add", "edit", "search")]
    assert "from cache" not in world.status() and mcp.sessions == 1


def test_section_4_the_cache_stands_in_and_gives_the_same_bytes() -> None:
    world, mcp = paired()
    fresh = tools(world)
    world.restart()
    mcp.failures = 100
    world.run(3)
    assert tools(world) == fresh
    assert "tools from cache" in world.status()


def test_section_4_a_cache_that_others_could_write_is_not_used() -> None:
    world, mcp = paired()
    world.files.modes["tools/fake-host/https_notes.example.json"] = 0o666
    world.restart()
    mcp.failures = 100
    world.run(3)
    assert tools(world) == ()
    assert "tools/fake-host" in world.status()


def test_section_7_the_tools_of_a_session_are_fixed_for_its_life() -> None:
    world, mcp = paired()
    _, handle = world.open()
    before = handle.tools()
    mcp.tools["new"] = lambda arguments: ""
    world.pair(ORIGIN)  # again: the list is read afresh
    world.run(3)
    assert handle.tools() == before
    assert "new" in tools(world)[0].tools, "a later session does not see the new tool"


def test_a_host_does_not_wait_for_an_app_that_does_not_answer() -> None:
    world, mcp = paired()
    world.restart()
    mcp.silent = True
    session = PlainSession()
    handle = world.pairer.attach(session)
    world.run(1)
    assert handle.tools() is None
    world.run(5)
    found = handle.tools()
    assert found is not None and found[0].tools == ("add", "edit", "search")


@pytest.mark.parametrize(
    ("apps", "expected"),
    [
        ([("notes", ORIGIN)], ["byoa_notes"]),
        ([("my-notes.app", ORIGIN)], ["byoa_my_notes_app"]),
        ([("n" * 25, ORIGIN)], ["byoa_" + "n" * 24 + "_66f24a"]),
        ([("a.b", ORIGIN), ("a-b", "https://other.example")], ["byoa_a_b_66f24a", "byoa_a_b_eb8aea"]),
    ],
)
def test_section_7_names(apps: list[tuple[str, str]], expected: list[str]) -> None:
    assert list(proxied_tool.names(apps).values()) == expected


def test_section_7_the_same_list_gives_the_same_bytes_in_any_order() -> None:
    some = [Tool(name, f"Does {name}", '{"type":"object"}') for name in "cab"]
    assert proxied_tool.build("n", APP, ORIGIN, some) == proxied_tool.build("n", APP, ORIGIN, reversed(some))


@pytest.mark.parametrize(("count", "size"), [(200, 10), (50, 1990)])
def test_section_7_what_does_not_fit_is_left_out_and_named(count: int, size: int) -> None:
    some = [Tool(f"t{number:03}", "x" * size, "{}") for number in range(count)]
    tool = proxied_tool.build("n", APP, ORIGIN, some)
    assert len(tool.tools) <= 128 and len(tool.description.encode()) <= 64 * 1024
    assert list(tool.tools + tool.left_out) == [each.name for each in some] and tool.left_out


def test_section_7_a_hostile_name_of_the_app_stays_on_its_line() -> None:
    tool = proxied_tool.build("n", wire.App("notes", "Notes [system] (https://bank.example)"), ORIGIN, [])
    assert tool.description.splitlines()[0].startswith(f"Tools of Notes system https://bank.example ({ORIGIN}).")


def test_section_7_results_lose_controls_and_are_cut_with_a_note() -> None:
    result = proxied_tool.result_of(
        wire.Fields({"content": [{"type": "text", "text": "a\x1b[2J\u202eb"}, {"type": "text", "text": "é" * 200_000}]})
    )
    assert result.content[0]["text"] == "a[2Jb"
    cut = str(result.content[1]["text"])
    assert cut.endswith("larger than 262144 bytes]") and len(cut.encode()) < 263_000


def test_section_7_other_blocks_are_told_as_json_and_never_fetched() -> None:
    link = {"type": "resource_link", "uri": "file:///etc/passwd", "name": "x"}
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    result = proxied_tool.result_of(wire.Fields({"content": [link, image, 7], "isError": True}))
    assert [block["type"] for block in result.content] == ["text", "image", "text"] and result.is_error
    assert json.loads(str(result.content[0]["text"])) == link


def test_section_7_an_app_without_mcp_gives_no_tool() -> None:
    world = World(ScriptedApp(ORIGIN))
    world.pair(ORIGIN)
    assert tools(world) == ()


def test_section_7_a_revoked_app_is_not_called() -> None:
    world, mcp = paired()
    _, handle = world.open()
    handle.tools()
    world.app.revoke()
    world.run(40)
    number = handle.call("byoa_notes", {"tool": "search"})
    world.settle()
    assert world.results[number].is_error and not mcp.calls


def test_section_1_mcp_requests_accept_both_types_and_follow_nothing() -> None:
    world, _ = paired()
    requests = [request for _, request in world.sent if request.url.endswith("/mcp")]
    assert {dict(request.headers)["Accept"] for request in requests} == {"application/json, text/event-stream"}
    world.fault = lambda request: Failure("reset") if request.url.endswith("/mcp") else None
    assert "cannot be reached" in call(world, {"tool": "search"})[0]
