"""Mux, now Xum: its programs under a real shell, its entries and files; written after its source, not recorded."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.drive.events import Called, Finished, Returned, Said, Started, Usage
from agent_connector.hosts import query
from agent_connector.hosts.mux import content, headless, hooks, places, register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import SUBAGENT
from agent_connector.testing.hosts import hook_use, machine, server_use


def run(folder: Path, event: str, commands: dict[str, str], **variables: str) -> subprocess.CompletedProcess[str]:
    """Start the program of `event` as Mux does."""
    for connector, command in commands.items():
        for node in hooks.wire([hook_use(event, command=command, marks=("", f"--connector {connector}"))], str(folder)):
            Path(node.file).write_text(node.text)
            assert node.executable
            os.chmod(node.file, 0o700)
    told = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run([folder / event], env=told, capture_output=True, text=True, timeout=20, check=False)


def test_a_call_is_told_as_json(tmp_path):
    done = run(
        tmp_path,
        "tool_pre",
        {"a": "cat"},
        XUM_TOOL="acme_db_q",
        XUM_TOOL_INPUT='{"a": "x \\" y"}',
        XUM_PROJECT_DIR='/code/my "app"\\x',
        MUX_WORKSPACE_ID="w",
    )
    event = hooks.parse("tool_pre", json.loads(done.stdout), ["acme-db"])
    assert (event.name, event.server, event.tool_name, event.tool_input) == (
        *("PreToolUse", "acme-db", "q"),
        {"a": 'x " y'},
    )
    assert (event.cwd, event.session_id) == ('/code/my "app"\\x', "w")


def test_a_long_call_stands_in_a_file(tmp_path):
    long = tmp_path / "input.json"
    long.write_text(json.dumps({"a": "y" * 9000}))
    variables = {"XUM_TOOL_INPUT": "(too long)", "XUM_TOOL_INPUT_PATH": str(long), "XUM_TOOL_RESULT": "plain\ntext"}
    told = json.loads(run(tmp_path, "tool_post", {"a": "cat"}, XUM_TOOL="bash", **variables).stdout)
    assert (len(told["input"]["a"]), told["result"]) == (9000, "plain text")


def test_the_first_that_refuses_ends_it(tmp_path):
    done = run(tmp_path, "tool_pre", {"a": "exit 0", "b": "echo no >&2; exit 2", "c": "echo never"})
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "no\n")


def test_what_several_say_is_passed_on(tmp_path):
    assert run(tmp_path, "tool_post", {"a": "echo one", "b": "echo two"}).stdout == "one\ntwo\n"


def test_no_hook_on_windows():
    [found] = hooks.wire([hook_use("tool_pre", command="cmd /d /c if exist x (x) else (y)")], "C:\\x")
    assert isinstance(found, Refusal)


def test_a_program_is_a_line_for_a_shell():
    told = register.entry(
        server_use(command="/a b/run", args=("it's", "${env:DSN:-x}"), env={"A": "b c", "D": "${env:D}"})
    )
    assert told == snapshot({"command": "env A='b c' '/a b/run' 'it'\"'\"'s' \"${DSN:-x}\""})
    assert shlex.split(told["command"])[:4] == ["env", "A=b c", "/a b/run", "it's"]
    assert register.entry(server_use(transport="http", enabled=False, include_tools=("q",))) == snapshot(
        {"transport": "http", "url": "https://mcp.acme.example/mcp", "disabled": True, "toolAllowlist": ["q"]}
    )
    assert isinstance(register.entry(server_use(transport="http", bearer="T")), Refusal)
    assert isinstance(register.entry(server_use(args=("${env:A:-$(id)}",))), Refusal)


@pytest.mark.parametrize(
    ("there", "folder"), [((), ".xum"), ((".mux",), ".mux"), ((".mux", ".xum"), ".xum"), ((".xum",), ".xum")]
)
def test_the_folder_that_is_there_counts(there, folder):
    files = {f"/code/app/{name}" for name in there}
    assert places.files("project", machine(exists=files.__contains__))["server"] == f"/code/app/{folder}/mcp.jsonc"


def test_failures_and_names_that_come_back():
    failed = hooks.parse("tool_post", {"tool": "bash", "result": {"success": False, "error": "no"}}, [])
    assert (failed.name, failed.tool_name, failed.error) == ("PostToolUseFailure", "Bash", "no")
    event = hooks.parse("tool_pre", {"tool": "acme_db_runit"}, ["acme-db"])
    hooks.restore(event, [{"side": "own", "names": ["runIt"]}], "acme-db")
    assert event.tool_name == "runIt"


def test_replies_are_exit_codes():
    event = Event("PreToolUse", "mux", "tool_pre", {})
    said = hooks.reply(event, light.deny("no"))
    assert (said.exit_code, said.stderr, said.output) == (2, "no", None)
    after = hooks.reply(Event("PostToolUse", "mux", "tool_post", {}), light.context("t"))
    assert (after.exit_code, after.output) == (0, "t")
    rows = {(name, kind): hooks.honours(name, kind)[0] for name in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)


def test_a_subagent():
    [agent] = content.subagent(SUBAGENT, "/there")
    assert agent.text == snapshot(
        """\
---
name: dba
description: Reviews SQL
subagent:
  runnable: true
tools:
  add: [acme_db_acme_query, file_read]
---

You review SQL.
"""
    )


def test_a_stream():
    def event(**payload):
        return {"type": "event", "workspaceId": "w", "payload": payload}

    lines = [
        event(type="stream-start", model="a:b"),
        event(type="stream-delta", delta="hi"),
        event(type="tool-call-start", toolCallId="c", toolName="bash", args={"script": "ls"}),
        event(type="tool-call-end", toolCallId="c", toolName="bash", result={"success": False}),
        {"type": "run-complete", "usage": {"inputTokens": 5, "outputTokens": 2, "reasoningTokens": 1}, "cost_usd": 0.1},
    ]
    assert [found for line in lines for found in headless.read(json.dumps(line))] == [
        Started("w", "a:b"),
        Said("hi", piece=True),
        Called("c", "bash", {"script": "ls"}),
        Returned("c", {"success": False}, True),
        Finished(True, "run-complete", usage=Usage(input=5, output=3, reasoning=1), cost_usd=0.1),
    ]


def test_a_command_that_is_a_skill_stands_where_no_other_host_reads_it():
    files = places.files("user", machine())
    assert (files["commands"], files["skills"]) == ("/home/user/.xum/skills", "/home/user/.agents/skills")
