"""Qwen Code's hooks: what is registered, what is understood, what is answered."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts import query
from agent_connector.hosts.qwen_code import hooks, verdicts
from agent_connector.testing.hosts import MARKS, hook_use

FILE = "/home/user/.qwen/settings.json"
NAMES_OF_ANOTHER = {"side": "server", "server": "git.hub", "names": ["db.query"]}
LONG = "a_tool_with_a_name_that_is_far_too_long_for_a_function_of_qwen"


def hso(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


def wired(*patterns, event="PreToolUse", **fields):
    [item] = hooks.wire([hook_use(event, matchers=[matcher(p) for p in patterns], **fields)], FILE)
    return item


# ---- what is registered


def test_an_entry_in_seconds_in_a_file_that_may_hold_comments():
    item = wired("*", event="Stop", command="run me", timeout=2.5)
    assert (item.file, item.format, item.path, item.marks) == (FILE, "jsonc", ("hooks", "Stop"), MARKS)
    assert item.value == {"hooks": [{"type": "command", "command": "run me", "timeout": 3}]}


def test_a_thousand_seconds_would_be_a_second():
    assert wired("*", timeout=1800).value["hooks"][0]["timeout"] == 999


@pytest.mark.parametrize(
    ("patterns", "caught", "missed"),
    [
        (["acme_query"], ["mcp__acme-db__acme_query"], ["mcp__acme-db__acme_query2", "xmcp__acme-db__acme_query"]),
        (["acme_.*"], ["mcp__acme-db__acme_x"], ["mcp__acme-db__other"]),
        ([".*_write"], ["mcp__acme-db__acme_write"], ["mcp__other__acme_write", "write_file"]),
        (["host:Bash"], ["run_shell_command"], ["read_file", "mcp__acme-db__run_shell_command"]),
        (["github/list_.*"], ["mcp__github__list_issues"], ["mcp__acme-db__list_issues"]),
    ],
)
def test_what_a_matcher_catches(patterns, caught, missed):
    """Qwen looks for it anywhere in the name."""
    looked_for = re.compile(wired(*patterns).value["matcher"])
    assert [name for name in caught if not looked_for.search(name)] == []
    assert [name for name in missed if looked_for.search(name)] == []


@pytest.mark.parametrize("pattern", [LONG, "a_tool_with_a_name_that_is_.*", ".*far_too_long.*"])
def test_a_name_that_qwen_shortens_is_still_caught(pattern):
    called = hooks.tool_name("acme-db", LONG)
    assert len(called) == 63
    assert re.search(wired(pattern).value["matcher"], called)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("mcp__acme-db__acme_query", "mcp__acme-db__acme_query"),
        # as the function in the program's code writes them
        ("mcp__acme__db.query", "mcp__acme__db_query_151qnch"),
        ("mcp__acme-db__" + LONG, "mcp__acme-db__a_tool_with_a_name_that_is_far_too_long_f_0i6os4d"),
    ],
)
def test_names_as_qwen_writes_them(name, written):
    assert hooks.written(name) == written


# ---- what is understood


def test_an_mcp_call(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.mcp__lab__echo"], ["lab"])
    assert (event.name, event.host, event.host_event) == ("PreToolUse", "qwen-code", "PreToolUse")
    assert (event.server, event.tool_name, event.host_tool_name) == ("lab", "echo", "mcp__lab__echo")
    assert event.tool_input == {"text": "hello-lab"}
    assert (event.session_id, event.cwd) == ("6dd6fcb9-0000", "/home/user/project")
    assert event.call_id == "call_lab_1_0"  # the model's, which the event of the batch has too


def test_its_own_tools_have_canonical_names(payloads):
    shell = hooks.parse("PreToolUse", payloads["PreToolUse.run_shell_command"], [])
    assert (shell.server, shell.tool_name, shell.host_tool_name) == (None, "Bash", "run_shell_command")
    assert hooks.parse("PreToolUse", payloads["PreToolUse.agent"], []).tool_name == "Agent"
    assert hooks.parse("PreToolUse", payloads["PreToolUse.tool_search"], []).tool_name == "tool_search"


def test_results_and_failures(payloads):
    done = hooks.parse("PostToolUse", payloads["PostToolUse.mcp__lab__echo"], ["lab"])
    assert done.tool_output == {"llmContent": [{"text": "ECHO:hello-lab"}], "returnDisplay": "ECHO:hello-lab"}
    failed = hooks.parse("PostToolUseFailure", payloads["PostToolUseFailure"], [])
    assert (failed.tool_name, failed.error) == ("Read", "File not found: /home/user/project/absent.txt")


@pytest.mark.parametrize(
    ("recorded", "field", "value"),
    [
        ("SessionStart", "source", "startup"),
        ("SessionStart", "model", "fake-model"),
        ("SessionEnd", "reason", "prompt_input_exit"),
        ("UserPromptSubmit", "prompt", "say hi"),
        ("Notification", "notification_type", "auth_success"),
        ("Stop", "last_message", "FINAL-TEXT"),
        ("Stop", "stop_hook_active", False),
        ("SubagentStart", "agent_type", "general-purpose"),
        ("SubagentStop", "last_message", "SUB-FINAL"),
        ("PermissionRequest", "tool_name", "echo"),
        ("MessageDisplay", "session_id", "6dd6fcb9-0000"),
    ],
)
def test_lifecycle_events(payloads, recorded, field, value):
    event = hooks.parse(recorded, payloads[recorded], [])
    assert (event.name, getattr(event, field)) == (recorded, value)


def test_what_qwen_submits_itself_within_a_turn_is_no_prompt(payloads):
    event = hooks.parse("UserPromptSubmit", payloads["UserPromptSubmit.continued"], [])
    assert event.name not in EVENTS
    assert hooks.reply(event, light.deny("no")).output is None


@pytest.mark.parametrize(
    ("told", "server", "tool"),
    [("acme-db", "acme", LONG), ("acme-db", "acme", "acme_query"), ("git.hub", "git.hub", "db.query")],
)
def test_a_tool_gets_its_name_back_when_qwen_told_another(told, server, tool):
    event = hooks.parse("PreToolUse", {"tool_name": hooks.tool_name(told, tool)}, ["acme-db"])
    event.server = "acme" if event.server == "acme-db" else event.server
    hooks.restore(event, [matcher(f"acme_query|{LONG}"), matcher("git.hub/list"), NAMES_OF_ANOTHER], "acme")
    assert (event.server, event.tool_name) == (server, tool)


def test_a_name_that_nobody_asks_for_stays_as_it_is_told():
    event = hooks.parse("PreToolUse", {"tool_name": hooks.tool_name("acme-db", LONG + "er")}, ["acme-db"])
    hooks.restore(event, [matcher(f"acme_query|{LONG}"), NAMES_OF_ANOTHER], "acme-db")
    assert event.tool_name not in (LONG, LONG + "er")


@pytest.mark.parametrize("raw", [{}, {"tool_name": 7, "tool_input": "x", "mcp_server": None, "prompt": 3}])
def test_a_payload_without_its_fields_is_still_an_event(raw):
    for event in hooks.EVENTS:
        assert hooks.parse(event, raw, []).name == event


# ---- what goes out: (event, decision, reply, what the real program did with it)

REPLIES = [
    ("PreToolUse", light.allow(), None, "granted nothing"),
    (
        "PreToolUse",
        light.deny("no"),
        hso("PreToolUse", permissionDecision="deny", permissionDecisionReason="no"),
        "blocked, reason to the model",
    ),
    (
        "PreToolUse",
        light.ask("sure?"),
        hso("PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?"),
        "not run headless, reason to the model",
    ),
    ("PreToolUse", light.modify({"a": 1}), None, "ignored, with and without allow"),
    ("PreToolUse", light.context("t"), None, "did not reach the model"),
    ("PermissionRequest", light.allow(), hso("PermissionRequest", decision={"behavior": "allow"}), "documented"),
    ("PostToolUse", light.deny("no"), hso("PostToolUse", additionalContext="no"), "a block was ignored, this added"),
    ("PostToolUse", light.context("t"), hso("PostToolUse", additionalContext="t"), "inside the result"),
    ("PostToolUse", light.replace_output("t"), None, "ignored"),
    ("PostToolUseFailure", light.context("t"), hso("PostToolUseFailure", additionalContext="t"), "read by the model"),
    ("UserPromptSubmit", light.deny("no"), {"decision": "block", "reason": "no"}, "no model request, exit code 0"),
    ("UserPromptSubmit", light.ask("?"), {"decision": "block", "reason": "?"}, "the same"),
    ("UserPromptSubmit", light.context("t"), hso("UserPromptSubmit", additionalContext="t"), "beside the prompt"),
    ("SessionStart", light.context("t"), hso("SessionStart", additionalContext="t"), "a system message"),
    ("SessionStart", light.deny("no"), None, "not blockable"),
    ("Stop", light.deny("more"), {"decision": "block", "reason": "more"}, "went on"),
    ("Stop", light.context("t"), None, "ended all the same: additionalContext is not read"),
    ("SubagentStart", light.context("t"), None, "no sign of it in the subagent's request"),
    ("SubagentStop", light.deny("more"), {"decision": "block", "reason": "more"}, "the subagent went on"),
    ("SessionEnd", light.deny("no"), None, "watched only"),
    ("Notification", light.context("t"), None, "watched only"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "qwen-code", event, {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, ""), seen


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    assert hooks.honours("PreToolUse", "modify")[:2] == ("dropped", "proven")


def test_what_was_never_seen_is_not_called_proven():
    seen = {(event, decision.kind) for event, decision, _, said in REPLIES if said != "documented"}
    for (event, kind), (_, sure, _) in verdicts.TABLE.items():
        alike = (event, "deny") if kind == "ask" else (event, kind)
        assert sure != "proven" or {(event, kind), alike} & seen or event == "PostToolUseFailure", f"{kind} at {event}"
