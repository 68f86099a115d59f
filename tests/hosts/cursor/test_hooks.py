"""Cursor's hooks, by the runtime that @cursor/sdk 1.0.32 ships: read there, not seen on the real program."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.hosts import query
from agent_connector.hosts.cursor import hooks, verdicts
from agent_connector.hosts.nodes import Default
from agent_connector.testing.host_samples import MARKS, hook_use

# ---- what is registered


def test_a_hook_in_hooks_json():
    own = {"side": "own", "names": ["query", "write"]}
    version, node = hooks.wire([hook_use("preToolUse", "PreToolUse", command="c", matchers=(own,))], "/h.json")
    assert isinstance(version, Default)
    assert (version.path, version.value) == (("version",), 1)
    assert (node.file, node.path, node.marks) == ("/h.json", ("hooks", "preToolUse"), MARKS)
    assert node.value == {"command": "c", "timeout": 10, "matcher": "^(?:MCP:query|MCP:write)$"}


def test_an_event_without_a_tool_has_no_matcher():
    _, node = hooks.wire([hook_use("stop", "Stop", command="c", timeout=2.1)], "/h.json")
    assert node.value == {"command": "c", "timeout": 3}


def test_a_command_never_holds_what_cursor_takes_for_a_comment():
    _, node = hooks.wire([hook_use("stop", "Stop", command="'/home//user/x' hook")], "/h.json")
    assert node.value["command"] == "'/home/./user/x' hook"


@pytest.mark.parametrize(
    ("compiled", "caught", "passed"),
    [
        ({"side": "own", "names": ["echo"]}, "MCP:echo", "MCP:echo-all"),
        ({"side": "own", "prefix": "echo"}, "MCP:echo-all", "MCP:add"),
        ({"side": "own", "prefix": ""}, "MCP:x", "Shell"),
        ({"side": "host", "names": ["Bash"]}, "Shell", "ShellX"),
        ({"side": "host", "prefix": ""}, "Anything", "MCP:x"),
        ({"side": "host", "regex": "Fe.*"}, "WebFetch", "WebSearch"),
    ],
)
def test_it_catches_what_was_asked_for_and_not_its_neighbours(compiled, caught, passed):
    """The regex is looked for anywhere in the name, as JavaScript's `test` does."""
    _, node = hooks.wire([hook_use("preToolUse", "PreToolUse", matchers=(compiled,))], "/h.json")
    assert re.search(node.value["matcher"], caught)
    assert not re.search(node.value["matcher"], passed)


def test_nothing_is_written_when_there_is_nothing():
    assert hooks.wire([], "/h.json") == []


# ---- what comes in


def test_every_payload_is_understood(payloads):
    for name, raw in payloads.items():
        event = hooks.parse(raw["hook_event_name"], raw, ["acme-db"])
        assert event.host_event == name.partition(".")[0]
        assert (event.session_id, event.model) == ("5b0d6c1e-0000", "composer-2.5")
        assert event.cwd.startswith("/home/user/project")


def test_a_call_of_an_mcp_tool_is_taken_for_ours(payloads):
    event = hooks.parse("preToolUse", payloads["preToolUse.MCP:echo"], ["acme-db"])
    assert (event.name, event.server, event.tool_name) == ("PreToolUse", "acme-db", "echo")
    assert (event.host_tool_name, event.tool_input) == ("MCP:echo", {"text": "hi"})
    assert hooks.parse("preToolUse", {"tool_name": "MCP:a", "mcp_server_name": "git"}, ["acme-db"]).server == "git"


def test_its_own_tools(payloads):
    event = hooks.parse("preToolUse", payloads["preToolUse.Shell"], ["acme-db"])
    assert (event.tool_name, event.server, event.cwd) == ("Bash", None, "/home/user/project/src")
    failure = hooks.parse("postToolUseFailure", payloads["postToolUseFailure.Shell"], [])
    assert (failure.name, failure.error) == ("PostToolUseFailure", "Command failed with exit code 1")


def test_events_without_a_tool(payloads):
    assert hooks.parse("beforeSubmitPrompt", payloads["beforeSubmitPrompt"], []).prompt == "say hi"
    assert hooks.parse("preCompact", payloads["preCompact"], []).trigger == "auto"
    stop = hooks.parse("stop", payloads["stop"], [])
    assert (stop.name, stop.stop_hook_active, stop.reason) == ("Stop", True, "completed")
    sub = hooks.parse("subagentStop", payloads["subagentStop"], [])
    assert (sub.agent_id, sub.agent_type, sub.last_message) == ("sa_1", "explore", "found it")
    assert sub.stop_hook_active is False


# ---- what goes out

TOLD = {"user_message": "no", "agent_message": "no"}
REPLIES = [
    ("PreToolUse", light.allow(), {"permission": "allow"}),
    ("PreToolUse", light.deny("no"), {"permission": "deny", **TOLD}),
    ("PreToolUse", light.ask("no"), {"permission": "deny", **TOLD}),  # the runtime acts on `deny` alone there
    ("PreToolUse", light.modify({"a": 1}), {"updated_input": {"a": 1}}),
    ("PreToolUse", light.context("t"), {"additional_context": "t"}),
    ("PostToolUse", light.deny("no"), {"additional_context": "no"}),
    ("PostToolUseFailure", light.context("t"), {"additional_context": "t"}),
    ("UserPromptSubmit", light.deny("no"), {"continue": False, "user_message": "no"}),
    ("UserPromptSubmit", light.context("t"), {"additional_context": "t"}),
    ("SessionStart", light.deny("no"), {"continue": False, "user_message": "no"}),
    ("SubagentStart", light.deny("no"), {"permission": "deny", **TOLD}),
    ("Stop", light.deny("no"), {"followup_message": "no"}),
    ("Stop", light.context("t"), None),
    ("SubagentStop", light.deny("no"), {"followup_message": "no"}),
    ("PreCompact", light.deny("no"), None),
    ("SessionEnd", light.context("t"), None),
    ("PermissionRequest", light.allow(), None),
]


@pytest.mark.parametrize(("event", "decision", "output"), REPLIES)
def test_replies(event, decision, output):
    said = hooks.reply(Event(event, "cursor", hooks.EVENTS.get(event, event), {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, "")


def test_an_mcp_result_is_replaced_and_another_is_added_to(payloads):
    own = hooks.parse("postToolUse", payloads["postToolUse.MCP:echo"], ["acme-db"])
    shell = hooks.parse("postToolUse", payloads["postToolUse.Shell"], ["acme-db"])
    assert hooks.reply(own, light.replace_output("t")).output == {"updated_mcp_tool_output": "t"}
    assert hooks.reply(shell, light.replace_output("t")).output == {"additional_context": "t"}


@pytest.mark.parametrize("text", ["x" * 20_000, "\U0001f600" * 6000])
def test_a_long_context_is_cut_because_all_of_it_would_be_dropped(text):
    said = hooks.reply(Event("PreToolUse", "cursor", "preToolUse", {}), light.context(text)).output
    cut = said["additional_context"]
    assert len(cut.encode("utf-16-le")) // 2 == 10_000
    assert text.startswith(cut)


def test_a_context_within_the_bound_is_whole():
    said = hooks.reply(Event("PreToolUse", "cursor", "preToolUse", {}), light.context("é" * 9999)).output
    assert said == {"additional_context": "é" * 9999}


def test_what_says_nothing_is_an_empty_object():
    """At an event that asks for permission anything but JSON blocks the tool."""
    assert hooks.NEUTRAL == "{}"
    assert hooks.reply(Event("PreToolUse", "cursor", "preToolUse", {}), None).output is None


# ---- what is promised


def test_all_thirteen_events_and_six_decisions_have_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind) for event in EVENTS for kind in query.DECISIONS}
    assert len(rows) == 78
    assert {key for key, (verdict, _, _) in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    assert "PreToolUse" in rows["PermissionRequest", "allow"][2]


def test_nothing_of_it_is_called_proven():
    assert {sure for _, sure, _ in verdicts.TABLE.values()} == {"documented", "uncertain"}
