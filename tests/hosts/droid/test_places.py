"""Where Droid reads on three systems, and how it is recognised."""

import pytest

from agent_connector.hosts.droid import places
from agent_connector.telemetry.origin import host_of_client, marked_host
from agent_connector.testing.hosts import machine

HOMES = {"linux": "/home/user/.factory", "darwin": "/Users/user/.factory", "win32": r"C:\Users\user\.factory"}


@pytest.mark.parametrize("platform", HOMES)
def test_a_persons_files(platform):
    there, home = machine(platform), HOMES[platform]
    files = places.files("user", there)
    assert files["server"] == there.join(home, "mcp.json")
    assert files["subagents"] == there.join(home, "droids")
    assert files["memory"] == there.join(home, "AGENTS.md")
    assert files["statusline"] == files["config_patch"] == there.join(home, "settings.json")
    assert files["skills"] == there.join(there.home, ".agents", "skills")


def test_a_projects_files():
    files = places.files("project", machine())
    assert (files["server"], files["memory"]) == ("/code/app/.factory/mcp.json", "/code/app/AGENTS.md")
    assert files["skills"] == "/code/app/.agents/skills"
    assert places.files("managed", machine()) == {}


@pytest.mark.parametrize(
    ("there", "file"),
    [
        ((), "hooks.json"),
        (("settings.json",), "settings.json"),  # a new hooks.json would hide the hooks in it
        (("settings.json", "hooks.json"), "hooks.json"),
        (("hooks.json",), "hooks.json"),
    ],
)
@pytest.mark.parametrize(("scope", "top"), [("user", "/home/user/.factory"), ("project", "/code/app/.factory")])
def test_hooks_go_where_droid_reads_them(there, file, scope, top):
    full = machine(exists={f"{top}/{name}" for name in there}.__contains__)
    assert places.files(scope, full)["hooks"] == f"{top}/{file}"


def test_the_program_is_better_evidence_than_a_folder():
    assert places.installed(machine()) is None
    folder = places.installed(machine(exists={"/home/user/.factory"}.__contains__))
    program = places.installed(machine(which={"droid": "/usr/bin/droid"}.get))
    assert folder["confidence"] < program["confidence"]


def test_a_recorded_environment_is_recognised(environment):
    assert places.running(environment)
    assert marked_host(environment) == "droid"
    assert not places.running({"CLAUDE_PROJECT_DIR": "/p", "FACTORY_API_KEY": "k"})
    assert host_of_client("factory-cli") == "droid"
