"""Trae's hooks, by its documentation: nothing of it was seen on the real program."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.hosts import query
from agent_connector.hosts.nodes import Default
from agent_connector.hosts.trae import hooks, verdicts
from agent_connector.testing.host_samples import hook_use

BASE = {"session_id": "s-1", "cwd": "/code/app", "workspace_roots": ["/code/app"], "agent_type": "solo_agent"}
CALL = {**BASE, "agent_id": "solo_agent", "hook_event_name": "PreToolUse", "tool_use_id": "c-1"}
SHELL = {**CALL, "tool_name": "RunCommand", "llm_tool_name": "run_command", "tool_input": {"command": "ls"}}
OWN = {**CALL, "tool_name": "mcp__acme-db__acme_query", "tool_input": {"sql": "select 1"}}


def test_an_entry_in_hooks_json():
    own = {"side": "own", "names": ["acme_query"]}
    version, node = hooks.wire([hook_use("PreToolUse", "PreToolUse", command="c", matchers=(own,))], "/h.json")
    assert isinstance(version, Default)
    assert (version.path, version.value) == (("version",), 1)
    assert (node.file, node.path) == ("/h.json", ("hooks", "PreToolUse"))
    assert node.value == {
        "matcher": "^(?:mcp__acme-db__acme_query)$",
        "hooks": [{"type": "command", "command": "c", "timeout": 10}],
    }


def test_the_shell_is_called_run_command_there():
    shell = {"side": "host", "names": ["Bash"]}
    _, node = hooks.wire([hook_use("PreToolUse", "PreToolUse", matchers=(shell,))], "/h.json")
    assert re.search(node.value["matcher"], "RunCommand")
    assert not re.search(node.value["matcher"], "RunCommandX")


def test_calls_of_tools():
    event = hooks.parse("PreToolUse", SHELL, ["acme-db"])
    assert (event.name, event.tool_name, event.server, event.call_id) == ("PreToolUse", "Bash", None, "c-1")
    assert (event.session_id, event.cwd, event.agent_id) == ("s-1", "/code/app", None)
    own = hooks.parse("PreToolUse", OWN, ["acme-db"])
    assert (own.server, own.tool_name, own.tool_input) == ("acme-db", "acme_query", {"sql": "select 1"})
    assert hooks.parse("PreToolUse", {**OWN, "agent_id": "a-7"}, []).agent_id == "a-7"


def test_events_without_a_tool():
    stop = hooks.parse(
        "Stop", {**BASE, "stop_hook_active": True, "loop_count": 1, "last_assistant_message": "done"}, []
    )
    assert (stop.stop_hook_active, stop.last_message) == (True, "done")
    note = hooks.parse("Notification", {**BASE, "notification_type": "idle_prompt", "message": "waiting"}, [])
    assert (note.notification_type, note.message) == ("idle_prompt", "waiting")


BEFORE = {"hookEventName": "PreToolUse"}
REPLIES = [
    ("PreToolUse", light.allow(), {"hookSpecificOutput": {**BEFORE, "permissionDecision": "allow"}}),
    (
        "PreToolUse",
        light.deny("no"),
        {"hookSpecificOutput": {**BEFORE, "permissionDecision": "deny", "permissionDecisionReason": "no"}},
    ),
    (
        "PreToolUse",
        light.ask("no"),
        {"hookSpecificOutput": {**BEFORE, "permissionDecision": "ask", "permissionDecisionReason": "no"}},
    ),
    ("PreToolUse", light.modify({"a": 1}), {"hookSpecificOutput": {**BEFORE, "updatedInput": {"a": 1}}}),
    ("PostToolUse", light.deny("no"), {"decision": "block", "reason": "no"}),
    ("PostToolUse", light.replace_output("t"), None),
    ("UserPromptSubmit", light.deny("no"), {"decision": "block", "reason": "no"}),
    (
        "SessionStart",
        light.context("t"),
        {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "t"}},
    ),
    ("Stop", light.deny("no"), {"decision": "block", "reason": "no"}),
    ("Notification", light.deny("no"), None),
]


@pytest.mark.parametrize(("event", "decision", "output"), REPLIES)
def test_replies(event, decision, output):
    said = hooks.reply(Event(event, "trae", event, {}), decision)
    assert (said.output, said.exit_code) == (output, 0)


def test_what_is_sent_is_what_has_a_verdict_and_nothing_is_called_proven():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    assert {sure for _, sure, _ in verdicts.TABLE.values()} == {"documented"}
