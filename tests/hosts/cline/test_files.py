"""Cline: where it reads, its entry for a server, its files of content, and its runs without a person."""

from inline_snapshot import snapshot

from agent_connector.drive.events import Called, Finished, Job, Returned, Usage
from agent_connector.hosts.cline import content, headless, places, register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import COMMAND, SUBAGENT
from agent_connector.testing.hosts import machine, server_use


def test_where_it_reads():
    assert dict(places.files("user", machine())) == snapshot(
        {
            "home": "/home/user/.cline",
            "server": "/home/user/.cline/data/settings/cline_mcp_settings.json",
            "hooks": "/home/user/Documents/Cline/Hooks",
            "native_hooks": "/home/user/Documents/Cline/Hooks",
            "commands": "/home/user/Documents/Cline/Workflows",
            "skills": "/home/user/.agents/skills",
            "subagents": "/home/user/.cline/agents",
            "memory": "/home/user/.agents/AGENTS.md",
        }
    )
    assert "server" not in places.files("project", machine())
    assert places.files("project", machine())["hooks"] == "/code/app/.clinerules/hooks"


def test_a_single_file_of_rules_leaves_no_room_for_a_folder():
    there = {"/code/app/.clinerules"}
    assert places.files("project", machine(exists=there.__contains__))["hooks"] == "/code/app/.cline/hooks"
    there.add("/code/app/.clinerules/.")
    assert places.files("project", machine(exists=there.__contains__))["hooks"] == "/code/app/.clinerules/hooks"


def test_variables_move_its_files():
    moved = machine(variables={"CLINE_DATA_DIR": "/data"})
    assert places.files("user", moved)["server"] == "/data/settings/cline_mcp_settings.json"
    german = machine(variables={"XDG_DOCUMENTS_DIR": "/home/user/Dokumente"})
    assert places.files("user", german)["hooks"] == "/home/user/Dokumente/Cline/Hooks"
    assert places.running({"CLINE_CONNECTOR_CLI_LAUNCH": "1"}) and not places.running({"CLINE_ACTIVE": "true"})


def test_entries():
    told = register.entry(server_use(env={"A": "${env:A}", "B": "b"}, timeout=5000, enabled=False, cwd="/x"))
    assert {**told, "command": "", "args": []} == snapshot(
        {"command": "", "args": [], "env": {"B": "b"}, "cwd": "/x", "disabled": True, "timeout": 3600}
    )
    assert register.entry(server_use(transport="http"))["type"] == "streamableHttp"
    assert isinstance(register.entry(server_use(transport="http", headers={"X": "${env:A}"})), Refusal)


def test_content():
    [workflow] = content.command(COMMAND, "/there")
    assert workflow.file == "/there/migrate.md" and workflow.text.startswith("Plan the migration: (the text")
    [agent] = content.subagent(SUBAGENT, "/there")
    assert agent.file == "/there/dba.yaml"
    assert agent.text == snapshot(
        """\
---
name: dba
description: Reviews SQL
tools: [acme-db__acme_query, read_files]
---

You review SQL.
"""
    )


def test_a_recorded_run(stream):
    """Four answers of the stand-in: 4174 tokens of input, 2800 of them cached."""
    events = [event for line in stream for event in headless.read(line)]
    assert Called("call_lab42", "labmcp__echo", {"text": "hi"}, "labmcp", "echo") in events
    [returned] = [event for event in events if isinstance(event, Returned)]
    assert returned.output == {"content": [{"type": "text", "text": "LAB-ECHO:hi"}]} and not returned.failed
    usage = Usage(input=1374, cache_read=2800, output=374)
    assert events[-1] == Finished(True, "completed", "FAKE-FINAL", usage=usage, turns=4)


def test_a_run_that_a_hook_aborted(golden):
    lines = (golden / "stream-blocked.jsonl").read_text().splitlines()
    events = [event for line in lines for event in headless.read(line)]
    assert (events[-1].ok, events[-1].reason) == (False, "aborted")


def test_its_command_line():
    assert headless.argv(Job("hi", "/p")) == ["cline", "--json", "--auto-approve", "false", "hi"]
    job = Job("hi", "/p", endpoint="http://127.0.0.1:9", approvals="all", model="m", resume="s")
    assert headless.argv(job)[2:] == [
        *("--auto-approve", "true", "--provider", "openai-compatible", "--model", "m", "--id", "s", "hi")
    ]
