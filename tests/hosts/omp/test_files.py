"""Where Oh My Pi reads, how a server is told to it, and how it runs without a person."""

import pytest

from agent_connector.connector.model import Subagent, Tool
from agent_connector.drive.events import Called, Finished, Job, Returned, Spent, Started
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.omp import content, headless, places, register
from agent_connector.testing.hosts import LAUNCHER, server_use

HOME = "/home/user/.omp/agent"


def machine(*present: str, **variables: str) -> Machine:
    return Machine("/home/user", "linux", variables, "/app", set(present).__contains__, lambda program: None)


@pytest.mark.parametrize(
    ("variables", "home"),
    [
        ({}, HOME),
        ({"PI_CODING_AGENT_DIR": "/x"}, "/x"),
        ({"PI_CONFIG_DIR": ".my-omp"}, "/home/user/.my-omp/agent"),
        ({"OMP_PROFILE": "work", "PI_CODING_AGENT_DIR": "/x"}, "/home/user/.omp/profiles/work/agent"),
    ],
)
def test_the_person_s_folder(variables, home):
    files = places.files("user", machine(**variables))
    assert (files["server"], files["hooks"]) == (f"{home}/mcp.json", f"{home}/extensions")


def test_a_project_s_files_and_what_proves_it():
    files = places.files("project", machine())
    assert (files["server"], files["memory"]) == ("/app/.omp/mcp.json", "/app/AGENTS.md")
    assert content.memory("user", machine()) == f"{HOME}/AGENTS.md"
    assert "/home/user/.claude/CLAUDE.md" in content.reads("user", machine())
    assert places.installed(machine("/home/user/.omp"))["confidence"] == 0.6


def test_servers():
    use = server_use(args=("serve", "${env:ACME_URL}"), env={"TOKEN": "${env:TOKEN:-none}"}, cwd="/srv", timeout=30)
    assert register.entry(use) == {
        "command": LAUNCHER,
        "args": ["serve", "${ACME_URL}"],
        "env": {"TOKEN": "${TOKEN:-none}"},
        "cwd": "/srv",
        "timeout": 30000,
    }
    remote = register.entry(server_use(transport="http", bearer="ACME_TOKEN", enabled=False))
    assert (remote["type"], remote["enabled"]) == ("http", False)
    assert remote["headers"] == {"Authorization": "Bearer ${ACME_TOKEN}"}
    assert register.entry(server_use(transport="sse"))["type"] == "sse"
    assert "which tools are offered" in register.lost(server_use(include_tools=("a",)))[0]


@pytest.mark.parametrize("fields", [{"transport": "ws"}, {"env": {"A": "!rm -r /"}}, {"args": ("${HOME}",)}])
def test_what_cannot_be_said_is_refused(fields):
    assert isinstance(register.entry(server_use(**fields)), Refusal)


def test_a_subagent_lists_what_it_may_use():
    allow = (Tool("acme-db", "list-tables"), Tool(None, "Read"), Tool(None, "Bash"))
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You.", allow=allow, deny=(Tool(None, "Bash"),)), "/a")
    assert "tools: [mcp__acme_db_list_tables, read]\n" in file.text
    [refused] = content.subagent(Subagent("dba", "Reviews SQL", "You.", deny=(Tool(None, "Bash"),)), "/a")
    assert "not which it may not" in refused.reason


def test_a_run():
    job = Job("say hi", "/p", endpoint="http://127.0.0.1:9", approvals="all", resume="s1")
    assert headless.argv(job) == [
        *("omp", "--mode", "json", "--auto-approve", "--model", "stand-in/stand-in", "--resume", "s1"),
        *("-p", "say hi"),
    ]
    assert headless.routed("acme-db", "query", {"a": 1}) == (
        "write",
        {"path": "xd://mcp__acme_db_query", "content": '{"a": 1}'},
        "xd://mcp__acme_db_query",
    )


def test_a_recorded_run(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert isinstance(events[0], Started) and events[-1] == Finished(True)
    [call] = [event for event in events if isinstance(event, Called) and event.tool == "write"]
    assert call.arguments["path"] == "xd://mcp__labmcp_echo"
    assert Returned("call_lab21", "LAB-ECHO:CHANGED") in events
    spent = [event.usage for event in events if isinstance(event, Spent)]
    assert [usage.output for usage in spent] == [71, 72, 73] and {usage.reasoning for usage in spent} == {7}
