"""Hermes Agent: where it reads, its entries, its actions, and its runs without a person."""

import pytest
from inline_snapshot import snapshot

from agent_connector.connector.model import Action, Handler
from agent_connector.documents.formats import FORMATS
from agent_connector.drive.events import Job
from agent_connector.hosts.hermes import actions, content, headless, places, register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import machine, server_use


def test_where_it_reads():
    assert dict(places.files("user", machine())) == snapshot(
        {
            "home": "/home/user/.hermes",
            "server": "/home/user/.hermes/config.yaml",
            "hooks": "/home/user/.hermes/config.yaml",
            "native_hooks": "/home/user/.hermes/config.yaml",
            "actions": "/home/user/.hermes/config.yaml",
            "config_patch": "/home/user/.hermes/config.yaml",
            "commands": "/home/user/.hermes/skills",
            "skills": "/home/user/.hermes/skills",
        }
    )
    assert places.files("user", machine("win32"))["home"] == r"C:\Users\user\AppData\Local\hermes"
    profile = machine(variables={"HERMES_HOME": "/home/user/.hermes/profiles/work"})
    assert places.files("user", profile)["server"] == "/home/user/.hermes/profiles/work/config.yaml"


def test_an_entry_names_every_variable_because_servers_inherit_none():
    told = register.entry(server_use(env={"A": "${env:A}"}, timeout=90, startup_timeout=5, include_tools=("q",)))
    assert {**told, "command": "", "args": []} == snapshot(
        {
            "command": "",
            "args": [],
            "env": {"A": "${A}"},
            "timeout": 90,
            "connect_timeout": 5,
            "tools": {"include": ["q"]},
        }
    )
    assert register.entry(server_use(enabled=False))["enabled"] is False
    assert register.entry(server_use(transport="sse", bearer="T")) == {
        "url": "https://mcp.acme.example/mcp",
        "headers": {"Authorization": "Bearer ${T}"},
        "transport": "sse",
    }
    assert isinstance(register.entry(server_use(args=("${env:A:-b}",))), Refusal)


def test_an_action_is_a_quick_command():
    [node] = actions.wire(
        Action("sync", "Sync", None, None, None, None, Handler(0, "sync", False, 1)),
        "/there",
        "run sync",
        ("--connector acme",),
    )
    assert FORMATS["yaml"].put("", node.path, node.value) == snapshot(
        """\
quick_commands:
  acme-sync:
    type: exec
    command: run sync
"""
    )


@pytest.mark.parametrize(
    ("there", "target"),
    [
        ((), "AGENTS.md"),
        (("AGENTS.md", "CLAUDE.md"), "AGENTS.md"),
        (("CLAUDE.md",), "CLAUDE.md"),
        (("AGENTS.md", "HERMES.md"), "HERMES.md"),
    ],
)
def test_memory_goes_into_the_file_that_is_read(there, target):
    files = {f"/code/app/{name}" for name in there}
    assert content.memory("project", machine(exists=files.__contains__)) == f"/code/app/{target}"
    assert isinstance(content.memory("user", machine()), Refusal)


def test_a_run_without_a_person():
    job = Job("-x?", "/p", trust=True, resume="s", model="m")
    assert headless.argv(job) == ["hermes", "--model", "m", "--resume", "s", "--oneshot=-x?"]
    assert headless.environment(job) == {"HERMES_ACCEPT_HOOKS": "1"}
    assert headless.environment(Job("x", "/p")) == {}
