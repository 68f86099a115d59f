"""Hooks of Antigravity's engine, by its documentation and reports of others: nothing of it was run."""

import json

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.hosts import query
from agent_connector.hosts.antigravity import hooks
from agent_connector.hosts.antigravity_cli import hooks as cli
from agent_connector.hosts.nodes import Default
from agent_connector.testing.host_samples import MARKS, hook_use

APP = "/home/user/.gemini/antigravity/brain/c-1/.system_generated/logs/transcript.jsonl"
BASE = {"conversationId": "c-1", "workspacePaths": ["/code/app"], "artifactDirectoryPath": "/a"}
SHELL = {
    **BASE,
    "transcriptPath": APP,
    "stepIdx": 4,
    "toolCall": {"name": "run_command", "args": {"CommandLine": "ls", "Cwd": "/code/app/src"}},
}

# ---- what is registered


def test_one_named_hook_with_groups_for_tools_and_flat_lists_for_the_rest():
    uses = [hook_use("PreToolUse", "PreToolUse", command="c"), hook_use("Stop", "Stop", command="d", timeout=2.1)]
    enabled, before, stop = hooks.wire(uses, "/h.json")
    assert isinstance(enabled, Default)
    assert (enabled.path, enabled.value) == (("agent-connector-acme-db", "enabled"), True)
    assert (before.path, before.marks) == (("agent-connector-acme-db", "PreToolUse"), MARKS)
    assert before.value == {"matcher": "*", "hooks": [{"type": "command", "command": "c", "timeout": 10}]}
    assert stop.path == ("agent-connector-acme-db", "Stop")
    assert stop.value == {"type": "command", "command": "d", "timeout": 3}, "a broken number would lose the file"


def test_success_and_failure_are_one_hook():
    uses = [hook_use("PostToolUse", name, command="c") for name in ("PostToolUse", "PostToolUseFailure")]
    assert len(hooks.wire(uses, "/h.json")) == 2


def test_only_the_hosts_own_tools_make_a_narrow_matcher():
    def matcher(*matchers):
        [_, node] = hooks.wire([hook_use("PreToolUse", "PreToolUse", matchers=matchers)], "/h.json")
        return node.value["matcher"]

    shell = {"side": "host", "names": ["Bash", "Write"]}
    assert matcher(shell) == "^(?:run_command|Bash|write_to_file|Write)$"
    assert matcher(shell, {"side": "own", "names": ["acme_query"]}) == "*"


# ---- what comes in


def test_a_call():
    event = hooks.parse("PreToolUse", SHELL, ["acme-db"])
    assert (event.name, event.host, event.tool_name, event.server) == ("PreToolUse", "antigravity", "Bash", None)
    assert (event.session_id, event.call_id, event.cwd) == ("c-1", "4", "/code/app/src")
    assert event.tool_input == {"CommandLine": "ls", "Cwd": "/code/app/src"}


@pytest.mark.parametrize(
    ("folder", "host"),
    [("antigravity", "antigravity"), ("antigravity-ide", "antigravity"), ("antigravity-cli", "antigravity-cli")],
)
def test_the_transcript_tells_whose_event_it_is(folder, host):
    raw = {**SHELL, "transcriptPath": APP.replace("/antigravity/", f"/{folder}/")}
    windows = {**SHELL, "transcriptPath": f"C:\\Users\\user\\.gemini\\{folder}\\brain\\c-1\\t.jsonl"}
    assert [facet.parse("PreToolUse", raw, []).host for facet in (hooks, cli)] == [host, host]
    assert cli.parse("PreToolUse", windows, []).host == host
    assert cli.parse("PreToolUse", BASE, []).host == "antigravity-cli"


def test_tools_of_servers_in_the_form_that_is_told_elsewhere():
    raw = {**BASE, "toolCall": {"name": "mcp_acme_db_query", "args": {"sql": "x"}}}
    assert hooks.parse("PreToolUse", raw, ["acme_db"]).server == "acme_db"
    other = hooks.parse("PreToolUse", raw, [])
    assert (other.server, other.tool_name) == ("acme", "db_query")


def test_derived_events():
    assert hooks.parse("PreInvocation", {**BASE, "initialNumSteps": 1}, []).name == "SessionStart"
    assert hooks.parse("PreInvocation", {**BASE, "invocationNum": 4}, []).name == "PreInvocation"
    failed = hooks.parse("PostToolUse", {**BASE, "stepIdx": 4, "error": "exit 1", "toolCall": None}, [])
    assert (failed.name, failed.error, failed.tool_name) == ("PostToolUseFailure", "exit 1", None)
    assert hooks.parse("PostToolUse", {**SHELL, "error": ""}, []).name == "PostToolUse"
    stop = hooks.parse("Stop", {**BASE, "terminationReason": "NO_TOOL_CALL", "fullyIdle": True}, [])
    assert (stop.name, stop.reason) == ("Stop", "NO_TOOL_CALL")


# ---- what goes out


@pytest.mark.parametrize(
    ("event", "host_event", "decision", "output"),
    [
        ("PreToolUse", "PreToolUse", light.deny("no"), {"decision": "deny", "reason": "no"}),
        ("PreToolUse", "PreToolUse", light.ask("no"), {"decision": "force_ask", "reason": "no"}),
        ("PreToolUse", "PreToolUse", light.modify({"a": 1}), None),
        ("SessionStart", "PreInvocation", light.context("t"), {"injectSteps": [{"ephemeralMessage": "t"}]}),
        ("Stop", "Stop", light.deny("no"), {"decision": "continue", "reason": "no"}),
        ("PostToolUse", "PostToolUse", light.deny("no"), {}),
        ("Stop", "Stop", None, {}),
    ],
)
def test_replies(event, host_event, decision, output):
    said = hooks.reply(Event(event, "antigravity", host_event, {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, "")


def test_what_says_nothing_allows_and_only_before_a_tool():
    assert json.loads(hooks.NEUTRAL) == {"decision": "allow"}
    events = {*hooks.EVENTS.values(), *hooks.NATIVE}
    assert {event for event in events if event not in hooks.NEUTRAL_AT} == {"PreToolUse"}
    assert set(hooks.NEUTRAL_AT.values()) == {"{}"}


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind) for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, row in rows.items() if row[0] != "dropped"} == set(hooks.RENDERERS)
    assert "proven" not in {row[1] for row in rows.values()}
