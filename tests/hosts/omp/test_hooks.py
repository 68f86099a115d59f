"""Oh My Pi's hooks: names of tools that it writes its own way, calls that are told twice, and the extension under Node."""

import json
import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts.omp import hooks
from agent_connector.testing.hosts import hook_use

CALL, RESULT, STOP, PROMPT = "tool_call", "tool_result", "session_stop", "before_agent_start"
LONG = "list_every_table_of_the_schema_with_all_of_its_columns_and_keys"


def told(recorded, name, **more):
    return {"sessionID": "s", "directory": "/p", "event": recorded[name], **more}


def answers(driven, hook):
    return [result.get("answer") for result in driven["results"] if result["hook"] == hook]


# ---- names


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("labmcp", "echo", "mcp__labmcp_echo"),
        ("Acme-DB", "list-Tables", "mcp__acme_db_list_tables"),
        ("puppeteer", "puppeteer_screenshot", "mcp__puppeteer_screenshot"),
        ("x", "a..b__c_", "mcp__x_a_b_c"),
    ],
)
def test_a_tool_s_name(server, tool, name):
    assert hooks.tool_name(server, tool) == name


def regex(*patterns):
    uses = [hook_use(CALL, "PreToolUse", matchers=[matcher(pattern) for pattern in patterns])]
    [file] = hooks.wire(uses, "/e")
    config = re.search(r"const CONFIG = (.*?)\n// agent-connector:config end", file.text, re.DOTALL)
    return re.compile(json.loads(config[1])["hooks"][CALL]["tools"])


@pytest.mark.parametrize(
    ("pattern", "caught", "missed"),
    [
        ("query|acme-db-write", ["mcp__acme_db_query", "mcp__acme_db_write"], ["mcp__acme_db_other", "bash"]),
        ("list_.*", ["mcp__acme_db_list_x"], ["mcp__acme_db_query"]),
        ("acme_.*", ["mcp__acme_db_query"], ["mcp__other_query"]),  # the server's name may have been taken off
        (LONG, [f"mcp__acme_db_{LONG}"[:55] + "_3k2j1h0"], ["bash"]),
        ("host:Write", ["write"], ["mcp__acme_db_write"]),
    ],
)
def test_the_narrowest_tools(pattern, caught, missed):
    found = regex(pattern)
    assert [name for name in caught if not found.search(name)] == []
    assert [name for name in missed if found.search(name)] == []


@pytest.mark.parametrize(
    ("told", "declared"),
    [
        ("mcp__acme_db_list_tables", "list-Tables"),
        ("mcp__acme_db_write", "acme_db_write"),
        (f"mcp__acme_db_{LONG}"[:55] + "_3k2j1h0", LONG),
    ],
)
def test_names_come_back_as_they_were_declared(told, declared):
    event = hooks.parse(CALL, {"event": {"toolName": told}}, ["acme-db"])
    hooks.restore(event, [{"side": "own", "names": ["query", declared]}], "acme-db")
    assert (event.server, event.tool_name) == ("acme-db", declared)


# ---- what comes in


def test_recorded_events(recorded):
    call = hooks.parse(CALL, told(recorded, "tool_call mcp__labmcp_echo"), ["labmcp"])
    assert (call.name, call.server, call.tool_name) == ("PreToolUse", "labmcp", "echo")
    assert (call.call_id, call.tool_input) == ("call_lab18", {"text": "via-xd"})
    assert hooks.parse(CALL, told(recorded, "tool_call bash"), []).tool_name == "Bash"
    result = hooks.parse(RESULT, told(recorded, "tool_result mcp__labmcp_echo"), ["labmcp"])
    assert result.tool_output == {"content": [{"type": "text", "text": "LAB-ECHO:via-xd"}]}
    assert hooks.parse("session_start", told(recorded, "session_start"), []).name == "SessionStart"
    prompt = hooks.parse(PROMPT, {"event": {"text": "say hi"}}, [])
    assert (prompt.name, prompt.prompt) == ("UserPromptSubmit", "say hi")


# ---- the bridge


def test_a_call_by_a_route_is_told_once_by_its_own_name(bridge, recorded):
    bridge.install({CALL: {"args": {"text": "changed"}}, RESULT: {"context": "more"}})
    names = ("write", "mcp__labmcp_echo")
    driven = bridge.drive(
        *[(CALL, [recorded[f"{CALL} {name}"]]) for name in names],
        *[(RESULT, [recorded[f"{RESULT} {name}"]]) for name in reversed(names)],
    )
    assert [one["event"]["toolName"] for one in bridge.asked()] == ["mcp__labmcp_echo"] * 2
    outer, inner = (result["input"] for result in driven["results"][:2])
    assert outer["path"] == "xd://mcp__labmcp_echo" and inner == {"text": "changed"}
    inner, outer = answers(driven, RESULT)
    assert [part["text"] for part in inner["content"]] == ["LAB-ECHO:via-xd", "more"] and outer is None


def test_a_file_that_is_written_is_no_route(bridge):
    bridge.install({CALL: {"deny": "no"}})
    call = {"toolName": "write", "toolCallId": "c", "input": {"path": "x.txt", "content": "hi"}}
    assert answers(bridge.drive((CALL, [call])), CALL) == [{"block": True, "reason": "no"}]


def test_a_prompt_is_asked_about_once_with_and_without_a_terminal(bridge, recorded):
    bridge.install({"session_start": {"context": "Acme rules"}, PROMPT: {"context": "the schema is frozen"}})
    start = (PROMPT, [recorded[PROMPT]])
    driven = bridge.drive(("session_start", [{}]), start, ("input", [{"text": "say hi"}]), start)
    texts = [answer["message"]["content"] for answer in answers(driven, PROMPT)]
    assert texts == ["Acme rules\n\nthe schema is frozen", "the schema is frozen"]
    assert {one["event"]["text"] for one in bridge.asked() if one["host_event"] == PROMPT} == {"say hi"}
    assert [one["host_event"] for one in bridge.asked()].count(PROMPT) == 2


def test_a_prompt_is_refused_in_the_terminal(bridge):
    bridge.install({PROMPT: {"deny": "closed"}})
    driven = bridge.drive(("input", [{"text": "say hi"}]), ui={"confirm": True})
    assert answers(driven, "input") == [{"handled": True}]
    assert driven["shown"] == [{"kind": "warning", "text": "closed"}]


def test_an_agent_is_sent_on_and_that_is_no_prompt(bridge, recorded):
    bridge.install({STOP: {"deny": "run the tests"}, PROMPT: {}})
    driven = bridge.drive(
        (STOP, [recorded[STOP]]), (PROMPT, [{"prompt": "run the tests"}]), (STOP, [{"stop_hook_active": True}])
    )
    assert answers(driven, STOP) == [{"decision": "block", "reason": "run the tests"}] * 2
    assert [one["host_event"] for one in bridge.asked()] == [STOP, STOP]
    assert [one["stopHookActive"] for one in bridge.asked()] == [False, True]


def test_a_compaction_gets_more_context(bridge):
    bridge.install({"session_before_compact": {"context": "keep the ids"}})
    driven = bridge.drive(("session_before_compact", [{}]), ("session.compacting", [{}]))
    assert answers(driven, "session.compacting") == [{"context": ["keep the ids"]}]


def test_a_subagent_is_refused_before_it_begins(bridge):
    spawn = "before_subagent_spawn"
    bridge.install({spawn: {"deny": "one at a time"}})
    driven = bridge.drive((spawn, [{"agent": "scout", "invocationKind": "task", "patterns": ["x"]}]))
    assert answers(driven, spawn) == [{"block": True, "reason": "one at a time"}]
    [asked] = bridge.asked()
    event = hooks.parse(spawn, asked, ["acme-db"])
    assert (event.name, event.agent_type) == ("SubagentStart", "scout")
    assert hooks.reply(event, light.deny("one at a time")).output == {"deny": "one at a time"}
    assert hooks.honours("SubagentStart", "context")[0] == "dropped"


@pytest.mark.parametrize("answer", [None, {"text": "no JSON"}, {"hang": True}])
def test_garbage_says_nothing(bridge, recorded, answer):
    bridge.install(dict.fromkeys((CALL, RESULT, STOP, PROMPT, "session_start"), answer), timeout=0.3)
    driven = bridge.drive(*[(name.split()[0], [event]) for name, event in recorded.items()])
    assert [result.get("answer") for result in driven["results"]] == [None] * len(driven["results"])


# ---- what goes out


def test_what_a_prompt_s_denial_is_worth():
    assert hooks.honours("UserPromptSubmit", "deny")[0] == "degraded"
    assert hooks.honours("UserPromptSubmit", "context")[:2] == ("honoured", "proven")
    assert hooks.honours("PermissionRequest", "allow")[2] == "Oh My Pi lets this event be watched only"
    event = light.Event("PreCompact", "omp", "session_before_compact", {})
    assert hooks.reply(event, light.context("c")).output == {"context": "c"}
