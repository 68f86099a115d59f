"""goose: its plugin of hooks, its entries, its stream, and what it honours; written after its source, not recorded."""

import json

import pytest
from inline_snapshot import snapshot

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Usage
from agent_connector.hosts import query
from agent_connector.hosts.goose import bundle, content, headless, hooks, places, register
from agent_connector.hosts.nodes import Item, Refusal, Whole
from agent_connector.testing.hosts import hook_use, machine, server_use


def test_hooks_are_a_plugin_of_their_own():
    use = hook_use("PreToolUse", matchers=[matcher("acme_query")], command="run me", timeout=2.5)
    about, entry = hooks.wire([use], places.files("project", machine())["hooks"])
    assert isinstance(about, Whole) and isinstance(entry, Item)
    assert about.file == "/code/app/.agents/plugins/agent-connector-acme-db/plugin.json"
    assert json.loads(about.text)["name"] == "agent-connector-acme-db"
    assert entry.file == "/code/app/.agents/plugins/agent-connector-acme-db/hooks/hooks.json"
    assert {".".join(entry.path): entry.value} == snapshot(
        {
            "hooks.PreToolUse": {
                "matcher": "^(?:acme-db__acme_query)$",
                "hooks": [{"type": "command", "command": "run me", "timeout": 3}],
            }
        }
    )


def test_in_a_bundle_they_are_a_file():
    [entry] = hooks.wire([hook_use("Stop")], bundle.FOLDERS["hooks"])
    assert (entry.file, "matcher" in entry.value) == ("hooks/hooks.json", False)


def test_entries():
    told = register.entry(server_use(env={"A": "${env:A}", "B": "b"}, timeout=90, include_tools=("q",), enabled=False))
    assert {**told, "cmd": "", "args": []} == snapshot(
        {
            "type": "stdio",
            "name": "acme-db",
            "enabled": False,
            "cmd": "",
            "args": [],
            "envs": {"B": "b"},
            "timeout": 90,
            "available_tools": ["q"],
        }
    )
    assert register.entry(server_use(transport="http", bearer="T")) == snapshot(
        {
            "type": "streamable_http",
            "name": "acme-db",
            "enabled": True,
            "uri": "https://mcp.acme.example/mcp",
            "headers": {"Authorization": "Bearer ${T}"},
            "env_keys": ["T"],
        }
    )
    assert isinstance(register.entry(server_use(name="Acme")), Refusal)
    assert register.lost(server_use(env={"PATH": "/x"})) == ("goose does not set PATH for a server",)
    assert set(bundle.entry(server_use())) == {"command", "args"}


def test_where_it_reads():
    assert places.files("user", machine())["server"] == "/home/user/.config/goose/config.yaml"
    windows = places.files("user", machine("win32"))
    assert windows["server"] == r"C:\Users\user\AppData\Roaming\Block\goose\config\config.yaml"
    moved = machine(variables={"GOOSE_PATH_ROOT": "/g"})
    assert places.files("user", moved)["home"] == "/g/config"


def test_a_program_of_that_name_alone_may_be_another():
    assert places.installed(machine(which=lambda name: f"/bin/{name}")) is None


@pytest.mark.parametrize(
    ("named", "target"),
    [(None, "/code/app/AGENTS.md"), ('["AGENTS.md", "x"]', "/code/app/AGENTS.md"), ('[".goosehints"]', None)],
)
def test_memory_where_it_is_read(named, target):
    found = content.memory("project", machine(variables={"CONTEXT_FILE_NAMES": named} if named else {}))
    assert found == target if target else isinstance(found, Refusal)


def test_what_is_understood():
    told = {"event": "PreToolUse", "session_id": "20251108_1", "working_dir": "/p", "tool_call_id": "c"}
    event = hooks.parse("PreToolUse", {**told, "tool_name": "acme-db__q", "tool_input": {"a": 1}}, ["acme-db"])
    assert (event.server, event.tool_name, event.tool_input) == ("acme-db", "q", {"a": 1})
    assert (event.session_id, event.cwd, event.call_id) == ("20251108_1", "/p", "c")
    for own in ("developer__shell", "shell"):
        known = hooks.parse("PreToolUse", {"tool_name": own}, [])
        assert (known.server, known.tool_name) == (None, "Bash")
    assert hooks.parse("UserPromptSubmit", {"message": "hi"}, []).prompt == "hi"
    assert hooks.parse("Stop", {"last_assistant_message": "bye"}, []).last_message == "bye"


def test_only_a_denial_is_said_and_nothing_else_may_be_printed():
    event = Event("PreToolUse", "goose", "PreToolUse", {})
    assert hooks.reply(event, light.deny("no")).output == {"decision": "block", "reason": "no"}
    for decision in (None, light.allow(), light.context("t"), light.modify({})):
        assert hooks.reply(event, decision).output is None
    rows = {(name, kind): hooks.honours(name, kind)[0] for name in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)


def test_a_stream():
    call = {
        "type": "toolRequest",
        "id": "c",
        "toolCall": {"status": "success", "value": {"name": "x__q", "arguments": {}}},
    }
    back = {"type": "toolResponse", "id": "c", "toolResult": {"status": "success", "value": {"content": ["r"]}}}
    lines = [
        {"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "hi"}, call]}},
        {"type": "message", "message": {"role": "user", "content": [back]}},
        {"type": "complete", "input_tokens": 10, "output_tokens": 3, "cache_read_input_tokens": 4, "cost_usd": 0.5},
    ]
    assert [event for line in lines for event in headless.read(json.dumps(line))] == [
        Said("hi"),
        Called("c", "x__q", {}, "x", "q"),
        Returned("c", ["r"]),
        Finished(True, "complete", usage=Usage(input=6, cache_read=4, output=3), cost_usd=0.5),
    ]
    job = Job("hi", "/p", endpoint="http://127.0.0.1:9", resume="s", approvals="all")
    assert headless.argv(job)[2:] == ["--output-format", "stream-json", "--session-id", "s", "--resume", "--text=hi"]
    assert headless.environment(job)["GOOSE_MODE"] == "auto"
