"""Where Copilot CLI reads on three systems, and how it is recognised."""

import pytest

from agent_connector.hosts.copilot_cli import places
from agent_connector.telemetry.origin import host_of_client, marked_host
from agent_connector.testing.hosts import machine


@pytest.mark.parametrize(
    ("platform", "variables", "home"),
    [
        ("linux", {}, "/home/user/.copilot"),
        ("darwin", {}, "/Users/user/.copilot"),
        ("win32", {}, r"C:\Users\user\.copilot"),
        ("linux", {"COPILOT_HOME": "/x"}, "/x"),
    ],
)
def test_a_persons_files(platform, variables, home):
    there = machine(platform, variables=variables)
    files = places.files("user", there)
    assert files["server"] == there.join(home, "mcp-config.json")
    assert files["hooks"] == there.join(home, "hooks", "agent-connector.json")
    assert files["memory"] == there.join(home, "copilot-instructions.md")
    assert files["statusline"] == files["config_patch"] == there.join(home, "settings.json")
    assert files["skills"] == there.join(there.home, ".agents", "skills")
    assert files["commands"] == there.join(home, "skills")


def test_a_projects_files():
    files = places.files("project", machine(variables={"COPILOT_HOME": "/x"}))
    assert files["server"] == "/code/app/.mcp.json"
    assert files["hooks"] == "/code/app/.github/hooks/agent-connector.json"
    assert (files["subagents"], files["memory"]) == ("/code/app/.github/agents", "/code/app/AGENTS.md")
    assert files["config_patch"] == "/code/app/.github/copilot/settings.json"
    assert "statusline" not in files
    assert places.files("managed", machine()) == {}


def test_the_program_is_better_evidence_than_a_folder():
    assert places.installed(machine()) is None
    folder = places.installed(machine(exists={"/home/user/.copilot"}.__contains__))
    program = places.installed(machine(which={"copilot": "/usr/bin/copilot"}.get))
    assert folder["confidence"] < 0.6 < program["confidence"]


def test_a_recorded_environment_is_recognised(environment):
    assert places.running(environment)
    assert marked_host(environment) == "copilot-cli"


@pytest.mark.parametrize(
    ("variables", "runs"),
    [
        ({"COPILOT_AGENT_SESSION_ID": "s", "GIT_CONFIG_COUNT": "1"}, True),  # as servers see it
        ({"CLAUDE_PROJECT_DIR": "/p"}, False),
        ({"COPILOT_MODEL": "m", "COPILOT_HOME": "/x"}, False),  # a person's shell
    ],
)
def test_running(variables, runs):
    assert places.running(variables) is runs


def test_its_client():
    assert host_of_client("copilot-cli") == "copilot-cli"
