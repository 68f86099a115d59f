"""Gemini CLI's hooks: what is registered, what is understood, what is answered."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts.gemini_cli import hooks
from agent_connector.testing.hosts import MARKS, hook_use

FILE = "/home/user/.gemini/settings.json"


def group(*patterns: str, event: str = "BeforeTool", **fields):
    [item] = hooks.wire([hook_use(event, matchers=[matcher(p) for p in patterns], **fields)], FILE)
    return item.value


# ---- what is registered


def test_a_hook_is_one_group_of_its_event_with_milliseconds():
    [item] = hooks.wire([hook_use("BeforeAgent", timeout=2.5, command="run me")], FILE)
    assert (item.file, item.format, item.path, item.marks) == (FILE, "jsonc", ("hooks", "BeforeAgent"), MARKS)
    assert item.value == {"hooks": [{"type": "command", "command": "run me", "timeout": 2500}]}


def test_on_windows_powershell_hands_cmd_its_command_in_one_word():
    command = r'cmd /d /c if exist "C:\O\'Neil\x.exe" ("C:\O\'Neil\x.exe" hook) else (exit /b 0)'
    written = group("*", command=command)["hooks"][0]["command"]
    word = written.removeprefix("cmd /d /c ")
    assert (word[0], word[-1]) == ("'", "'")
    assert word[1:-1].replace("''", "'") == command.removeprefix("cmd /d /c ")


@pytest.mark.parametrize(
    ("patterns", "caught", "missed"),
    [
        (["acme_query"], ["mcp_acme-db_acme_query"], ["mcp_acme-db_acme_query2", "xmcp_acme-db_acme_query"]),
        (["acme_query|acme_write"], ["mcp_acme-db_acme_write"], ["mcp_acme-db_other", "read_file"]),
        (["acme_.*"], ["mcp_acme-db_acme_x"], ["mcp_acme-db_other"]),
        ([".*_write"], ["mcp_acme-db_acme_write"], ["mcp_other_acme_write", "write_file"]),
        (["host:Bash"], ["run_shell_command"], ["read_file", "mcp_acme-db_run_shell_command"]),
        (["host:Read"], ["read_file", "read_many_files"], ["read_mcp_resource"]),
        (["github/list_.*"], ["mcp_github_list_issues"], ["mcp_acme-db_list_issues"]),
        (["acme_query", "host:Edit"], ["mcp_acme-db_acme_query", "replace"], ["write_file"]),
    ],
)
def test_the_matcher_is_anchored_because_gemini_searches_anywhere(patterns, caught, missed):
    regex = re.compile(group(*patterns)["matcher"])
    assert [name for name in caught if not regex.search(name)] == []
    assert [name for name in missed if regex.search(name)] == []


def test_every_tool_needs_no_matcher():
    assert "matcher" not in group("*")
    assert "matcher" not in group("acme_query", "*")


def test_a_name_that_gemini_shortens_is_still_caught():
    long = "a_tool_with_a_name_that_is_far_too_long_for_a_function_of_gemini"
    called = hooks.tool_name("acme-db", long)
    assert (len(called), called[30:33]) == (63, "...")
    for pattern in (long, "a_tool_with_a_name_that_is_.*", ".*far_too_long.*"):
        assert re.search(group(pattern)["matcher"], called)


def test_two_events_that_share_one_of_geminis_run_once():
    both = [
        hook_use("AfterTool", "PostToolUse", matchers=[matcher("acme_query")], command="c", timeout=1),
        hook_use("AfterTool", "PostToolUseFailure", matchers=[matcher("acme_write")], command="c", timeout=3),
    ]
    [item] = hooks.wire(both, FILE)
    assert re.search(item.value["matcher"], "mcp_acme-db_acme_query")
    assert re.search(item.value["matcher"], "mcp_acme-db_acme_write")
    assert item.value["hooks"] == [{"type": "command", "command": "c", "timeout": 3000}]


# ---- what is understood


def test_an_mcp_call_is_named_by_its_context(payloads):
    event = hooks.parse("BeforeTool", payloads["BeforeTool.mcp_lab_echo"], ["lab"])
    assert (event.name, event.host, event.host_event) == ("PreToolUse", "gemini-cli", "BeforeTool")
    assert (event.server, event.tool_name, event.host_tool_name) == ("lab", "echo", "mcp_lab_echo")
    assert event.tool_input == {"text": "hello-lab"}
    assert (event.session_id, event.cwd, event.call_id) == ("148b0ae8-0000", "/home/user/project", None)


def test_its_own_tools_have_canonical_names(payloads):
    event = hooks.parse("BeforeTool", payloads["BeforeTool.run_shell_command"], [])
    assert (event.server, event.tool_name, event.host_tool_name) == (None, "Bash", "run_shell_command")
    agent = hooks.parse("BeforeTool", payloads["BeforeTool.invoke_agent"], [])
    assert agent.tool_name == "Agent"
    assert agent.tool_input["agent_name"] == "labagent-user"


def test_a_result_is_the_host_s_own(payloads):
    event = hooks.parse("AfterTool", payloads["AfterTool.mcp_lab_echo"], ["lab"])
    assert (event.name, event.error) == ("PostToolUse", None)
    assert event.tool_output["returnDisplay"] == "ECHO:hello-lab"


def test_a_result_with_an_error_is_a_failure(payloads):
    event = hooks.parse("AfterTool", payloads["AfterTool.read_file"], [])
    assert (event.name, event.tool_name) == ("PostToolUseFailure", "Read")
    assert event.error == "File not found: /home/user/project/absent.txt"


@pytest.mark.parametrize(
    ("recorded", "name", "field", "value"),
    [
        ("SessionStart.startup", "SessionStart", "source", "startup"),
        ("SessionEnd.exit", "SessionEnd", "reason", "exit"),
        ("BeforeAgent", "UserPromptSubmit", "prompt", "say hi"),
        ("AfterAgent", "Stop", "last_message", "Calling.\nFINAL-TEXT"),
        ("AfterAgent", "Stop", "stop_hook_active", False),
        ("PreCompress.auto", "PreCompact", "trigger", "auto"),
        ("Notification.ToolPermission", "Notification", "notification_type", "ToolPermission"),
        ("BeforeModel", "BeforeModel", "session_id", "148b0ae8-0000"),
    ],
)
def test_lifecycle_events(payloads, recorded, name, field, value):
    event = hooks.parse(recorded.partition(".")[0], payloads[recorded], [])
    assert event.name == name
    assert getattr(event, field) == value


@pytest.mark.parametrize("raw", [{}, {"tool_name": 7, "mcp_context": "x", "tool_response": [1], "tool_input": None}])
def test_a_payload_without_its_fields_is_still_an_event(raw):
    assert hooks.parse("AfterTool", raw, []).name == "PostToolUse"


# ---- what is answered, as it was seen honoured


@pytest.mark.parametrize(
    ("host_event", "decision", "output"),
    [
        ("BeforeTool", light.deny("no"), {"decision": "deny", "reason": "no"}),
        ("BeforeTool", light.ask("sure?"), {"decision": "deny", "reason": "sure?"}),
        (
            "BeforeTool",
            light.modify({"text": "other"}),
            {"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"text": "other"}}},
        ),
        ("BeforeTool", light.allow(), None),
        ("BeforeTool", light.context("c"), None),
        ("BeforeTool", None, None),
        ("AfterTool", light.replace_output("other"), {"decision": "deny", "reason": "other"}),
        (
            "AfterTool",
            light.context("c"),
            {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "c"}},
        ),
        ("AfterTool", light.modify({}), None),
        ("BeforeAgent", light.deny("no"), {"decision": "deny", "reason": "no"}),
        (
            "BeforeAgent",
            light.context("c"),
            {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "c"}},
        ),
        ("AfterAgent", light.deny("go on"), {"decision": "deny", "reason": "go on"}),
        (
            "SessionStart",
            light.context("c"),
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "c"}},
        ),
        ("SessionStart", light.deny("no"), None),
        ("SessionEnd", light.deny("no"), None),
        ("PreCompress", light.context("c"), None),
        ("Notification", light.context("c"), None),
    ],
)
def test_replies(host_event, decision, output):
    said = hooks.reply(hooks.parse(host_event, {}, []), decision)
    assert said.output == output
    assert (said.exit_code, said.stderr) == (0, "")  # any other code blocks; stderr would be taken for the answer


def test_a_context_beside_an_error_takes_the_error_with_it(payloads):
    event = hooks.parse("AfterTool", payloads["AfterTool.read_file"], [])
    reason = "File not found: /home/user/project/absent.txt\n\nlook in src"
    assert hooks.reply(event, light.context("look in src")).output == {"decision": "deny", "reason": reason}


def test_ask_is_never_sent_because_it_hangs_the_run():
    for name, host_event in hooks.EVENTS.items():
        event = light.Event(name, "gemini-cli", host_event, {})
        assert "ask" not in str(hooks.reply(event, light.ask("sure?")).output)


def test_what_is_honoured_is_said_with_its_limits():
    assert hooks.honours("PreToolUse", "deny")[:2] == ("honoured", "proven")
    assert hooks.honours("PreToolUse", "ask")[0] == "degraded"
    assert hooks.honours("PreToolUse", "allow")[0] == "dropped"
    assert hooks.honours("PostToolUse", "replace_output")[0] == "honoured"
    assert hooks.honours("PostToolUseFailure", "context")[0] == "degraded"
    assert hooks.honours("PermissionRequest", "deny")[2] == "Gemini CLI has no event for PermissionRequest"
