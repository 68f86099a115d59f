"""Droid's hooks: what is registered, what is understood, what is answered."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts import query
from agent_connector.hosts.droid import hooks
from agent_connector.testing.hosts import MARKS, hook_use

OWN, SETTINGS = "/home/user/.factory/hooks.json", "/home/user/.factory/settings.json"
LONG = "a_tool_with_a_name_that_is_far_too_long_for_a_function_of_any_host_at_all"
CUT = "acme-db___a_tool_with_a_name_that_is_far_too_long_for_a_6caa42dc"  # as the real program offered it


def hso(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def wired(*patterns, event="PreToolUse", file=OWN, **fields):
    [item] = hooks.wire([hook_use(event, matchers=[matcher(p) for p in patterns], **fields)], file)
    return item


# ---- what is registered


def test_in_a_file_of_their_own_the_events_stand_at_the_top():
    item = wired("*", event="Stop", command="run me", timeout=2.5)
    assert (item.file, item.format, item.path, item.marks) == (OWN, "jsonc", ("Stop",), MARKS)
    assert item.value == {"hooks": [{"type": "command", "command": "run me", "timeout": 3}]}
    assert wired("*", event="Stop", file=SETTINGS).path == ("hooks", "Stop")


@pytest.mark.parametrize(
    ("patterns", "caught", "missed"),
    [
        (["acme_query|x"], ["acme-db___acme_query", "acme-db___x"], ["acme-db___acme_query2", "acme-db__x"]),
        (["acme_.*"], ["acme-db___acme_x"], ["acme-db___other"]),
        ([LONG], [CUT], ["acme-db___a_tool"]),
        ([".*_at_all"], [CUT], ["other___at_all"]),
        ([r"db\.query"], ["acme-db___db_query"], ["Read"]),
        (["host:Bash"], ["Execute"], ["Read", "acme-db___Execute"]),
        (["host:(?i)x"], ["Execute", "Read"], ["acme-db___x"]),
        (["github/list_.*"], ["github___list_issues"], ["acme-db___list_issues"]),
    ],
)
def test_what_a_matcher_catches(patterns, caught, missed):
    """A plain word is compared whole, anything else is a regex."""
    said = wired(*patterns).value["matcher"]
    regex = re.compile(f"^(?:{said})$" if re.fullmatch(r"[\w|]+", said) else said)
    assert [name for name in caught if not regex.search(name)] == []
    assert [name for name in missed if regex.search(name)] == []


# ---- what is understood


def test_an_mcp_call(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.labmcp___echo"], ["labmcp"])
    assert (event.name, event.host, event.host_event) == ("PreToolUse", "droid", "PreToolUse")
    assert (event.server, event.tool_name, event.host_tool_name) == ("labmcp", "echo", "labmcp___echo")
    assert event.tool_input == {"text": "hi"}
    assert (event.session_id, event.permission_mode, event.call_id) == ("98241522-0000", "auto-high", None)


def test_its_own_tools_have_canonical_names(payloads):
    shell = hooks.parse("PreToolUse", payloads["PreToolUse.Execute"], [])
    assert (shell.server, shell.tool_name, shell.tool_input["command"]) == (None, "Bash", "echo orig")
    assert hooks.parse("PreToolUse", payloads["PreToolUse.ToolSearch"], []).tool_name == "ToolSearch"


@pytest.mark.parametrize(
    ("told", "servers", "expected"),
    [
        ("a___b", [], ("a", "b")),
        ("a___b___c", [], ("a", "b___c")),
        ("a___b___c", ["a___b"], ("a___b", "c")),
        ("Create", ["a"], (None, "Write")),
    ],
)
def test_server_and_tool(told, servers, expected):
    event = hooks.parse("PreToolUse", {"tool_name": told}, servers)
    assert (event.server, event.tool_name) == expected


@pytest.mark.parametrize(
    ("told", "listed", "expected"),
    [
        (CUT, {"side": "own", "names": [LONG]}, ("acme", LONG)),
        ("acme-db___db_query", {"side": "own", "names": ["db.query"]}, ("acme", "db.query")),
        ("git_hub___a", {"side": "server", "server": "git.hub", "names": ["a"]}, ("git.hub", "a")),
        ("acme-db___x", {"side": "own", "names": ["y"]}, ("acme", "x")),
    ],
)
def test_names_come_back_as_the_matchers_have_them(told, listed, expected):
    event = hooks.parse("PreToolUse", {"tool_name": told}, ["acme-db"])
    event.server = "acme" if event.server == "acme-db" else event.server
    hooks.restore(event, [listed], "acme")
    assert (event.server, event.tool_name) == expected


@pytest.mark.parametrize(
    ("recorded", "field", "value"),
    [
        ("SessionStart", "source", "startup"),
        ("SessionEnd", "reason", "other"),
        ("Stop", "stop_hook_active", False),
        ("Notification.permission_prompt", "notification_type", "permission_prompt"),
        ("PostToolUse.labmcp___echo", "tool_output", "LAB-ECHO:hi"),
        ("PostToolUse.Execute", "tool_name", "Bash"),
    ],
)
def test_lifecycle_events(payloads, recorded, field, value):
    event = hooks.parse(recorded.partition(".")[0], payloads[recorded], [])
    assert (event.name, getattr(event, field)) == (recorded.partition(".")[0], value)


@pytest.mark.parametrize("raw", [{}, {"tool_name": 7, "tool_input": "x", "mcp_server": None}])
def test_a_payload_without_its_fields_is_still_an_event(raw):
    for event in hooks.EVENTS:
        assert hooks.parse(event, raw, []).name == event


# ---- what goes out: (event, decision, reply, what the real program did with it)

REPLIES = [
    ("PreToolUse", light.allow(), hso("PreToolUse", permissionDecision="allow"), "granted the call, headless too"),
    (
        "PreToolUse",
        light.deny("no"),
        hso("PreToolUse", permissionDecision="deny", permissionDecisionReason="no"),
        "blocked, reason to the model",
    ),
    ("PreToolUse", light.modify({"a": 1}), hso("PreToolUse", updatedInput={"a": 1}), "reached the server, no grant"),
    ("PreToolUse", light.context("t"), None, "no such thing"),
    ("PostToolUse", light.deny("no"), hso("PostToolUse", additionalContext="no"), "a block was ignored, this was read"),
    ("PostToolUse", light.context("t"), hso("PostToolUse", additionalContext="t"), "a message after the result"),
    ("PostToolUse", light.replace_output("t"), None, "no such thing"),
    ("UserPromptSubmit", light.deny("no"), {"decision": "block", "reason": "no"}, "documented"),
    ("UserPromptSubmit", light.context("t"), hso("UserPromptSubmit", additionalContext="t"), "documented"),
    ("SessionStart", light.context("t"), hso("SessionStart", additionalContext="t"), "before the prompt"),
    ("Stop", light.deny("more"), {"decision": "block", "reason": "more"}, "went on"),
    ("SubagentStop", light.deny("more"), {"decision": "block", "reason": "more"}, "documented"),
    ("PreCompact", light.deny("no"), None, "watched only"),
    ("Notification", light.context("t"), None, "watched only"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "droid", event, {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, ""), seen


@pytest.mark.parametrize(
    ("mode", "word"),
    [("off", "ask"), ("spec", "ask"), ("auto-low", "deny"), ("auto-high", "deny"), (None, "deny"), ("new", "deny")],
)
def test_a_question_is_a_denial_where_droid_would_ignore_it(mode, word):
    said = hooks.reply(Event("PreToolUse", "droid", "PreToolUse", {}, permission_mode=mode), light.ask("sure?"))
    assert said.output == hso("PreToolUse", permissionDecision=word, permissionDecisionReason="sure?")


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in light.EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    assert hooks.honours("PostToolUseFailure", "context")[:2] == ("dropped", "proven")
