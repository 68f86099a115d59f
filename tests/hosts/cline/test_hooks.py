"""Cline's hooks: the programs that are written, what is understood of both kinds of payloads, what is answered."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.hosts import query
from agent_connector.hosts.cline import hooks
from agent_connector.testing.hosts import hook_use


def written(folder: Path, *parts: tuple[str, str]) -> Path:
    """The files of an event for some connectors, each (id, shell command); the file that the host starts."""
    for connector, command in parts:
        use = hook_use("PreToolUse", command=command, marks=("x", f"--connector {connector}"))
        for node in hooks.wire([use], str(folder)):
            Path(node.file).write_text(node.text)
            os.chmod(node.file, 0o755 if node.executable else 0o644)
    return folder / "PreToolUse"


def answer(program: Path, payload: str = '{"a": 1}') -> str:
    done = subprocess.run([str(program)], input=payload, capture_output=True, text=True, timeout=20, check=True)
    assert not done.stderr
    return done.stdout


def says(text: str) -> str:
    return f"cat >/dev/null; printf %s '{text}'"


# ---- what is written


def test_what_a_person_reads_in_the_folder():
    use = hook_use("PreToolUse", command="run me --connector acme-db")
    own, caller = hooks.wire([use], "/home/user/Documents/Cline/Hooks")
    assert own.file == "/home/user/Documents/Cline/Hooks/agent-connector-acme-db.PreToolUse"
    assert own.text.splitlines()[0] == "#!/bin/sh" and own.text.endswith("\nrun me --connector acme-db\n")
    assert caller.file == "/home/user/Documents/Cline/Hooks/PreToolUse"
    assert own.executable and caller.executable


def test_the_file_with_the_hosts_name_is_the_same_for_every_connector():
    one, other = (
        hooks.wire([hook_use("PreToolUse", marks=("x", f"--connector {name}"))], "/there")[1] for name in ("one", "two")
    )
    assert (one.file, one.text) == (other.file, other.text)


def test_success_and_failure_share_a_program():
    uses = [hook_use("PostToolUse", name) for name in ("PostToolUse", "PostToolUseFailure")]
    assert len(hooks.wire(uses, "/there")) == 2


def test_on_windows_it_is_a_script_of_powershell():
    command = 'cmd /d /c if exist "C:\\x.exe" ("C:\\x.exe" hook) else (exit /b 0)'
    [script] = hooks.wire([hook_use("PreToolUse", command=command)], r"C:\Users\user\Documents\Cline\Hooks")
    assert script.file == r"C:\Users\user\Documents\Cline\Hooks\PreToolUse.ps1"
    assert """'/d /c if exist "C:\\x.exe" ("C:\\x.exe" hook) else (exit /b 0)'""" in script.text


def test_one_connector_gets_the_payload_and_answers(tmp_path):
    assert answer(written(tmp_path / "", ("one", "cat"))) == '{"a": 1}'


def test_of_several_connectors_a_denial_has_the_word(tmp_path):
    deny = '{"cancel":true,"errorMessage":"no"}'
    program = written(tmp_path, ("a", says('{"contextModification":"mind"}')), ("b", says(deny)), ("c", says("{}")))
    assert json.loads(answer(program)) == json.loads(deny)


def test_texts_of_several_connectors_come_together(tmp_path):
    parts = [says(json.dumps({"contextModification": text}, separators=(",", ":"))) for text in ('say "a"', "b\\")]
    program = written(tmp_path, ("a", parts[0]), ("b", parts[1]), ("c", "cat >/dev/null"))
    assert json.loads(answer(program)) == {"contextModification": 'say "a"\n\nb\\'}


def test_when_all_have_left_it_says_nothing(tmp_path):
    program = written(tmp_path, ("a", "cat"))
    (tmp_path / "agent-connector-a.PreToolUse").unlink()
    assert answer(program) == ""


# ---- what is understood


def test_an_mcp_call_of_the_terminal_program(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.labmcp__echo"], ["labmcp"])
    assert (event.name, event.server, event.tool_name, event.host_tool_name) == (
        *("PreToolUse", "labmcp", "echo"),
        "labmcp__echo",
    )
    assert (event.tool_input, event.call_id) == ({"text": "hi"}, "call_lab42")
    assert (event.cwd, event.session_id) == ("/home/user/project", "1796055539439_isst1")


def test_its_arguments_keep_their_kinds(payloads):
    """`parameters` has the list as a text."""
    event = hooks.parse("PreToolUse", payloads["PreToolUse.run_commands"], [])
    assert (event.server, event.tool_name) == (None, "Bash")
    assert event.tool_input["commands"] == ["echo orig"]


def test_results_and_failures(payloads):
    done = hooks.parse("PostToolUse", payloads["PostToolUse.labmcp__echo"], ["labmcp"])
    assert (done.name, done.tool_output) == ("PostToolUse", {"content": [{"type": "text", "text": "LAB-ECHO:hi"}]})
    failed = hooks.parse("PostToolUse", payloads["PostToolUse.failed"], ["labmcp"])
    assert (failed.name, failed.tool_name) == ("PostToolUseFailure", "echo")
    assert "it broke" in failed.error


def test_what_the_extension_sends():
    told = {"hookName": "PreToolUse", "taskId": "t", "workspaceRoots": ["/p"], "model": {"slug": "m"}}
    called = hooks.parse("PreToolUse", {**told, "preToolUse": {"toolName": "acme-db__q", "parameters": {"a": "1"}}}, [])
    assert (called.server, called.tool_name, called.tool_input) == ("acme-db", "q", {"a": "1"})
    assert (called.session_id, called.cwd, called.model) == ("t", "/p", "m")
    given = {"server_name": "acme-db", "tool_name": "q", "arguments": '{"a": 1}'}
    classic = hooks.parse("PreToolUse", {"preToolUse": {"toolName": "use_mcp_tool", "parameters": given}}, [])
    assert (classic.server, classic.tool_name, classic.tool_input) == ("acme-db", "q", {"a": 1})
    failed = hooks.parse("PostToolUse", {"postToolUse": {"toolName": "editor", "success": False, "result": "no"}}, [])
    assert (failed.name, failed.tool_name, failed.error) == ("PostToolUseFailure", "Edit", "no")
    asked = hooks.parse("UserPromptSubmit", {"userPromptSubmit": {"prompt": "hi"}}, [])
    assert asked.prompt == "hi"


@pytest.mark.parametrize(
    ("recorded", "name", "field", "value"),
    [
        ("TaskStart", "SessionStart", "session_id", "1796055539439_isst1"),
        ("TaskComplete", "Stop", "last_message", "FAKE-FINAL"),
        ("SessionShutdown", "SessionEnd", "agent_id", None),
    ],
)
def test_lifecycle_events(payloads, recorded, name, field, value):
    event = hooks.parse(recorded, payloads[recorded], [])
    assert (event.name, getattr(event, field)) == (name, value)


def test_an_error_is_an_event_of_its_own(payloads):
    event = hooks.parse("TaskError", payloads["TaskError"], [])
    assert event.name == "TaskError" and event.error.startswith("Cannot connect to API")


# ---- what goes out: (event, decision, reply, what the real program did with it)

CANCEL = {"cancel": True, "errorMessage": "no"}
REPLIES = [
    ("PreToolUse", light.deny("no"), CANCEL, "the whole run was aborted"),
    ("PreToolUse", light.ask("no"), CANCEL, "the same"),
    ("PreToolUse", light.modify({"a": 1}), {"overrideInput": {"a": 1}}, "the server saw the new input"),
    ("PreToolUse", light.context("t"), {"contextModification": "t"}, "in the next request"),
    ("PostToolUse", light.context("t"), {"contextModification": "t"}, "in the next request"),
    ("PreToolUse", light.allow(), None, "nothing to grant"),
    ("SessionStart", light.context("t"), None, "did not reach the model"),
    ("Stop", light.deny("more"), None, "nobody waits for it"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "cline", hooks.EVENTS[event], {}), decision)
    assert (said.output, said.exit_code) == (output, 0), seen


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
