"""Kiro, by its documentation and what others measured: its files, hooks answered by exit codes, actions by hand."""

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.model import Action, Command, Handler, Subagent, Tool
from agent_connector.drive.events import Job
from agent_connector.hosts import query
from agent_connector.hosts.kiro import actions, content, headless, hooks, places, register
from agent_connector.hosts.nodes import Default, Refusal
from agent_connector.testing.host_samples import MARKS, hook_use, machine, server_use

BASE = {"session_id": "s-1", "hook_event_name": "PreToolUse", "cwd": "/code/app"}


@pytest.mark.parametrize(
    ("platform", "hooks_file", "editor"),
    [
        ("linux", "/home/user/.kiro/hooks/agent-connector.json", "/home/user/.config/Kiro/User"),
        (
            "darwin",
            "/Users/user/.kiro/hooks/agent-connector.json",
            "/Users/user/Library/Application Support/Kiro/User",
        ),
        (
            "win32",
            r"C:\Users\user\.kiro\hooks\agent-connector.json",
            r"C:\Users\user\AppData\Roaming\Kiro\User",
        ),
    ],
)
def test_a_persons_files_and_the_editor(platform, hooks_file, editor):
    files = places.files("user", machine(platform))
    assert files["hooks"] == files["actions"] == hooks_file
    assert places.installed(machine(platform, exists={editor}.__contains__))["found"] == [editor]


def test_a_moved_home():
    assert places.files("user", machine(variables={"KIRO_HOME": "/k"}))["server"] == "/k/settings/mcp.json"


def test_an_entry_of_a_hook():
    version, node = hooks.wire([hook_use("PreToolUse", "PreToolUse", command="c", timeout=2.1)], "/h.json")
    assert isinstance(version, Default)
    assert (version.path, version.value) == (("version",), "v1")
    assert (node.path, node.marks) == (("hooks",), MARKS)
    assert node.value == {
        "name": "acme-db PreToolUse",
        "trigger": "PreToolUse",
        "matcher": ".*",
        "action": {"type": "command", "command": "c"},
        "timeout": 3,
    }
    _, stop = hooks.wire([hook_use("Stop", "Stop")], "/h.json")
    assert "matcher" not in stop.value


def test_an_action_is_a_hook_that_a_person_starts():
    action = Action("reindex", "Rebuild the index", None, None, None, None, Handler(0, "reindex", False, 1))
    _, node = actions.wire(action, "/h.json", "c", (*MARKS, " reindex "))
    assert (node.path, node.value) == (
        ("hooks",),
        {"name": "Rebuild the index", "trigger": "Manual", "action": {"type": "command", "command": "c"}},
    )


@pytest.mark.parametrize(
    ("tool", "server", "name"),
    [
        ("@acme-db/query", "acme-db", "query"),
        ("mcp_acme-db_query", "acme-db", "query"),
        ("execute_bash", None, "Bash"),
        ("fs_write", None, "Write"),
        ("use_aws", None, "use_aws"),
    ],
)
def test_names_of_tools(tool, server, name):
    event = hooks.parse("PreToolUse", {**BASE, "tool_name": tool, "tool_input": {"a": 1}}, ["acme-db"])
    assert (event.server, event.tool_name, event.host_tool_name) == (server, name, tool)
    assert (event.session_id, event.cwd, event.tool_input) == ("s-1", "/code/app", {"a": 1})


@pytest.mark.parametrize(
    ("event", "decision", "said"),
    [
        ("PreToolUse", light.deny("no"), (None, 2, "no")),
        ("PreToolUse", light.ask("no"), (None, 2, "no")),
        ("UserPromptSubmit", light.deny("no"), (None, 2, "no")),
        ("UserPromptSubmit", light.context("text"), ("text", 0, "")),
        ("SessionStart", light.context("text"), ("text", 0, "")),
        ("PreToolUse", light.allow(), (None, 0, "")),
        ("PostToolUse", light.context("text"), (None, 0, "")),
        ("Stop", light.deny("no"), (None, 0, "")),
    ],
)
def test_replies_are_never_json(event, decision, said):
    reply = hooks.reply(Event(event, "kiro", event, {}), decision)
    assert (reply.output, reply.exit_code, reply.stderr) == said


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind) for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, row in rows.items() if row[0] != "dropped"} == set(hooks.RENDERERS)
    assert "proven" not in {row[1] for row in rows.values()}


def test_a_reference_stands_in_env_and_nowhere_else():
    use = server_use(command="/l", args=("serve", "${env:DSN}"), env={"T": "${env:T}"}, timeout=5, enabled=False)
    assert register.entry(use) == {
        "command": "/l",
        "args": ["serve", "${env:DSN}"],
        "env": {"DSN": "${DSN}", "T": "${T}"},
        "disabled": True,
        "timeout": 5000,
    }
    assert register.entry(server_use(transport="http", bearer="T"))["headers"] == {"Authorization": "Bearer ${T}"}
    assert isinstance(register.entry(server_use(transport="http", url="https://x/${env:A}")), Refusal)
    assert "no default" in register.entry(server_use(transport="http", headers={"A": "${env:A:-x}"})).reason


def test_content():
    [prompt] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan"), "/p")
    assert prompt.text == "Plan: (the text that the person wrote after the command)\n"
    [agent] = content.subagent(Subagent("dba", "R", "You.", (Tool("acme-db", "*"), Tool(None, "Read"))), "/a")
    assert 'tools: ["@acme-db", fs_read]\nincludeMcpJson: true\n' in agent.text
    [free] = content.subagent(Subagent("dba", "R", "You."), "/a")
    assert 'tools: ["*"]\n' in free.text
    assert content.memory("user", machine()) == "/home/user/.kiro/steering/agent-connector.md"
    assert content.memory("project", machine()) == "/code/app/AGENTS.md"


def test_a_headless_run_uses_the_engine_that_runs_our_hooks():
    job = Job("say hi", "/p", resume="s-1", approved_servers=("acme-db",))
    assert headless.argv(job) == [
        *("kiro-cli", "chat", "--no-interactive", "--v3", "--trust-tools=@acme-db"),
        *("--resume-id", "s-1", "--", "say hi"),
    ]
