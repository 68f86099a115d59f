"""Kimi's hooks: what is registered, what is understood, what is answered."""

import re
import tomllib

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.documents.formats import END, FORMATS
from agent_connector.hosts import query
from agent_connector.hosts.kimi import hooks, verdicts
from agent_connector.testing.hosts import MARKS, hook_use

FILE = "/home/user/.kimi-code/config.toml"
LONG = "a_tool_with_a_name_that_is_far_too_long_for_a_function_of_any_host_at_all"
CUT = "mcp__acme-db__a_tool_with_a_name_that_is_far_too_long__-528152db"  # as the real program offered it


def denied(event, reason):
    said = {"hookEventName": event, "permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": said}


def wired(*patterns, event="PreToolUse", **fields):
    [item] = hooks.wire([hook_use(event, matchers=[matcher(p) for p in patterns], **fields)], FILE)
    return item


# ---- what is registered


def test_a_table_with_the_keys_that_kimi_knows():
    item = wired("acme_query", command="run me", timeout=2.5)
    assert (item.file, item.format, item.path, item.marks) == (FILE, "toml", ("hooks",), MARKS)
    assert item.value == {
        "event": "PreToolUse",
        "matcher": "^(?:mcp__acme-db__acme_query)$",
        "command": "run me",
        "timeout": 3,
    }
    assert wired("*", event="Stop", timeout=5000).value.keys() == {"event", "command", "timeout"}
    assert wired("*", event="Stop", timeout=5000).value["timeout"] == 600


def test_it_becomes_a_table_beside_the_persons_own():
    own = '# mine\n[[hooks]]\nevent = "Stop"\ncommand = "say done"\n\n[mcp]\ntool_timeout_ms = 1\n'
    text = FORMATS["toml"].put(own, ("hooks", END), wired("*").value)
    assert [hook["event"] for hook in tomllib.loads(text)["hooks"]] == ["Stop", "PreToolUse"]
    assert text.startswith("# mine\n[[hooks]]\n") and text.count("[[hooks]]") == 2


@pytest.mark.parametrize(
    ("patterns", "caught", "missed"),
    [
        (["acme_query|x"], ["mcp__acme-db__acme_query", "mcp__acme-db__x"], ["mcp__acme-db__acme_query2", "x"]),
        (["acme_.*"], ["mcp__acme-db__acme_x"], ["mcp__acme-db__other"]),
        ([LONG], [CUT], ["mcp__acme-db__a_tool"]),
        ([".*_at_all"], [CUT], ["mcp__other__at_all", "Bash"]),
        (["a__b"], ["mcp__acme-db__a_b"], ["mcp__acme-db__a__b"]),
        (["host:Bash"], ["Bash"], ["BashOutput", "mcp__acme-db__Bash"]),
        (["host:(?i)x"], ["Bash", "Read"], ["mcp__acme-db__x"]),
        (["github/list_.*"], ["mcp__github__list_issues"], ["mcp__acme-db__list_issues"]),
    ],
)
def test_the_matcher_is_anchored_because_kimi_searches_anywhere(patterns, caught, missed):
    regex = re.compile(wired(*patterns).value["matcher"])
    assert [name for name in caught if not regex.search(name)] == []
    assert [name for name in missed if regex.search(name)] == []


@pytest.mark.parametrize(
    ("server", "tool", "name"),
    [
        ("acme-db", "acme_query", "mcp__acme-db__acme_query"),
        ("acme-db", "db.query", "mcp__acme-db__db_query"),  # offered so by the real program
        ("a__b", "c___d", "mcp__a_b__c_d"),
        ("acme-db", LONG, CUT),
    ],
)
def test_names_as_kimi_writes_them(server, tool, name):
    assert hooks.tool_name(server, tool) == name


# ---- what is understood


def test_an_mcp_call(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.mcp__labmcp__echo"], ["labmcp"])
    assert (event.name, event.host, event.host_event) == ("PreToolUse", "kimi", "PreToolUse")
    assert (event.server, event.tool_name, event.host_tool_name) == ("labmcp", "echo", "mcp__labmcp__echo")
    assert event.tool_input == {"text": "hi"}
    assert (event.session_id, event.call_id) == ("session_cfa2d2af", "call_lab28")


def test_a_prompt_comes_in_parts(payloads):
    assert hooks.parse("UserPromptSubmit", payloads["UserPromptSubmit"], []).prompt == "say hi"
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}, 7]
    assert hooks.parse("UserPromptSubmit", {"prompt": parts}, []).prompt == "a\n\nb\n"
    assert hooks.parse("UserPromptSubmit", {"prompt": "as the old program"}, []).prompt == "as the old program"


def test_results_and_failures(payloads):
    done = hooks.parse("PostToolUse", payloads["PostToolUse.mcp__labmcp__echo"], ["labmcp"])
    assert (done.tool_output, done.tool_name) == ("LAB-ECHO:hi", "echo")
    failed = hooks.parse("PostToolUseFailure", payloads["PostToolUseFailure.mcp__labmcp__echo"], ["labmcp"])
    assert (failed.error, failed.tool_name) == ("no way", "echo")
    assert hooks.parse("PostToolUseFailure", {"error": "text"}, []).error == "text"


@pytest.mark.parametrize(
    ("recorded", "field", "value"),
    [
        ("SessionStart", "source", "startup"),
        ("SessionStart", "model", "__kimi_env_model__"),
        ("Stop", "stop_hook_active", False),
        ("PermissionRequest.Bash", "tool_name", "Bash"),
        ("PermissionRequest.mcp__acplab__echo", "server", "acplab"),
        ("PermissionResult.Bash", "call_id", "call_lab39"),
        ("Interrupt", "reason", "cancelled"),
    ],
)
def test_lifecycle_events(payloads, recorded, field, value):
    event = hooks.parse(recorded.partition(".")[0], payloads[recorded], [])
    assert (event.name, getattr(event, field)) == (recorded.partition(".")[0], value)


def test_a_subagents_end():
    event = hooks.parse("SubagentStop", {"agent_name": "coder", "response": "done"}, [])
    assert (event.agent_type, event.last_message) == ("coder", "done")


@pytest.mark.parametrize(
    ("told", "listed", "expected"),
    [
        (CUT, {"side": "own", "names": [LONG]}, ("acme", LONG)),
        ("mcp__acme-db__db_query", {"side": "own", "names": ["db.query"]}, ("acme", "db.query")),
        ("mcp__acme-db__a_b", {"side": "own", "prefix": "a__"}, ("acme", "a__")),
        ("mcp__git_hub__a", {"side": "server", "server": "git.hub", "names": ["a"]}, ("git.hub", "a")),
        ("mcp__acme-db__x", {"side": "own", "names": ["y"]}, ("acme", "x")),
    ],
)
def test_names_come_back_as_the_matchers_have_them(told, listed, expected):
    event = hooks.parse("PreToolUse", {"tool_name": told}, ["acme-db"])
    event.server = "acme" if event.server == "acme-db" else event.server
    hooks.restore(event, [listed], "acme")
    assert event.server == expected[0]
    assert event.tool_name.startswith(expected[1])


@pytest.mark.parametrize("raw", [{}, {"tool_name": 7, "tool_input": "x", "prompt": 3, "error": []}])
def test_a_payload_without_its_fields_is_still_an_event(raw):
    for event in hooks.EVENTS:
        assert hooks.parse(event, raw, []).name == event


# ---- what goes out: (event, decision, reply, what the real program did with it)

REPLIES = [
    ("PreToolUse", light.allow(), None, "nothing to grant"),
    ("PreToolUse", light.deny("no"), denied("PreToolUse", "no"), "blocked, reason to the model"),
    ("PreToolUse", light.ask("sure?"), denied("PreToolUse", "sure?"), "blocked, reason to the model"),
    ("PreToolUse", light.modify({"a": 1}), None, "ignored"),
    ("PreToolUse", light.context("t"), None, "no such thing"),
    ("PostToolUse", light.deny("no"), None, "watched only"),
    ("PostToolUse", light.context("t"), None, "did not reach the model"),
    ("PostToolUseFailure", light.context("t"), None, "watched only"),
    ("PermissionRequest", light.deny("no"), None, "watched only"),
    ("UserPromptSubmit", light.deny("no"), denied("UserPromptSubmit", "no"), "no model request, exit code 1"),
    ("UserPromptSubmit", light.ask("?"), denied("UserPromptSubmit", "?"), "the same"),
    ("UserPromptSubmit", light.context("t"), {"message": "t"}, "a message before the prompt"),
    ("SessionStart", light.context("t"), None, "did not reach the model"),
    ("Stop", light.deny("more"), denied("Stop", "more"), "went on once"),
    ("Stop", light.context("t"), None, "no such thing"),
    ("SubagentStop", light.deny("more"), None, "not waited for"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "kimi", event, {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, ""), seen


def test_what_says_nothing_prints_nothing():
    """Anything on stdout would stand before the model, `{}` too."""
    assert hooks.NEUTRAL == ""
    assert hooks.reply(Event("UserPromptSubmit", "kimi", "UserPromptSubmit", {}), None).output is None


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    assert all(sure == "proven" for verdict, sure, _ in verdicts.TABLE.values() if verdict != "dropped")
