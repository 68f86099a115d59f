"""Where OpenCode reads, on every system, and what proves that it is there."""

import pytest

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.opencode import places

CONFIG = "/home/user/.config/opencode"


def machine(*present: str, program: str | None = None, platform: str = "linux", **variables: str) -> Machine:
    home, project = (r"C:\Users\user", r"C:\app") if platform == "win32" else ("/home/user", "/app")
    programs = {"opencode": program} if program else {}
    return Machine(home, platform, variables, project, set(present).__contains__, programs.get)


def test_evidence():
    assert places.installed(machine()) is None
    assert places.installed(machine("/home/user/.opencode")) is None
    assert places.installed(machine(CONFIG))["confidence"] == 0.5
    assert places.installed(machine(CONFIG, f"{CONFIG}/opencode.jsonc"))["confidence"] == 0.8
    assert places.installed(machine("/x/oc.json", OPENCODE_CONFIG="/x/oc.json"))["found"] == ["/x/oc.json"]
    assert places.installed(machine(program="/usr/bin/opencode"))["program"] == "/usr/bin/opencode"


@pytest.mark.parametrize(
    ("platform", "variables", "server"),
    [
        ("linux", {}, f"{CONFIG}/opencode.json"),
        ("darwin", {}, f"{CONFIG}/opencode.json"),
        ("win32", {}, r"C:\Users\user\.config\opencode\opencode.json"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x/opencode/opencode.json"),
        ("linux", {"OPENCODE_CONFIG": "/o.json", "OPENCODE_CONFIG_DIR": "/o"}, f"{CONFIG}/opencode.json"),
    ],
)
def test_the_person_s_files_are_below_config_on_every_system(platform, variables, server):
    files = places.files("user", machine(platform=platform, **variables))
    assert files["server"] == server
    assert files["hooks"] == server.replace("opencode.json", "plugins")


@pytest.mark.parametrize(
    ("present", "server"),
    [
        ([f"{CONFIG}/opencode.json"], f"{CONFIG}/opencode.json"),
        ([f"{CONFIG}/opencode.json", f"{CONFIG}/opencode.jsonc"], f"{CONFIG}/opencode.jsonc"),
        ([f"{CONFIG}/config.json"], f"{CONFIG}/config.json"),
    ],
)
def test_a_config_that_is_there_is_taken(present, server):
    assert places.files("user", machine(*present))["server"] == server


@pytest.mark.parametrize(
    ("present", "server"),
    [
        ([], "/app/opencode.json"),
        (["/app/opencode.jsonc"], "/app/opencode.jsonc"),
        (["/app/opencode.json", "/app/.opencode/opencode.json"], "/app/.opencode/opencode.json"),
    ],
)
def test_in_a_project_the_file_that_wins_is_taken(present, server):
    files = places.files("project", machine(*present))
    assert files["server"] == server
    assert (files["hooks"], files["memory"]) == ("/app/.opencode/plugins", "/app/AGENTS.md")


def test_an_unknown_scope_has_no_files():
    assert places.files("managed", machine()) == {}
    assert places.files("project", Machine("/home/user", "linux", {})) == {}


@pytest.mark.parametrize(
    ("variables", "runs"),
    [
        ({"OPENCODE": "1", "OPENCODE_PID": "7", "AGENT": "1"}, True),
        ({"OPENCODE": "1", "KILO": "1", "KILO_PID": "7", "AGENT": "1"}, False),  # Kilo, its fork
        ({"OPENCODE_CONFIG": "/x", "AGENT": "1"}, False),
        ({}, False),
    ],
)
def test_running(variables, runs):
    assert places.running(variables) is runs
