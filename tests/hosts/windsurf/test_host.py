"""Windsurf's two agents, by their documentation: Devin Local, and Cascade where Devin is not there."""

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.model import Command, Subagent, Tool
from agent_connector.hosts import query
from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.windsurf import content, hooks, places, register
from agent_connector.testing.host_samples import hook_use, machine, server_use

CASCADE = "/home/user/.codeium/windsurf"
DEVIN = "/home/user/.config/devin"
BASE = {"trajectory_id": "t-1", "execution_id": "e-1", "timestamp": "2026-11-30T12:00:00Z", "model_name": "swe"}


def cascade(kind, **about):
    return {**BASE, "agent_action_name": kind, "tool_info": about}


# ---- where it reads


@pytest.mark.parametrize(
    ("there", "file"),
    [
        (set(), f"{DEVIN}/config.json"),
        ({DEVIN}, f"{DEVIN}/config.json"),
        ({DEVIN, CASCADE}, f"{DEVIN}/config.json"),
        ({CASCADE}, f"{CASCADE}/hooks.json"),
    ],
)
def test_the_agent_that_is_there(there, file):
    assert places.files("user", machine(exists=there.__contains__))["hooks"] == file


def test_a_projects_files():
    devin = places.files("project", machine())
    assert (devin["server"], devin["hooks"]) == ("/code/app/.devin/mcp_config.json", "/code/app/.devin/hooks.v1.json")
    old = places.files("project", machine(exists={CASCADE}.__contains__))
    assert old["hooks"] == "/code/app/.windsurf/hooks.json"
    assert "server" not in old
    assert places.files("user", machine("win32"))["server"] == r"C:\Users\user\AppData\Roaming\devin\mcp_config.json"
    with_program = machine(exists={CASCADE}.__contains__, which={"devin": "/usr/bin/devin"}.get)
    assert places.files("project", with_program)["hooks"] == "/code/app/.devin/hooks.v1.json"


# ---- what is registered


def test_devins_events_stand_at_the_top_of_a_projects_file():
    shell = {"side": "host", "names": ["Bash"]}
    use = hook_use("PreToolUse", "PreToolUse", command="c", matchers=(shell,))
    [project], [person] = hooks.wire([use], "/p/.devin/hooks.v1.json"), hooks.wire([use], f"{DEVIN}/config.json")
    assert (project.path, person.path) == (("PreToolUse",), ("hooks", "PreToolUse"))
    assert project.value == {
        "matcher": "^(?:exec|Bash)$",
        "hooks": [{"type": "command", "command": "c", "timeout": 10}],
    }
    [every] = hooks.wire([hook_use("PreToolUse", "PreToolUse")], "/p/.devin/hooks.v1.json")
    assert every.value["matcher"] == ".*", "`*` is no regex"


@pytest.mark.parametrize(
    ("matchers", "events"),
    [
        ([{"side": "any"}], ["pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use"]),
        ([{"side": "own", "names": ["query"]}], ["pre_mcp_tool_use"]),
        ([{"side": "host", "names": ["Bash", "Edit"]}], ["pre_write_code", "pre_run_command"]),
        ([{"side": "host", "names": ["Fetch"]}], []),
    ],
)
def test_cascade_has_an_event_for_each_kind_of_tool(matchers, events):
    use = hook_use("PreToolUse", "PreToolUse", command="c", matchers=tuple(matchers))
    nodes = hooks.wire([use], f"{CASCADE}/hooks.json")
    assert [node.path for node in nodes] == [("hooks", event) for event in events]
    assert all(node.value == {"command": "c", "show_output": False} for node in nodes)


def test_what_cascade_has_no_event_for_is_left_out():
    uses = [hook_use(hooks.EVENTS[name], name) for name in ("SessionStart", "UserPromptSubmit", "Stop")]
    nodes = hooks.wire(uses, f"{CASCADE}/hooks.json")
    assert [node.path[1] for node in nodes] == ["pre_user_prompt", "post_cascade_response"]
    [windows] = hooks.wire([hook_use("Stop", "Stop", command="cmd /d /c x")], r"C:\w\hooks.json")
    assert windows.value == {"powershell": "cmd /d /c 'x'", "show_output": False}


# ---- what comes in


def test_calls_in_devin():
    raw = {"session_id": "s-1", "hook_event_name": "PreToolUse", "tool_name": "exec", "tool_input": {"command": "ls"}}
    event = hooks.parse("PreToolUse", raw, ["acme-db"])
    assert (event.tool_name, event.server, event.session_id) == ("Bash", None, "s-1")
    own = hooks.parse("PreToolUse", {**raw, "tool_name": "mcp__acme-db__query"}, ["acme-db"])
    assert (own.server, own.tool_name) == ("acme-db", "query")
    assert hooks.parse("PostCompaction", {"session_id": "s-1"}, []).name == "PostCompact"


def test_calls_in_cascade():
    shell = hooks.parse("PreToolUse", cascade("pre_run_command", command_line="ls", cwd="/code/app"), [])
    assert (shell.name, shell.tool_name, shell.cwd, shell.session_id) == ("PreToolUse", "Bash", "/code/app", "t-1")
    own = hooks.parse(
        "PostToolUse",
        cascade(
            "post_mcp_tool_use",
            mcp_server_name="acme-db",
            mcp_tool_name="query",
            mcp_tool_arguments={"sql": "x"},
            mcp_result="3 rows",
        ),
        ["acme-db"],
    )
    assert (own.name, own.server, own.tool_name) == ("PostToolUse", "acme-db", "query")
    assert (own.tool_input, own.tool_output) == ({"sql": "x"}, "3 rows")
    edit = cascade("pre_write_code", file_path="/a", edits=[{"old_string": "a", "new_string": "b"}])
    new = cascade("pre_write_code", file_path="/a", edits=[{"old_string": "", "new_string": "b"}])
    assert [hooks.parse("PreToolUse", raw, []).tool_name for raw in (edit, new)] == ["Edit", "Write"]
    assert hooks.parse("UserPromptSubmit", cascade("pre_user_prompt", user_prompt="hi"), []).prompt == "hi"
    assert hooks.parse("Stop", cascade("post_cascade_response", response="done"), []).last_message == "done"


# ---- what goes out


def test_devin_reads_json():
    def said(name, decision):
        return hooks.reply(Event(name, "windsurf", hooks.EVENTS[name], {}), decision).output

    assert said("PreToolUse", light.allow()) == {"decision": "approve"}
    assert said("PreToolUse", light.ask("no")) == {"decision": "block", "reason": "no"}
    assert said("PermissionRequest", light.ask("no")) is None
    assert said("Stop", light.deny("no")) == {"decision": "block", "reason": "no"}
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)


@pytest.mark.parametrize(
    ("kind", "decision", "said"),
    [
        ("pre_run_command", light.deny("no"), (None, 2, "no")),
        ("pre_user_prompt", light.ask("no"), (None, 2, "no")),
        ("pre_run_command", light.allow(), (None, 0, "")),
        ("post_run_command", light.context("t"), (None, 0, "")),
        ("post_cascade_response", light.deny("no"), (None, 0, "")),
    ],
)
def test_cascade_reads_an_exit_code_alone(kind, decision, said):
    reply = hooks.reply(hooks.parse("x", cascade(kind), []), decision)
    assert (reply.output, reply.exit_code, reply.stderr) == said


# ---- servers and content


def test_servers():
    told = register.entry(server_use(command="/l", args=("${env:A}",), enabled=False, exclude_tools=("x",)))
    assert told == {"command": "/l", "args": ["${env:A}"], "disabled": True, "disabledTools": ["x"]}
    assert register.entry(server_use(transport="sse")) == {"url": "https://mcp.acme.example/mcp"}
    assert isinstance(register.entry(server_use(args=("${file:/x}",))), Refusal)


def test_a_command_is_a_skill_or_a_workflow():
    made = Command("db/migrate", "Plan: $ARGUMENTS", "Plan a migration")
    [skill] = content.command(made, f"{DEVIN}/skills")
    assert skill.file == f"{DEVIN}/skills/db-migrate/SKILL.md"
    [workflow] = content.command(Command("migrate", "Plan", ""), f"{CASCADE}/global_workflows")
    assert workflow.file == f"{CASCADE}/global_workflows/migrate.md"


def test_a_subagent_and_memory():
    [file] = content.subagent(Subagent("dba", "R", "You.", (Tool("acme-db", "q"), Tool(None, "Bash"))), "/a")
    assert file.file == "/a/dba/AGENT.md"
    assert "allowed-tools: [mcp__acme-db__q, exec]\n" in file.text
    assert content.memory("user", machine()) == f"{DEVIN}/AGENTS.md"
    old = machine(exists={CASCADE}.__contains__)
    assert content.memory("user", old) == f"{CASCADE}/memories/global_rules.md"


def test_its_new_name_is_told():
    assert "Devin" in query.facts("windsurf").REPLACED_BY
