"""Where MiMoCode reads, and how it is run."""

import pytest

from agent_connector.drive.events import Job
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.mimo_code import content, headless, places, register
from agent_connector.testing.hosts import server_use

CONFIG = "/home/user/.config/mimocode"


def machine(*present: str, platform: str = "linux", **variables: str) -> Machine:
    home, project = (r"C:\Users\user", r"C:\app") if platform == "win32" else ("/home/user", "/app")
    return Machine(home, platform, variables, project, set(present).__contains__, lambda program: None)


@pytest.mark.parametrize(
    ("platform", "variables", "present", "server"),
    [
        ("linux", {}, [], f"{CONFIG}/mimocode.jsonc"),
        ("linux", {}, [f"{CONFIG}/mimocode.json"], f"{CONFIG}/mimocode.json"),
        ("darwin", {"MIMOCODE_HOME": "/m"}, [], "/m/config/mimocode.jsonc"),
        ("win32", {}, [], r"C:\Users\user\AppData\Local\mimocode\mimocode.jsonc"),
    ],
)
def test_the_person_s_file(platform, variables, present, server):
    assert places.files("user", machine(*present, platform=platform, **variables))["server"] == server


def test_a_project_s_files_lie_in_its_own_folder():
    files = places.files("project", machine())
    assert (files["server"], files["hooks"]) == ("/app/.mimocode/mimocode.jsonc", "/app/.mimocode/plugins")
    assert (files["subagents"], files["memory"]) == ("/app/.mimocode/agent", "/app/AGENTS.md")
    assert content.memory("project", machine("/app/CLAUDE.md")) == "/app/CLAUDE.md"


def test_it_is_told_from_opencode():
    assert places.running({"MIMOCODE": "1", "AGENT": "1"})
    assert not places.running({"OPENCODE": "1"})
    assert register.entry(server_use(transport="ws")).reason == "MiMoCode has no WebSocket transport"


def test_a_run():
    line = headless.argv(Job("say hi", "/p", approvals="all", endpoint="http://127.0.0.1:9"))
    assert line[:5] == ["mimo", "run", "--format", "json", "--dangerously-skip-permissions"]
    assert "MIMOCODE_CONFIG_CONTENT" in headless.environment(Job("x", "/p", endpoint="http://127.0.0.1:9"))
