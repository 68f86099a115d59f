"""Hermes Agent's hooks: what is registered, what is understood, what is answered."""

import re
import shlex
import subprocess

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.documents.formats import END, FORMATS
from agent_connector.hosts import query
from agent_connector.hosts.hermes import hooks
from agent_connector.testing.hosts import MARKS, hook_use

FILE = "/home/user/.hermes/config.yaml"


def wired(*patterns, event="pre_tool_call", **fields):
    [item] = hooks.wire([hook_use(event, matchers=[matcher(p) for p in patterns], **fields)], FILE)
    return item


def test_what_a_person_reads_in_config_yaml():
    item = wired("acme_query", command="test -x '/p q' && exec '/p q' hook", timeout=2.5)
    assert (item.file, item.marks) == (FILE, MARKS)
    text = FORMATS["yaml"].put("# mine\nmodel: {default: m}\n", (*item.path, END), item.value)
    assert text == (
        "# mine\n"
        "model: {default: m}\n"
        "hooks:\n"
        "  pre_tool_call:\n"
        "    - matcher: mcp__acme_db__acme_query\n"
        """      command: "sh -c 'test -x '\\"'\\"'/p q'\\"'\\"' && exec '\\"'\\"'/p q'\\"'\\"' hook'"\n"""
        "      timeout: 3\n"
    )
    assert wired("*", timeout=5000).value["timeout"] == 300


def test_the_command_survives_being_split_without_a_shell():
    command = wired("*", command="test -x '/no such' && exec x; printf %s 'a\"b'; exit 0").value["command"]
    assert subprocess.run(shlex.split(command), capture_output=True, text=True, timeout=20, check=True).stdout == 'a"b'


def test_success_and_failure_share_an_entry():
    uses = [hook_use("post_tool_call", matchers=[matcher(name)]) for name in ("a", "b")]
    [item] = hooks.wire(uses, FILE)
    assert item.value["matcher"] == "mcp__acme_db__a|mcp__acme_db__b"


@pytest.mark.parametrize(
    ("patterns", "caught", "missed"),
    [
        (["acme_query|x"], ["mcp__acme_db__acme_query", "mcp__acme_db__x"], ["mcp__acme_db__acme_query2", "x"]),
        (["acme_.*"], ["mcp__acme_db__acme_x"], ["mcp__acme_db__other"]),
        (["db.query"], ["mcp__acme_db__db_query"], ["mcp__other__db_query"]),
        (["host:Bash"], ["terminal"], ["mcp__acme_db__Bash"]),
        (["host:(?i)x"], ["terminal", "patch"], ["mcp__acme_db__x"]),
    ],
)
def test_the_matcher_is_compared_with_the_whole_name(patterns, caught, missed):
    regex = re.compile(wired(*patterns).value["matcher"])
    assert [name for name in caught if not regex.fullmatch(name)] == []
    assert [name for name in missed if regex.fullmatch(name)] == []


# ---- what is understood


def test_an_mcp_call(payloads):
    event = hooks.parse("pre_tool_call", payloads["pre_tool_call.mcp__labmcp__echo"], ["labmcp"])
    assert (event.name, event.server, event.tool_name) == ("PreToolUse", "labmcp", "echo")
    assert (event.tool_input, event.call_id) == ({"text": "hi"}, "call_lab114")
    assert event.session_id == "20261130_163917_a378a0"
    assert hooks.parse("pre_tool_call", payloads["pre_tool_call.terminal"], []).tool_name == "Bash"


def test_a_server_whose_name_hermes_writes_otherwise():
    event = hooks.parse("pre_tool_call", {"tool_name": "mcp__acme_db__db_query"}, ["acme-db"])
    assert (event.server, event.tool_name) == ("acme-db", "db_query")
    hooks.restore(event, [{"side": "own", "names": ["db.query"]}, {"side": "own", "names": ["x"]}], "acme-db")
    assert event.tool_name == "db.query"


def test_results_and_failures(payloads):
    done = payloads["post_tool_call.mcp__labmcp__echo"]
    assert hooks.parse("post_tool_call", done, []).tool_output == '{"result": "LAB-ECHO:hi"}'
    failed = {**done, "extra": {**done["extra"], "status": "error", "error_message": "it broke"}}
    event = hooks.parse("post_tool_call", failed, ["labmcp"])
    assert (event.name, event.tool_name, event.error) == ("PostToolUseFailure", "echo", "it broke")


@pytest.mark.parametrize(
    ("recorded", "name", "field", "value"),
    [
        ("on_session_start", "SessionStart", "model", "fake-model"),
        ("on_session_end", "Stop", "session_id", "20261130_163917_a378a0"),
        ("post_llm_call", "post_llm_call", "last_message", "FAKE-FINAL"),
        ("transform_tool_result.terminal", "transform_tool_result", "tool_name", "Bash"),
    ],
)
def test_other_events(payloads, recorded, name, field, value):
    event = hooks.parse(recorded.partition(".")[0], payloads[recorded], [])
    assert (event.name, getattr(event, field)) == (name, value)


def test_a_prompt(payloads):
    assert hooks.parse("pre_llm_call", payloads["pre_llm_call"], []).prompt.startswith("hermesA")


# ---- what goes out: (event, decision, reply, what the real program did with it)

BLOCK = {"decision": "block", "reason": "no"}
REPLIES = [
    ("PreToolUse", light.deny("no"), BLOCK, "the model got the reason as an error"),
    ("PreToolUse", light.ask("no"), BLOCK, "the same"),
    ("PreToolUse", light.modify({"a": 1}), {"decision": "modify", "tool_input": {"a": 1}}, "ignored by 0.19"),
    ("PreToolUse", light.context("t"), None, "no such thing"),
    ("PostToolUse", light.replace_output("t"), None, "ignored"),
    ("UserPromptSubmit", light.context("t"), {"context": "t"}, "behind the message"),
    ("UserPromptSubmit", light.deny("no"), None, "no such thing"),
    ("Stop", light.deny("more"), None, "watched only"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "hermes", hooks.EVENTS[event], {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, ""), seen


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
