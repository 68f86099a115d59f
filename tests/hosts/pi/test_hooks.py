"""Pi's hooks: what is registered, what recorded events become, and what is promised."""

import json
import re
from dataclasses import replace

import pytest

from agent_connector.connector import light
from agent_connector.connector.matchers import compile as matcher
from agent_connector.connector.model import Action, Handler
from agent_connector.hosts.pi import actions, hooks
from agent_connector.testing.hosts import MARKS, hook_use


def told(recorded, name, **more):
    return {"sessionID": "s", "transcript": "/s.jsonl", "directory": "/p", "event": recorded[name], **more}


def tools(*patterns):
    uses = [hook_use("tool_call", "PreToolUse", matchers=[matcher(pattern) for pattern in patterns])]
    [file] = hooks.wire(uses, "/e")
    config = re.search(r"const CONFIG = (.*?)\n// agent-connector:config end", file.text, re.DOTALL)
    return json.loads(config[1])["hooks"]["tool_call"].get("tools", "")


def test_one_extension_for_all_events():
    uses = [hook_use("tool_result", "PostToolUse", timeout=1), hook_use("tool_result", "PostToolUseFailure", timeout=3)]
    [file] = hooks.wire(uses, r"C:\Users\user\.pi\agent\extensions")
    assert file.file == r"C:\Users\user\.pi\agent\extensions\agent-connector-acme-db.js"
    assert '"timeout": 3000' in file.text and all(mark in file.text for mark in MARKS)


@pytest.mark.parametrize(
    ("pattern", "caught", "missed"),
    [
        (
            "acme-query|acme_write",
            ["mcp__acme_db__acme_query", "mcp__acme_db__acme_write"],
            ["bash", "mcp__x__acme_query"],
        ),
        ("acme_.*", ["mcp__acme_db__acme_x"], ["mcp__acme_db__other"]),
        ("host:Bash", ["bash", "powershell"], ["read", "mcp__acme_db__bash"]),
        ("host:.*", ["read", "my_tool"], ["mcp__acme_db__acme_query"]),
        ("my-git/list_.*", ["mcp__my_git__list_issues"], ["mcp__acme_db__list_issues"]),
    ],
)
def test_the_narrowest_tools(pattern, caught, missed):
    regex = re.compile(tools(pattern))
    assert [name for name in caught if not regex.search(name)] == []
    assert [name for name in missed if regex.search(name)] == []


def test_recorded_events(recorded):
    start = hooks.parse("session_start", told(recorded, "session_start"), [])
    assert (start.name, start.source, start.session_id, start.cwd) == ("SessionStart", "startup", "s", "/p")
    assert start.transcript_path == "/s.jsonl"
    assert hooks.parse("session_shutdown", told(recorded, "session_shutdown"), []).reason == "quit"
    prompt = hooks.parse("input", told(recorded, "input acp"), [])
    assert (prompt.name, prompt.prompt) == ("UserPromptSubmit", "say hi")
    shell = hooks.parse("tool_call", told(recorded, "tool_call bash"), [])
    assert (shell.name, shell.server, shell.tool_name, shell.call_id) == ("PreToolUse", None, "Bash", "call_lab1")
    call = hooks.parse("tool_call", told(recorded, "tool_call mcp__labmcp__echo"), ["labmcp"])
    assert (call.server, call.tool_name, call.tool_input) == ("labmcp", "echo", {"text": "labpy"})
    result = hooks.parse("tool_result", told(recorded, "tool_result mcp__labmcp__echo"), ["labmcp"])
    assert (result.name, result.tool_name) == ("PostToolUse", "echo")
    assert result.tool_output == {"content": [{"type": "text", "text": "LAB-ECHO:labpy"}]}
    stop = hooks.parse("agent_before_settle", {"stopHookActive": True, "last": "Done."}, [])
    assert (stop.name, stop.stop_hook_active, stop.last_message) == ("Stop", True, "Done.")


def test_a_result_that_is_an_error_is_a_failure(recorded):
    raw = told(recorded, "tool_result mcp__labmcp__echo")
    raw["event"]["isError"] = True
    failed = hooks.parse("tool_result", raw, ["labmcp"])
    assert (failed.name, failed.error, failed.tool_output) == ("PostToolUseFailure", "LAB-ECHO:labpy", None)


def test_names_come_back_as_they_were_declared():
    raw = {"event": {"toolName": "mcp__acme_db__list_all_tables"}}
    event = hooks.parse("tool_call", raw, ["acme-db"])
    assert (event.server, event.tool_name) == ("acme-db", "list_all_tables")
    hooks.restore(event, [{"side": "own", "names": ["list-all.tables"]}], "acme-db")
    assert event.tool_name == "list-all.tables"


@pytest.mark.parametrize(
    ("name", "decision", "output"),
    [
        ("PreToolUse", light.deny("no"), {"deny": "no"}),
        ("PreToolUse", light.ask("sure?"), {"ask": "sure?"}),
        ("PreToolUse", light.modify({"a": 1}), {"args": {"a": 1}}),
        ("PreToolUse", light.allow(), None),
        ("PostToolUse", light.deny("no"), {"output": "no"}),
        ("PostToolUseFailure", light.replace_output("r"), {"output": "r"}),
        ("UserPromptSubmit", light.deny(""), {"deny": "Denied by a hook."}),
        ("PreCompact", light.deny("no"), {"deny": "no"}),
        ("PreCompact", light.context("c"), None),
        ("SessionEnd", light.context("c"), None),
        ("Stop", light.ask("sure?"), {"deny": "sure?"}),
    ],
)
def test_replies(name, decision, output):
    assert hooks.reply(light.Event(name, "pi", hooks.EVENTS[name], {}), decision).output == output


def test_what_is_honoured_is_said_with_its_limits():
    assert hooks.honours("PreToolUse", "modify")[:2] == ("honoured", "proven")
    assert hooks.honours("PreToolUse", "ask")[0] == "degraded"
    assert hooks.honours("SubagentStop", "deny")[2] == "Pi has no event for SubagentStop"


SYNC = Action("sync", "Sync the schema", None, None, "Now?", None, Handler(0, "sync", False, 1))


def test_an_action_is_a_command_that_shows_what_the_program_says(bridge):
    program = bridge.folder / "says.sh"
    program.write_text("echo synced in $(basename $PWD); exit $1\n")
    for identity, code in (("sync", 0), ("break", 3)):
        marks = ("x", "--connector acme-db", f" {identity} ")
        [file] = actions.wire(replace(SYNC, id=identity), str(bridge.folder), f"sh {program} {code}", marks)
        (bridge.folder / f"{identity}.js").write_text(file.text)
        bridge.files.append(str(bridge.folder / f"{identity}.js"))
        assert file.file == f"{bridge.folder}/agent-connector-acme-db-{identity}-action.js"
    driven = bridge.drive(("/acme-db-sync", []), ("/acme-db-break", []), ui={"confirm": True})
    assert driven["commands"] == ["acme-db-sync", "acme-db-break"]
    assert [said["kind"] for said in driven["shown"]] == ["confirm", "info", "confirm", "error"]
    assert driven["shown"][1]["text"].startswith("synced in ")
    refused = bridge.drive(("/acme-db-sync", []), ui={"confirm": False})["shown"]
    assert [said["kind"] for said in refused] == ["confirm"]
