"""Where the Antigravity app reads, how it is told from its CLI and from Gemini CLI, and what is written (documented)."""

import pytest

from agent_connector.connector.model import Command
from agent_connector.hosts.antigravity import content, places, register
from agent_connector.hosts.antigravity_cli import places as cli
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import machine, server_use


def test_both_read_the_same_files():
    for scope in ("user", "project"):
        app, other = places.files(scope, machine()), cli.files(scope, machine())
        same = ("server", "hooks", "skills", "subagents", "memory")
        assert {name: app[name] for name in same} == {name: other[name] for name in same}
    assert places.files("user", machine("win32"))["hooks"] == r"C:\Users\user\.gemini\config\hooks.json"
    assert places.files("project", machine())["server"] == "/code/app/.agents/mcp_config.json"


@pytest.mark.parametrize(
    ("there", "app", "agy"),
    [
        ({"/home/user/.gemini", "/home/user/.gemini/config"}, False, False),
        ({"/home/user/.gemini/antigravity"}, True, False),
        ({"/home/user/.gemini/antigravity-cli"}, False, True),
        ({"/home/user/.local/bin/agy"}, False, True),
    ],
)
def test_which_of_them_is_there(there, app, agy):
    seen = machine(exists=there.__contains__)
    assert (places.installed(seen) is not None, cli.installed(seen) is not None) == (app, agy)


def test_servers():
    use = server_use(
        command="/l", args=("a",), env={"A": "${env:A}"}, cwd="/w", enabled=False, exclude_tools=("danger",)
    )
    assert register.entry(use) == {
        "command": "/l",
        "args": ["a"],
        "cwd": "/w",
        "disabled": True,
        "disabledTools": ["danger"],
    }
    assert register.entry(server_use(transport="http")) == {"serverUrl": "https://mcp.acme.example/mcp"}
    assert isinstance(register.entry(server_use(transport="http", bearer="T")), Refusal)
    assert "exclude_tools" in register.lost(server_use(include_tools=("a",)))[0]


def test_a_workflow_has_a_bound():
    [file] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan a migration"), "/w")
    assert file.text.startswith("---\ndescription: Plan a migration\n---\n\nPlan: (the text")
    [refused] = content.command(Command("long", "x" * 12_001, ""), "/w")
    assert isinstance(refused, Refusal)
    assert "12,000" in refused.reason
