"""Amazon Q Developer CLI, by its source: an agent of ours that holds the hooks, and what stands in its files."""

import json

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.model import Subagent, Tool
from agent_connector.hosts import query
from agent_connector.hosts.amazon_q import content, hooks, places, register
from agent_connector.hosts.dialects import q_hooks
from agent_connector.hosts.nodes import Default, Item, Refusal
from agent_connector.testing.host_samples import hook_use, machine, server_use


@pytest.mark.parametrize(
    ("platform", "agent", "data"),
    [
        (
            "linux",
            "/home/user/.aws/amazonq/cli-agents/agent-connector.json",
            "/home/user/.local/share/amazon-q/data.sqlite3",
        ),
        (
            "darwin",
            "/Users/user/.aws/amazonq/cli-agents/agent-connector.json",
            "/Users/user/Library/Application Support/amazon-q/data.sqlite3",
        ),
        (
            "win32",
            r"C:\Users\user\.aws\amazonq\cli-agents\agent-connector.json",
            r"C:\Users\user\AppData\Local\amazon-q\data.sqlite3",
        ),
    ],
)
def test_files(platform, agent, data):
    assert places.files("user", machine(platform))["hooks"] == agent
    assert places.installed(machine(platform, exists={data}.__contains__))["found"] == [data]


def test_a_program_called_q_proves_nothing():
    assert places.installed(machine(which={"q": "/usr/bin/q"}.get)) is None


def test_an_agent_like_the_built_in_one_with_the_hooks():
    nodes = hooks.wire([hook_use("preToolUse", "PreToolUse", command="c", timeout=1.5)], "/a.json")
    agent = {node.path[0]: node.value for node in nodes if isinstance(node, Default)}
    assert agent == {
        "name": "agent-connector",
        "description": "The default agent, with the hooks of connectors",
        "tools": ["*"],
        "allowedTools": ["fs_read"],
        "resources": ["file://AmazonQ.md", "file://README.md", "file://.amazonq/rules/**/*.md"],
        "useLegacyMcpJson": True,
    }
    [entry] = [node for node in nodes if isinstance(node, Item)]
    assert entry.path == ("hooks", "preToolUse")
    assert entry.value == {"command": "c", "timeout_ms": 1500, "matcher": "*"}


@pytest.mark.parametrize(
    ("matchers", "glob"),
    [
        ([{"side": "own", "names": ["query"]}], "@acme-db/query"),
        ([{"side": "own", "names": ["query", "write"]}], "@acme-db"),
        ([{"side": "own", "prefix": "acme_"}], "@acme-db/acme_*"),
        ([{"side": "server", "server": "git", "regex": ".*"}], "@git"),
        ([{"side": "host", "names": ["Bash"]}], "execute_bash"),
        ([{"side": "host", "names": ["Bash", "Read"]}], "*"),
        ([{"side": "host", "names": ["Bash"]}, {"side": "own", "names": ["query"]}], "*"),
    ],
)
def test_one_pattern_that_catches_at_least_what_was_asked_for(matchers, glob):
    nodes = hooks.wire([hook_use("preToolUse", "PreToolUse", matchers=tuple(matchers))], "/a.json")
    assert nodes[-1].value["matcher"] == glob


def test_a_payload_of_its_documents():
    raw = {"hook_event_name": "preToolUse", "cwd": "/p", "tool_name": "@postgres/query", "tool_input": {"sql": "x"}}
    event = hooks.parse("preToolUse", raw, ["acme-db"])
    assert (event.name, event.server, event.tool_name) == ("PreToolUse", "postgres", "query")
    assert (event.session_id, event.cwd, event.tool_input) == (None, "/p", {"sql": "x"})
    assert hooks.parse("agentSpawn", {"cwd": "/p"}, []).name == "SessionStart"


def test_replies():
    def said(name, decision):
        reply = hooks.reply(Event(name, "amazon-q", hooks.EVENTS[name], {}), decision)
        return (reply.output, reply.exit_code, reply.stderr)

    assert said("PreToolUse", light.deny("no")) == (None, 2, "no")
    assert said("SessionStart", light.context("text")) == ("text", 0, "")
    assert said("UserPromptSubmit", light.deny("no")) == (None, 0, ""), "only a tool can be refused"
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(q_hooks.RENDERERS)


def test_a_remote_entry_has_its_type():
    assert register.entry(server_use(transport="http", bearer="T")) == {
        "type": "http",
        "url": "https://mcp.acme.example/mcp",
        "headers": {"Authorization": "Bearer ${env:T}"},
    }
    assert isinstance(register.entry(server_use(transport="sse")), Refusal)
    told = register.entry(server_use(command="/l", args=("${env:A}",), timeout=1))
    assert told == {"command": "/l", "args": ["${env:A}"], "env": {"A": "${env:A}"}, "timeout": 1000}


def test_a_subagent_is_an_agent_file():
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You.", (Tool("acme-db", "q"), Tool(None, "Bash"))), "/a")
    assert file.file == "/a/dba.json"
    assert json.loads(file.text)["tools"] == ["@acme-db/q", "execute_bash"]


def test_memory_is_a_projects_alone():
    assert content.memory("project", machine()) == "/code/app/AmazonQ.md"
    assert isinstance(content.memory("user", machine()), Refusal)


def test_its_successor_is_named():
    assert "kiro" in query.facts("amazon-q").REPLACED_BY
