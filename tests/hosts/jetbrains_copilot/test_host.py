"""Copilot in JetBrains IDEs: servers and content, no hooks (documented); its servers' file is uncertain."""

import pytest

from agent_connector.hosts import query
from agent_connector.hosts.jetbrains_copilot import content, places, register
from agent_connector.testing.host_samples import machine, server_use


@pytest.mark.parametrize(
    ("platform", "home"),
    [
        ("linux", "/home/user/.config/github-copilot/intellij/"),
        ("darwin", "/Users/user/.config/github-copilot/intellij/"),
        ("win32", "C:\\Users\\user\\AppData\\Local\\github-copilot\\intellij\\"),
    ],
)
def test_a_persons_files(platform, home):
    files = places.files("user", machine(platform))
    assert files["server"] == home + "mcp.json"
    assert content.memory("user", machine(platform)) == home + "global-copilot-instructions.md"


def test_the_folder_of_every_copilot_proves_nothing():
    assert places.installed(machine(exists={"/home/user/.config/github-copilot"}.__contains__)) is None


def test_headers_stand_where_older_builds_look():
    told = register.entry(server_use(transport="http", headers={"X": "1"}))
    assert told == {"url": "https://mcp.acme.example/mcp", "requestInit": {"headers": {"X": "1"}}}
    assert register.entry(server_use(command="/l", args=("a",))) == {"command": "/l", "args": ["a"]}


def test_hooks_are_named_as_what_it_lacks_with_what_to_do():
    said = query.surface_support("jetbrains-copilot", "hooks")
    assert (said.support, said.sure) == ("skip-warn", "documented")
    assert "copilot-cli" in said.how
    assert query.hooks("jetbrains-copilot") is None


def test_memory_prefers_the_file_that_every_version_reads():
    both = {"/code/app/AGENTS.md", "/code/app/.github/copilot-instructions.md"}
    assert content.memory("project", machine(exists=both.__contains__)) == "/code/app/.github/copilot-instructions.md"
    assert content.memory("project", machine()) == "/code/app/AGENTS.md"
