"""OpenCode's hooks: the generated file, what the bridge tells, what it is told to do."""

import json
import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts.opencode import hooks
from agent_connector.testing.hosts import hook_use

FOLDER = "/home/user/.config/opencode/plugins"


def config(*uses):
    [file] = hooks.wire(list(uses), FOLDER)
    text = re.search(r"config begin\nconst CONFIG = (.*?)\n// agent-connector:config end", file.text, re.DOTALL)
    return json.loads(text[1])


# ---- the file


def test_one_readable_file_for_all_events():
    uses = [
        hook_use("tool.execute.before", command="run before", timeout=2.5, matchers=[matcher("acme_query")]),
        hook_use("chat.message", command="run message"),
    ]
    [file] = hooks.wire(uses, FOLDER)
    assert file.file == f"{FOLDER}/agent-connector-acme-db.js"
    assert config(*uses) == {
        "id": "acme-db",
        "host": "opencode",
        "hooks": {
            "tool.execute.before": {"command": "run before", "timeout": 2500, "tools": "^(?:acme-db_acme_query)$"},
            "chat.message": {"command": "run message", "timeout": 10000},
        },
    }


def test_a_windows_folder_and_no_hooks_at_all():
    [file] = hooks.wire([hook_use("chat.message")], r"C:\Users\user\.config\opencode\plugins")
    assert file.file == r"C:\Users\user\.config\opencode\plugins\agent-connector-acme-db.js"
    assert hooks.wire([], FOLDER) == []


def test_the_marks_of_our_command_stand_in_the_file():
    [file] = hooks.wire([hook_use("chat.message")], FOLDER)
    assert all(mark in file.text for mark in hook_use("chat.message").marks)


def test_two_events_that_share_one_of_opencodes_are_one_command():
    start = hook_use("session.created", "SessionStart", timeout=1)
    other = hook_use("session.created", "SubagentStart", timeout=3)
    assert config(start, other)["hooks"]["session.created"]["timeout"] == 3000


@pytest.mark.parametrize(
    ("patterns", "caught", "missed"),
    [
        (["acme_query|acme_write"], ["acme-db_acme_write"], ["acme-db_acme_writer", "bash"]),
        (["acme_.*"], ["acme-db_acme_x"], ["acme-db_other"]),
        (["host:Edit"], ["edit", "apply_patch"], ["write", "acme-db_edit", "edit_all"]),
        (["github/list_.*"], ["github_list_issues"], ["acme-db_list_issues"]),
    ],
)
def test_the_narrowest_tools(patterns, caught, missed):
    use = hook_use("tool.execute.before", matchers=[matcher(pattern) for pattern in patterns])
    regex = re.compile(config(use)["hooks"]["tool.execute.before"]["tools"])
    assert [name for name in caught if not regex.search(name)] == []
    assert [name for name in missed if regex.search(name)] == []


# ---- what the bridge tells


def told(recorded, name, **more):
    """The payload that the bridge makes of a recorded hook."""
    given = recorded[name]
    if name.startswith("event "):
        return {"sessionID": "ses_one", "directory": "/p", "servers": [], "event": given[0]["event"], **more}
    return {"sessionID": "ses_one", "directory": "/p", "servers": [], "input": given[0], "output": given[1], **more}


def test_an_mcp_tool_is_split_by_the_known_servers(recorded):
    raw = told(recorded, "tool.execute.before mcp")
    event = hooks.parse("tool.execute.before", raw, ["labmcp"])
    assert (event.name, event.host, event.session_id, event.cwd) == ("PreToolUse", "opencode", "ses_one", "/p")
    assert (event.server, event.tool_name, event.host_tool_name) == ("labmcp", "echo", "labmcp_echo")
    assert (event.tool_input, event.call_id) == ({"text": "orig"}, "call_lab2")
    unknown = hooks.parse("tool.execute.before", raw, [])
    assert (unknown.server, unknown.tool_name) == (None, "labmcp_echo")


@pytest.mark.parametrize(
    ("tool", "server", "name"),
    [
        ("my-srv_ping_it", "my-srv", "ping_it"),
        ("my_srv_ping", "my_srv", "ping"),  # the longer server wins over `my`
        ("acme_db_query", "acme db", "query"),
        ("bash", None, "Bash"),
        ("apply_patch", None, "Edit"),  # although there is a server `apply`
        ("invalid", None, "invalid"),
    ],
)
def test_names_of_servers_that_the_host_tells(tool, server, name):
    raw = {"input": {"tool": tool}, "servers": ["apply", "my", "my_srv", "my-srv", "acme db"]}
    event = hooks.parse("tool.execute.before", raw, [])
    assert (event.server, event.tool_name) == (server, name)


def test_results_and_failures(recorded):
    event = hooks.parse("tool.execute.after", told(recorded, "tool.execute.after bash"), [])
    assert (event.name, event.tool_name, event.tool_output["output"]) == ("PostToolUse", "Bash", "bash-changed-yes\n")
    assert event.tool_input["description"] == "d"
    failed = hooks.parse("message.part.updated", told(recorded, "event message.part.updated error"), ["labmcp"])
    assert (failed.name, failed.tool_name, failed.error) == ("PostToolUseFailure", "echo", "LAB-BLOCKED: no way\n")
    assert (failed.call_id, failed.tool_input) == ("call_lab6", {"text": "orig"})


def test_a_permission_request(recorded):
    raw = told(recorded, "event permission.asked", tool="labmcp_echo", args={"text": "x"})
    event = hooks.parse("permission.asked", raw, ["labmcp"])
    assert (event.name, event.server, event.tool_name) == ("PermissionRequest", "labmcp", "echo")
    assert (event.tool_input, event.call_id) == ({"text": "x"}, "call_lab19")


def test_a_prompt(recorded):
    raw = told(recorded, "chat.message")
    raw["output"]["parts"].append({"type": "text", "text": "added by a plugin", "synthetic": True})
    event = hooks.parse("chat.message", raw, [])
    assert (event.name, event.prompt, event.model) == ("UserPromptSubmit", '"say hi"', "fakeprov/fake-model")


def test_sessions_and_those_of_subagents():
    start = hooks.parse("session.created", {"sessionID": "s", "source": "startup"}, [])
    assert (start.name, start.session_id, start.source) == ("SessionStart", "s", "startup")
    child = hooks.parse("session.created", {"sessionID": "c", "parentID": "s", "info": {"agent": "dba"}}, [])
    assert (child.name, child.session_id, child.agent_id, child.agent_type) == ("SubagentStart", "s", "c", "dba")
    stop = hooks.parse("session.idle", {"sessionID": "s", "stopHookActive": True}, [])
    assert (stop.name, stop.stop_hook_active) == ("Stop", True)
    assert hooks.parse("session.idle", {"sessionID": "c", "parentID": "s"}, []).name == "SubagentStop"
    assert hooks.parse("dispose", {"sessionID": "s", "reason": "exit"}, []).reason == "exit"
    tool = hooks.parse("tool.execute.before", {"sessionID": "c", "parentID": "s", "input": {"tool": "bash"}}, [])
    assert (tool.name, tool.session_id, tool.agent_id) == ("PreToolUse", "s", "c")


@pytest.mark.parametrize("host_event", sorted({*hooks.EVENTS.values(), *hooks.NATIVE}))
@pytest.mark.parametrize("raw", [{}, {"input": 1, "output": [], "event": {"properties": None}, "servers": ["a"]}])
def test_a_payload_without_its_fields_is_still_an_event(host_event, raw):
    assert hooks.parse(host_event, raw, []).host_event == host_event


# ---- what the bridge is told to do


@pytest.mark.parametrize(
    ("name", "decision", "output"),
    [
        ("PreToolUse", light.deny("no"), {"deny": "no"}),
        ("PreToolUse", light.deny(""), {"deny": "Denied by a hook."}),
        ("PreToolUse", light.ask("sure?"), {"deny": "sure?"}),
        ("PreToolUse", light.modify({"a": 1}), {"args": {"a": 1}}),
        ("PreToolUse", light.context("c"), {"context": "c"}),
        ("PreToolUse", light.allow(), None),
        ("PreToolUse", None, None),
        ("PostToolUse", light.replace_output("r"), {"output": "r"}),
        ("PostToolUse", light.deny("no"), {"output": "no"}),
        ("PostToolUse", light.context("c"), {"context": "c"}),
        ("PermissionRequest", light.allow(), {"permission": "once"}),
        ("PermissionRequest", light.deny("no"), {"permission": "reject"}),
        ("PermissionRequest", light.ask("sure?"), None),
        ("UserPromptSubmit", light.deny("no"), {"deny": "no"}),
        ("UserPromptSubmit", light.context("c"), {"context": "c"}),
        ("SessionStart", light.context("c"), {"context": "c"}),
        ("SessionStart", light.deny("no"), None),
        ("PreCompact", light.context("c"), {"context": "c"}),
        ("Stop", light.deny("go on"), {"deny": "go on"}),
        ("SessionEnd", light.context("c"), None),
        ("PostToolUseFailure", light.context("c"), None),
    ],
)
def test_replies(name, decision, output):
    event = light.Event(name, "opencode", hooks.EVENTS[name], {})
    said = hooks.reply(event, decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, "")


def test_what_is_honoured_is_said_with_its_limits():
    assert hooks.honours("PreToolUse", "deny")[:2] == ("honoured", "proven")
    assert hooks.honours("PreToolUse", "ask")[0] == "degraded"
    assert hooks.honours("PermissionRequest", "allow")[0] == "degraded"
    assert hooks.honours("Notification", "context")[2] == "OpenCode has no event for Notification"
