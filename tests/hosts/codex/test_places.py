"""Where Codex reads on three systems, and how it is told from others."""

import pytest

from agent_connector.hosts.codex import places
from agent_connector.testing.host_samples import machine

# Linux was seen on the real program; the others are documented.
USER = {
    "linux": ("/home/user/.codex/config.toml", "/home/user/.codex/hooks.json", "/home/user/.agents/skills"),
    "darwin": ("/Users/user/.codex/config.toml", "/Users/user/.codex/hooks.json", "/Users/user/.agents/skills"),
    "win32": (
        r"C:\Users\user\.codex\config.toml",
        r"C:\Users\user\.codex\hooks.json",
        r"C:\Users\user\.agents\skills",
    ),
}


@pytest.mark.parametrize("platform", USER)
def test_a_persons_files(platform):
    files = places.files("user", machine(platform))
    assert (files["server"], files["hooks"], files["skills"]) == USER[platform]
    assert "statusline" not in files


def test_a_moved_home_leaves_the_shared_skills_where_they_are():
    files = places.files("user", machine(variables={"CODEX_HOME": "/opt/cx"}))
    assert (files["server"], files["hooks"]) == ("/opt/cx/config.toml", "/opt/cx/hooks.json")
    assert (files["commands"], files["subagents"]) == ("/opt/cx/skills", "/opt/cx/agents")
    assert files["memory"] == "/opt/cx/AGENTS.md"
    assert files["skills"] == "/home/user/.agents/skills"


def test_a_projects_files():
    files = places.files("project", machine())
    assert files["server"] == "/code/app/.codex/config.toml"
    assert files["hooks"] == "/code/app/.codex/hooks.json"
    assert files["skills"] == "/code/app/.agents/skills"
    assert files["commands"] == "/code/app/.codex/skills"  # stands in for commands, so other hosts shall not see it
    assert files["memory"] == "/code/app/AGENTS.md"


def test_evidence():
    assert places.installed(machine(which={"codex": "/usr/bin/codex"}.get))["confidence"] > 0.9
    assert places.installed(machine(exists={"/opt/cx"}.__contains__, variables={"CODEX_HOME": "/opt/cx"}))


def test_a_recorded_environment_is_recognised(environment):
    assert places.running(environment)


def test_its_shells_and_what_is_started_in_them():
    assert places.running({"CODEX_THREAD_ID": "t"})
    assert not places.running({"CODEX_THREAD_ID": "t", "CLAUDE_CODE_SESSION_ID": "s"})
    assert not places.running({"OPENAI_API_KEY": "k"})
