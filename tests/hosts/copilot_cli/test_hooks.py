"""Copilot CLI's hooks: what is registered, what is understood, what is answered."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts import query
from agent_connector.hosts.claude_code import hooks as claude_code
from agent_connector.hosts.copilot_cli import hooks
from agent_connector.hosts.nodes import Default
from agent_connector.runtime.launchers.command import guarded
from agent_connector.testing.hosts import MARKS, hook_use

FILE = "/home/user/.copilot/hooks/agent-connector.json"
LONG = "a_tool_with_a_name_that_is_far_too_long_for_a_function_of_any_host_at_all"


def wired(*patterns, event="preToolUse", **fields):
    version, item = hooks.wire([hook_use(event, matchers=[matcher(p) for p in patterns], **fields)], FILE)
    assert isinstance(version, Default) and (version.path, version.value) == (("version",), 1)
    return item


# ---- what is registered


def test_a_flat_entry_in_seconds():
    item = wired("*", command="run me", timeout=2.5)
    assert (item.file, item.format, item.path, item.marks) == (FILE, "jsonc", ("hooks", "preToolUse"), MARKS)
    assert item.value == {"type": "command", "bash": "run me", "timeoutSec": 3}


def test_the_neutral_answer_stands_in_the_command_itself():
    """A hook that fails denies every call; this one answers when its program is gone."""
    command = guarded("/l", ["hook", "copilot-cli", "preToolUse"], hooks.NEUTRAL, "linux")
    assert wired("*", command=command).value["bash"].endswith("printf %s '{}'; exit 0")


def test_on_windows_powershell_hands_cmd_its_command_in_one_word():
    command = guarded(r"C:\l.exe", ["hook"], hooks.NEUTRAL, "win32")
    entry = wired("*", command=command).value
    assert "bash" not in entry
    assert entry["powershell"] == 'cmd /d /c \'if exist "C:\\l.exe" ("C:\\l.exe" hook) else (echo {})\''


@pytest.mark.parametrize(
    ("event", "patterns", "caught", "missed"),
    [
        ("preToolUse", ["acme_query"], ["acme-db-acme_query"], ["acme-db-acme_query2", "other-acme_query"]),
        ("preToolUse", [r"db\.query"], ["acme-db-db-query"], ["acme-dbx-query", "bash"]),
        ("preToolUse", ["acme_.*"], ["acme-db-acme_x"], ["acme-db-other"]),
        ("preToolUse", [LONG], ["acme-db-a_tool_with_a_name_that_is_far_too_long_for_a_function_o"], ["acme-db-a"]),
        ("preToolUse", [".*_at_all"], ["acme-db-a_tool_with_a_name_that_is_far_too_long_for_a_function_o"], ["bash"]),
        ("postToolUse", ["host:Bash"], ["bash", "powershell"], ["view", "acme-db-bash"]),
        ("permissionRequest", ["acme_query"], ["acme-db/acme_query"], ["acme-db-acme_query"]),
        ("permissionRequest", ["github/list_.*"], ["github/list_issues"], ["acme-db/list_issues"]),
    ],
)
def test_a_matcher_is_held_against_the_whole_name(event, patterns, caught, missed):
    regex = re.compile(f"^(?:{wired(*patterns, event=event).value['matcher']})$")
    assert [name for name in caught if not regex.match(name)] == []
    assert [name for name in missed if regex.match(name)] == []


@pytest.mark.parametrize("event", ["postToolUseFailure", "sessionStart", "agentStop", "notification"])
def test_other_events_have_no_matcher(event):
    assert "matcher" not in wired("acme_query", event=event).value


# ---- what is understood


def test_an_mcp_call(payloads):
    event = hooks.parse("preToolUse", payloads["preToolUse.lab-echo"], ["lab"])
    assert (event.name, event.host, event.host_event) == ("PreToolUse", "copilot-cli", "preToolUse")
    assert (event.server, event.tool_name, event.host_tool_name) == ("lab", "echo", "lab-echo")
    assert event.tool_input == {"text": "hello-lab"}
    assert (event.session_id, event.cwd, event.call_id) == ("498ff5c8-0000", "/home/user/project", None)


def test_a_permission_tells_server_and_tool_with_another_mark(payloads):
    event = hooks.parse("permissionRequest", payloads["permissionRequest.lab_echo"], ["lab"])
    assert (event.name, event.server, event.tool_name) == ("PermissionRequest", "lab", "echo")
    assert event.tool_input == {"text": "hello-lab"}
    edit = hooks.parse("permissionRequest", payloads["permissionRequest.edit"], ["lab"])
    assert (edit.server, edit.tool_name) == (None, "Edit")


@pytest.mark.parametrize(
    ("told", "servers", "expected"),
    [
        ("acme-db-query", ["acme-db"], ("acme-db", "query")),
        ("acme-db-query", ["acme", "acme-db"], ("acme-db", "query")),
        ("acme-db-query", [], ("acme", "db-query")),
        ("web_fetch", ["web"], (None, "Fetch")),
        ("read_bash", [], (None, "read_bash")),
    ],
)
def test_server_and_tool(told, servers, expected):
    event = hooks.parse("preToolUse", {"toolName": told}, servers)
    assert (event.server, event.tool_name) == expected


def test_its_own_tools_have_canonical_names(payloads):
    names = {name: hooks.parse(name.partition(".")[0], raw, []).tool_name for name, raw in payloads.items()}
    assert names["preToolUse.bash"] == names["postToolUse.bash"] == "Bash"
    assert (names["preToolUse.create"], names["preToolUse.task"]) == ("Write", "Agent")
    assert names["postToolUseFailure.view"] == "Read"


def test_results_and_failures(payloads):
    done = hooks.parse("postToolUse", payloads["postToolUse.lab-echo"], ["lab"])
    assert done.tool_output == {"resultType": "success", "textResultForLlm": "ECHO:hello-lab"}
    failed = hooks.parse("postToolUseFailure", payloads["postToolUseFailure.lab-add"], ["lab"])
    assert (failed.name, failed.server, failed.tool_name) == ("PostToolUseFailure", "lab", "add")
    assert "TypeError" in failed.error


@pytest.mark.parametrize(
    ("recorded", "name", "field", "value"),
    [
        ("sessionStart", "SessionStart", "source", "new"),
        ("sessionEnd", "SessionEnd", "reason", "complete"),
        ("userPromptSubmitted", "UserPromptSubmit", "prompt", "say hi"),
        ("agentStop", "Stop", "stop_hook_active", False),
        ("notification", "Notification", "notification_type", "permission_prompt"),
        ("subagentStart", "SubagentStart", "agent_type", "general-purpose"),
        ("subagentStop", "SubagentStop", "last_message", "SUB-FINAL"),
        ("subagentStop", "SubagentStop", "agent_id", "1aa4700a-0000"),
        ("preMcpToolCall", "preMcpToolCall", "call_id", "call_lab_1_0"),
        ("preMcpToolCall", "preMcpToolCall", "server", "lab"),
    ],
)
def test_lifecycle_events(payloads, recorded, name, field, value):
    event = hooks.parse(recorded, payloads[recorded], [])
    assert (event.name, getattr(event, field)) == (name, value)


@pytest.mark.parametrize("recorded", ["agentStop.subagent", "userPromptSubmitted.subagent"])
def test_a_subagents_turn_is_not_the_agents(payloads, recorded):
    """It would stop, and be asked, twice: subagentStart and subagentStop tell of it."""
    event = hooks.parse(recorded.partition(".")[0], payloads[recorded], [])
    assert event.name == hooks.SUBAGENTS
    assert hooks.reply(event, light.deny("no")).output is None


@pytest.mark.parametrize(
    ("told", "servers", "pattern", "expected"),
    [
        ("acme-db-db-query", ["acme-db"], "db_query|db.query", ("acme", "db-query")),
        ("acme-db-" + LONG[:56], ["acme-db"], LONG, ("acme", LONG)),
        ("acme-db-db-list", ["acme-db"], "db..*", ("acme", "db-list")),
        (
            "github-mcp-server-list_issues",
            ["acme-db"],
            "github-mcp-server/list_.*",
            ("github-mcp-server", "list_issues"),
        ),
        ("git-hub-a-b", ["acme-db"], "git.hub/a-.*", ("git.hub", "a-b")),
        ("other-tool", ["acme-db"], "github-mcp-server/list_.*", ("other", "tool")),
    ],
)
def test_names_come_back_as_the_matchers_have_them(told, servers, pattern, expected):
    event = hooks.parse("preToolUse", {"toolName": told}, servers)
    event.server = "acme" if event.server == "acme-db" else event.server
    hooks.restore(event, [matcher("nothing"), matcher(pattern)], "acme")
    assert (event.server, event.tool_name) == expected


@pytest.mark.parametrize("raw", [{}, {"toolName": 7, "toolArgs": "x", "parentAgentId": None}])
def test_a_payload_without_its_fields_is_still_an_event(raw):
    for name, host_event in hooks.EVENTS.items():
        assert hooks.parse(host_event, raw, []).name == name


# ---- what goes out: (event, decision, reply, what the real program did with it)

REPLIES = [
    ("PreToolUse", light.allow(), None, "granted nothing"),
    (
        "PreToolUse",
        light.deny("no"),
        {"permissionDecision": "deny", "permissionDecisionReason": "no"},
        "blocked, reason to the model",
    ),
    (
        "PreToolUse",
        light.ask("sure?"),
        {"permissionDecision": "ask", "permissionDecisionReason": "sure?"},
        "not run headless, reason to the model",
    ),
    ("PreToolUse", light.modify({"a": 1}), {"modifiedArgs": {"a": 1}}, "reached the server"),
    ("PreToolUse", light.context("t"), {"additionalContext": "t"}, "stood in the next request"),
    ("PermissionRequest", light.allow(), {"behavior": "allow"}, "ran"),
    ("PermissionRequest", light.deny("no"), {"behavior": "deny", "message": "no"}, "not run, message to the model"),
    ("PermissionRequest", light.ask("?"), None, "the host's own question"),
    ("PostToolUse", light.deny("no"), {"decision": "block", "reason": "no"}, "result replaced by the reason"),
    ("PostToolUse", light.context("t"), {"additionalContext": "t"}, "inside the result"),
    (
        "PostToolUse",
        light.replace_output("t"),
        {"modifiedResult": {"resultType": "success", "textResultForLlm": "t"}},
        "the model read the text instead",
    ),
    ("PostToolUseFailure", light.context("t"), {"additionalContext": "t"}, "read by the model"),
    ("PostToolUseFailure", light.deny("no"), {"additionalContext": "no"}, "read by the model"),
    ("UserPromptSubmit", light.deny("no"), {"decision": "block", "reason": "no"}, "no model request, exit code 1"),
    ("UserPromptSubmit", light.context("t"), {"additionalContext": "t"}, "beside the prompt"),
    ("SessionStart", light.context("t"), {"additionalContext": "t"}, "in the first request"),
    ("SessionStart", light.deny("no"), None, "not blockable"),
    ("SubagentStart", light.context("t"), {"additionalContext": "t"}, "before the subagent's task"),
    ("Stop", light.deny("more"), {"decision": "block", "reason": "more"}, "went on"),
    ("Stop", light.context("t"), None, "no such thing"),
    ("SubagentStop", light.deny("more"), {"decision": "block", "reason": "more"}, "the subagent went on"),
    ("PreCompact", light.deny("no"), None, "watched only"),
    ("SessionEnd", light.deny("no"), None, "watched only"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "copilot-cli", hooks.EVENTS[event], {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, ""), seen


def test_a_denial_always_has_a_reason():
    said = hooks.reply(Event("PreToolUse", "copilot-cli", "preToolUse", {}), light.deny(""))
    assert said.output["permissionDecisionReason"]


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in light.EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    assert "after a compaction" in hooks.honours("PostCompact", "context")[2]


def test_claude_codes_hooks_know_that_copilot_runs_them(claude_file):
    payload, environment = claude_file["payload"], claude_file["environment"]
    assert claude_code.loaded_by(payload, environment) == "copilot-cli"
    assert claude_code.loaded_by({"session_id": "x"}, environment) is None, "Claude Code, started by a hook of Copilot"
    assert query.facts("copilot-cli").LOADS_HOOKS_OF == ("claude-code", "vscode-copilot")
