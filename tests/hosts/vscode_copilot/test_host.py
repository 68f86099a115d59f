"""Copilot in VS Code, by its documentation: the Local harness's files, and hooks that Copilot's runtime loads too."""

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.model import Command, Subagent, Tool
from agent_connector.hosts import query
from agent_connector.hosts.claude_code import hooks as claude_code
from agent_connector.hosts.copilot_cli import content as cli
from agent_connector.hosts.copilot_cli import hooks as copilot_cli
from agent_connector.hosts.nodes import Default, Refusal
from agent_connector.hosts.vscode_copilot import content, hooks, places, register
from agent_connector.testing.host_samples import hook_use, machine, server_use

BASE = {
    "timestamp": "2026-11-30T12:00:00.000Z",
    "cwd": "/code/app",
    "sessionId": "s-1",
    "hookEventName": "PreToolUse",
    "transcript_path": "/t.json",
}
CALL = {**BASE, "tool_use_id": "c-1", "tool_input": {"filePath": "/a"}}

# ---- where it reads


@pytest.mark.parametrize(
    ("platform", "server", "hooks_file"),
    [
        ("linux", "/home/user/.config/Code/User/mcp.json", "/home/user/.copilot/hooks/agent-connector-vscode.json"),
        (
            "darwin",
            "/Users/user/Library/Application Support/Code/User/mcp.json",
            "/Users/user/.copilot/hooks/agent-connector-vscode.json",
        ),
        (
            "win32",
            r"C:\Users\user\AppData\Roaming\Code\User\mcp.json",
            r"C:\Users\user\.copilot\hooks\agent-connector-vscode.json",
        ),
    ],
)
def test_a_persons_files(platform, server, hooks_file):
    files = places.files("user", machine(platform))
    assert (files["server"], files["hooks"]) == (server, hooks_file)


def test_the_edition_that_is_there():
    insiders = "/home/user/.config/Code - Insiders/User"
    assert places.files("user", machine(exists={insiders}.__contains__))["server"] == f"{insiders}/mcp.json"


def test_a_projects_files():
    files = places.files("project", machine())
    assert files["server"] == "/code/app/.vscode/mcp.json"
    assert files["hooks"] == "/code/app/.github/hooks/agent-connector-vscode.json"
    assert files["commands"] == "/code/app/.github/prompts"


def test_a_terminal_of_it_proves_nothing():
    assert not places.running({"TERM_PROGRAM": "vscode", "VSCODE_PID": "7"})


# ---- servers and content


def test_servers():
    use = server_use(command="/l", args=("${env:A}",), env={"T": "${env:T}"}, cwd="/w")
    assert register.entry(use) == {
        "type": "stdio",
        "command": "/l",
        "args": ["${env:A}"],
        "env": {"T": "${env:T}"},
        "cwd": "/w",
    }
    assert register.entry(server_use(transport="http", bearer="T")) == {
        "type": "http",
        "url": "https://mcp.acme.example/mcp",
        "headers": {"Authorization": "Bearer ${env:T}"},
    }
    assert isinstance(register.entry(server_use(args=("${workspaceFolder}",))), Refusal)
    assert "no default" in register.entry(server_use(args=("${env:A:-x}",))).reason
    assert len(register.lost(server_use(timeout=1, exclude_tools=("a",)))) == 2


def test_a_prompt_file():
    [file] = content.command(Command("db/migrate", "Plan: $ARGUMENTS", "Plan a migration"), "/p")
    assert file.file == "/p/db-migrate.prompt.md"
    assert file.text.endswith("Plan: (the text that the person wrote after the command)\n")


def test_an_agent_has_the_bytes_of_copilot_clis():
    subagent = Subagent("dba", "Reviews SQL", "You.", (Tool("acme-db", "q"),))
    [one], [other] = content.subagent(subagent, "/a"), cli.subagent(subagent, "/a")
    assert (one.file, one.text) == (other.file, other.text)


def test_memory_goes_into_a_file_that_is_there():
    assert content.memory("project", machine()) == "/code/app/AGENTS.md"
    only = "/code/app/.github/copilot-instructions.md"
    assert content.memory("project", machine(exists={only}.__contains__)) == only
    assert content.reads("project", machine()) == ["/code/app/AGENTS.md", only]
    assert content.reads("user", machine()) == []


# ---- hooks


def test_an_entry_without_a_matcher():
    version, node = hooks.wire([hook_use("PreToolUse", "PreToolUse", command="c")], "/h.json")
    assert isinstance(version, Default)
    assert node.path == ("hooks", "PreToolUse")
    assert node.value == {"type": "command", "command": "c", "timeout": 10}


@pytest.mark.parametrize(
    ("tool", "server", "name"),
    [
        ("run_in_terminal", None, "Bash"),
        ("replace_string_in_file", None, "Edit"),
        ("mcp_acme-db_query", "acme-db", "query"),
        ("mcp_a-long-server_query", "A-long-server-name", "query"),
        ("mcp_github_list_issues", "github", "list_issues"),
        ("acme-db-query", "acme-db", "query"),  # in Copilot's runtime
    ],
)
def test_names_of_tools(tool, server, name):
    event = hooks.parse("PreToolUse", {**CALL, "tool_name": tool}, ["acme-db", "A-long-server-name"])
    assert (event.server, event.tool_name, event.host_tool_name) == (server, name, tool)
    assert (event.session_id, event.call_id) == ("s-1", "c-1")


def test_a_name_in_small_letters_comes_back():
    event = hooks.parse("PreToolUse", {**CALL, "tool_name": "mcp_acme-db_runquery"}, ["acme-db"])
    hooks.restore(event, [{"side": "own", "names": ["runQuery"]}], "acme-db")
    assert event.tool_name == "runQuery"


def test_results_in_both_spellings():
    assert hooks.parse("PostToolUse", {**CALL, "tool_response": "a"}, []).tool_output == "a"
    assert hooks.parse("PostToolUse", {"session_id": "s", "tool_result": "b"}, []).tool_output == "b"


def test_replies():
    def said(name, decision):
        return hooks.reply(Event(name, "vscode-copilot", name, {}), decision).output

    assert said("PreToolUse", light.ask("no"))["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert said("PreToolUse", light.modify({"a": 1}))["hookSpecificOutput"]["updatedInput"] == {"a": 1}
    assert said("UserPromptSubmit", light.deny("no")) == {"continue": False, "stopReason": "no"}
    assert said("Stop", light.deny("no")) == {
        "decision": "block",
        "reason": "no",
        "hookSpecificOutput": {"hookEventName": "Stop", "decision": "block", "reason": "no"},
    }
    assert said("SubagentStop", light.deny("no")) == {"decision": "block", "reason": "no"}
    assert said("UserPromptSubmit", light.context("t")) is None
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)


def test_of_several_entries_for_one_event_the_hosts_own_answers():
    """The Local harness loads Claude Code's and Copilot CLI's files; Copilot's runtime loads this host's."""
    payload = {**CALL, "tool_name": "run_in_terminal"}
    assert claude_code.loaded_by(payload, {}) == "vscode-copilot"
    assert copilot_cli.loaded_by(payload, {}) == "vscode-copilot"
    assert hooks.loaded_by(payload, {}) is None
    assert hooks.loaded_by({"session_id": "s"}, {"COPILOT_PROJECT_DIR": "/p"}) == "copilot-cli"
    assert copilot_cli.loaded_by({"sessionId": "s", "toolName": "bash"}, {}) is None
    assert "vscode-copilot" in query.facts("copilot-cli").LOADS_HOOKS_OF
