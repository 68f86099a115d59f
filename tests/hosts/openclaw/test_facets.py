"""OpenClaw: what is written where, what recorded events become, and what is promised."""

import json

import pytest

from agent_connector.connector.light import ask, context, deny
from agent_connector.drive.events import Finished, Job, Said, Started, Usage
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nemoclaw import places as nemoclaw
from agent_connector.hosts.nodes import Key, Refusal, Whole
from agent_connector.hosts.openclaw import content, headless, hooks, places, register
from agent_connector.testing.hosts import LAUNCHER, hook_use, server_use

CONFIG = "/home/user/.openclaw/openclaw.json"


def machine(*present: str, **variables: str) -> Machine:
    return Machine("/home/user", "linux", variables, "/app", set(present).__contains__, lambda program: None)


def test_a_plugin_is_a_folder_and_an_entry():
    *files, key = hooks.wire([hook_use("before_tool_call")], CONFIG)
    folder = "/home/user/.openclaw/extensions/agent-connector-acme-db/"
    assert [file.file.removeprefix(folder) for file in files] == ["index.js", "package.json", "openclaw.plugin.json"]
    assert all(isinstance(file, Whole) for file in files) and isinstance(key, Key)
    assert (key.file, key.format) == (CONFIG, "json5")
    assert key.path == ("plugins", "entries", "agent-connector-acme-db")
    assert key.value == {"enabled": True, "hooks": {"allowConversationAccess": True}}
    assert json.loads(files[2].text)["id"] == "agent-connector-acme-db"
    assert json.loads(files[1].text)["openclaw"] == {"extensions": ["./index.js"]}
    windows = hooks.wire([hook_use("before_tool_call")], r"C:\Users\user\.openclaw\openclaw.json")
    assert windows[0].file == r"C:\Users\user\.openclaw\extensions\agent-connector-acme-db\index.js"


def test_places():
    files = places.files("user", machine())
    assert (files["server"], files["hooks"]) == (CONFIG, CONFIG)
    assert content.memory("user", machine()) == "/home/user/.openclaw/workspace/AGENTS.md"
    assert places.files("user", machine(OPENCLAW_STATE_DIR="/s"))["hooks"] == "/s/openclaw.json"
    moved = places.files("user", machine(OPENCLAW_CONFIG_PATH="/etc/claw.json"))
    assert moved["server"] == "/etc/claw.json" and "hooks" not in moved  # plugins are found in the state folder alone
    assert places.files("project", machine()) == {}
    assert isinstance(content.memory("project", machine()), Refusal)
    assert places.running({"OPENCLAW_SHELL": "exec"})


def test_nemoclaw_is_another_agent():
    """Its own OpenClaw lies in a sandbox; what is on this machine's disk is another's."""
    there = machine("/home/user/.nemoclaw", CONFIG)
    assert nemoclaw.installed(there)["found"] == ["/home/user/.nemoclaw"]
    assert places.installed(there)["found"] == [CONFIG]
    assert list(nemoclaw.files("user", there)) == ["home"]


def test_servers():
    use = server_use(
        args=("serve", "${env:ACME_URL}"),
        env={"TOKEN": "${env:TOKEN}", "PORT": "${env:PORT:-5432}"},
        timeout=30,
        startup_timeout=5,
        include_tools=("a",),
        exclude_tools=("b",),
    )
    assert register.entry(use) == {
        "command": LAUNCHER,
        "args": ["serve", "${ACME_URL}"],
        "env": {"TOKEN": "${TOKEN}"},
        "requestTimeoutMs": 30000,
        "connectionTimeoutMs": 5000,
        "toolFilter": {"include": ["a"], "exclude": ["b"]},
    }
    assert register.lost(use) == ("OpenClaw hands servers no variable that has a default: PORT always has its default",)
    remote = register.entry(server_use(transport="http", bearer="ACME_TOKEN"))
    assert (remote["transport"], remote["headers"]) == (
        "streamable-http",
        {"Authorization": "Bearer ${ACME_TOKEN}"},
    )


@pytest.mark.parametrize("fields", [{"transport": "ws"}, {"env": {"A": "${env:lower}"}}, {"args": ("${HOME}",)}])
def test_what_cannot_be_said_is_refused(fields):
    assert isinstance(register.entry(server_use(**fields)), Refusal)


def test_recorded_events(recorded):
    given = recorded["before_tool_call labmcp__echo"][0]
    raw = {"sessionID": "s", "event": {"toolName": given["toolName"], "input": given["params"]}}
    call = hooks.parse("before_tool_call", raw, ["labmcp"])
    assert (call.name, call.server, call.tool_name, call.tool_input) == ("PreToolUse", "labmcp", "echo", {"text": "hi"})
    shell = hooks.parse("before_tool_call", {"event": {"toolName": "exec"}}, [])
    assert (shell.server, shell.tool_name) == (None, "Bash")
    other = hooks.parse("before_tool_call", {"event": {"toolName": "github__list__all"}}, [])
    assert (other.server, other.tool_name) == ("github", "list__all")
    failed = {"toolName": "exec", "isError": True, "content": [{"type": "text", "text": "no"}]}
    assert hooks.parse("after_tool_call", {"event": failed}, []).name == "PostToolUseFailure"
    child = hooks.parse("subagent_spawned", {"event": {"childSessionKey": "agent:main:sub"}}, [])
    assert (child.name, child.agent_id) == ("SubagentStart", "agent:main:sub")


def test_replies_and_what_they_are_worth():
    event = hooks.parse("before_tool_call", {"event": {"toolName": "exec"}}, [])
    assert hooks.reply(event, deny("no")).output == {"deny": "no"}
    assert hooks.reply(event, ask("sure?")).output == {"ask": "sure?"}
    assert hooks.reply(event, context("c")).output is None
    assert hooks.honours("PreToolUse", "ask")[:2] == ("honoured", "proven")
    assert hooks.honours("PostToolUse", "replace_output")[2] == "OpenClaw lets this event be watched only"
    assert hooks.honours("Stop", "deny")[:2] == ("degraded", "proven")  # it ends a turn with tools all the same


def test_a_run_names_its_model_and_its_session():
    line = headless.argv(Job("say hi", "/p", resume="s1", model="anthropic/m"))
    assert line == [
        *("openclaw", "agent", "--local", "--agent", "main", "--json"),
        *("--model", "anthropic/m", "--session-id", "s1", "--message", "say hi"),
    ]
    assert "stand-in/m" in headless.argv(Job("x", "/p", model="m", endpoint="http://127.0.0.1:7"))


def test_a_run_prints_one_object(golden):
    events = list(headless.read((golden / "object.json").read_text(encoding="utf-8")))
    session = "00cca912-6005-48a5-8ed5-8a616f245fd9"
    assert events == [
        Started(session, model="acme-model-1"),
        Said("First answer."),
        Finished(True, usage=Usage(2000, 600, 0, 0, 80, 20)),
    ]
    priced = json.loads((golden / "object.json").read_text(encoding="utf-8"))
    priced["meta"]["agentMeta"]["usage"]["cost"]["total"] = 0.5
    assert headless.read(json.dumps(priced))[-1].cost_usd == 0.5


def test_a_run_that_failed_says_why(golden):
    *_, blocked = headless.read((golden / "object-blocked.json").read_text(encoding="utf-8"))
    assert not blocked.ok and blocked.usage is None
    assert blocked.reason.startswith("Your message could not be sent: MARK UserPromptSubmit deny")
    gone = {"ok": False, "error": {"type": "cli_error", "message": "LLM request failed: network connection error."}}
    assert headless.read(json.dumps(gone)) == (Finished(False, reason="LLM request failed: network connection error."),)
    cut = {"payloads": [], "meta": {"aborted": True, "agentMeta": {"sessionId": "s1"}}}
    assert headless.read(json.dumps(cut))[-1] == Finished(False, reason="aborted")


def test_its_model_calls_a_tool_by_another():
    assert headless.routed("acme-db", "query", {"a": 1})[:2] == (
        "tool_call",
        {"id": "acme-db__query", "args": {"a": 1}},
    )


@pytest.mark.parametrize(
    ("config", "folder"),
    [
        ('{"agents": {"defaults": {"model": {"primary": "x"}, "workspace": "/srv/claw"}}}', "/srv/claw"),
        ("{ // mine\n agents: { list: [{workspace: '/a'}], defaults: { workspace: '~/claw', }, }, }", "{home}/claw"),
        ('{"agents": {"list": [{"id": "a", "workspace": "/of/one"}]}}', "{home}/.openclaw/workspace"),
        ('{"workspace": "/no", "defaults": {"workspace": "/no"}}', "{home}/.openclaw/workspace"),
        ('{"agents": {"defaults": {"note": "\\"workspace\\": \\"/no\\""}}}', "{home}/.openclaw/workspace"),
        ("}}} not JSON [", "{home}/.openclaw/workspace"),
        (None, "{home}/.openclaw/workspace"),
    ],
)
def test_memory_goes_where_the_agent_works(config, folder, tmp_path):
    (tmp_path / ".openclaw").mkdir()
    if config is not None:
        (tmp_path / ".openclaw" / "openclaw.json").write_text(config)
    here = Machine(str(tmp_path), "linux", {})
    assert content.memory("user", here) == folder.format(home=tmp_path) + "/AGENTS.md"
