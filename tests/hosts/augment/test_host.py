"""Auggie, by its documentation: where it reads, what is written, and its hooks with a script and arguments."""

import json
import re
import subprocess

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.model import Subagent, Tool
from agent_connector.drive.events import Finished, Job
from agent_connector.hosts import query
from agent_connector.hosts.augment import content, headless, hooks, places, register
from agent_connector.hosts.nodes import Refusal, Whole
from agent_connector.testing.host_samples import hook_use, machine, server_use

BASE = {"conversation_id": "s-1", "workspace_roots": ["/code/app"]}


def test_files():
    files = places.files("project", machine())
    assert files["server"] == files["hooks"] == "/code/app/.augment/settings.json"
    assert places.files("user", machine("win32"))["hooks"] == r"C:\Users\user\.augment\settings.json"
    assert content.memory("user", machine()) == "/home/user/.augment/rules/agent-connector.md"


def test_a_group_with_our_script_and_milliseconds():
    own = {"side": "own", "names": ["acme_query"]}
    use = hook_use("PreToolUse", "PreToolUse", command="c", matchers=(own,), timeout=2.5)
    node, script = hooks.wire([use], "/h/.augment/settings.json")
    assert node.value == {
        "matcher": "^(?:mcp:acme_query_acme-db)$",
        "hooks": [
            {
                "type": "command",
                "command": "/h/.augment/hooks/agent-connector.sh",
                "args": ["-c", "c"],
                "timeout": 2500,
            }
        ],
    }
    assert isinstance(script, Whole)
    assert (script.file, script.executable) == ("/h/.augment/hooks/agent-connector.sh", True)


def test_the_script_runs_what_it_is_given(tmp_path):
    file = tmp_path / "agent-connector.sh"
    file.write_text(hooks.SCRIPT)
    file.chmod(0o755)
    done = subprocess.run(
        [file, "-c", "cat; exit 2"], input="in", capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.stdout, done.returncode) == ("in", 2)


def test_on_windows_the_command_stands_alone():
    [node] = hooks.wire([hook_use("Stop", "Stop", command="cmd /d /c x")], r"C:\Users\user\.augment\settings.json")
    assert node.value == {"hooks": [{"type": "command", "command": "cmd /d /c x", "timeout": 10000}]}


@pytest.mark.parametrize(
    ("compiled", "caught", "passed"),
    [
        ({"side": "own", "prefix": "acme_"}, "mcp:acme_query_acme-db", "mcp:other_acme-db"),
        ({"side": "own", "regex": ".*_write"}, "mcp:x_write_acme-db", "view"),
        ({"side": "host", "names": ["Bash"]}, "launch-process", "mcp:launch-process_x"),
        ({"side": "host", "prefix": ""}, "view", "mcp:view_x"),
    ],
)
def test_it_catches_what_was_asked_for(compiled, caught, passed):
    node, _ = hooks.wire([hook_use("PreToolUse", "PreToolUse", matchers=(compiled,))], "/h/s.json")
    assert re.search(node.value["matcher"], caught)
    assert not re.search(node.value["matcher"], passed)


def test_payloads():
    raw = {**BASE, "tool_name": "mcp:acme_query_acme-db", "tool_input": {"sql": "x"}, "tool_output": "3 rows"}
    event = hooks.parse("PostToolUse", raw, ["db", "acme-db"])
    assert (event.server, event.tool_name, event.tool_output) == ("acme-db", "acme_query", "3 rows")
    assert (event.session_id, event.cwd) == ("s-1", "/code/app")
    other = hooks.parse("PreToolUse", {**BASE, "tool_name": "mcp:list_issues_github"}, ["acme-db"])
    assert (other.server, other.tool_name) == ("github", "list_issues")
    shell = hooks.parse("PreToolUse", {**BASE, "tool_name": "launch-process", "tool_input": {"command": "ls"}}, [])
    assert (shell.server, shell.tool_name) == (None, "Bash")
    assert hooks.parse("PromptSubmit", {**BASE, "prompt": "hi"}, []).name == "UserPromptSubmit"


def test_replies():
    before = Event("PreToolUse", "augment", "PreToolUse", {})
    denied = hooks.reply(before, light.ask("no")).output["hookSpecificOutput"]
    assert (denied["permissionDecision"], denied["permissionDecisionReason"]) == ("deny", "no")
    assert hooks.reply(before, light.modify({"a": 1})).output["hookSpecificOutput"]["updatedInput"] == {"a": 1}
    assert hooks.reply(Event("SessionStart", "augment", "SessionStart", {}), light.context("t")).output == "t"
    assert hooks.reply(Event("Stop", "augment", "Stop", {}), light.deny("no")).output["decision"] == "block"
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)


def test_servers_with_its_own_references():
    told = register.entry(server_use(command="/l", args=("${env:A}",), env={"T": "${env:T}", "U": "${env:U:-x}"}))
    assert told == {"command": "/l", "args": ["${A}"], "env": {"T": "${T}"}}, "our launcher gives U its default"
    assert register.entry(server_use(transport="sse", bearer="T")) == {
        "type": "sse",
        "url": "https://mcp.acme.example/mcp",
        "headers": {"Authorization": "Bearer ${T}"},
    }
    assert isinstance(register.entry(server_use(args=("${env:A:-x}",))), Refusal)
    assert isinstance(register.entry(server_use(args=("${HOME}",))), Refusal)


def test_a_subagent_with_lists_of_tools():
    subagent = Subagent("dba", "R", "You.", (Tool("acme-db", "q"), Tool(None, "Read")), (Tool(None, "Bash"),))
    [file] = content.subagent(subagent, "/a")
    assert 'tools: ["mcp:q_acme-db", view]\ndisabled_tools: [launch-process]\n' in file.text


def test_a_headless_run():
    line = headless.argv(Job("say hi", "/p", model="m", resume="s-1"))
    assert line == ["auggie", "--output-format", "json", "--model", "m", "--resume", "s-1", "--print", "say hi"]
    said = {"type": "result", "result": "hello", "is_error": False, "num_turns": 2, "session_id": "s-1"}
    [end] = headless.read(json.dumps(said))
    assert isinstance(end, Finished)
    assert (end.ok, end.text, end.session, end.turns) == (True, "hello", "s-1", 2)
