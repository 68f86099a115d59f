"""Where Gemini CLI reads, on every system, and what proves that it is there."""

import pytest

from agent_connector.hosts.gemini_cli import places
from agent_connector.hosts.machine import Machine


def machine(*present: str, program: str | None = None, platform: str = "linux", **variables: str) -> Machine:
    home = r"C:\Users\user" if platform == "win32" else "/home/user"
    programs = {"gemini": program} if program else {}
    project = r"C:\work\app" if platform == "win32" else "/code/app"
    return Machine(home, platform, variables, project, set(present).__contains__, programs.get)


def test_the_folder_alone_is_weak_because_antigravity_lives_in_it():
    assert places.installed(machine()) is None
    assert places.installed(machine("/home/user/.gemini"))["confidence"] < 0.5
    found = places.installed(machine("/home/user/.gemini", "/home/user/.gemini/settings.json"))
    assert found["confidence"] >= 0.5
    assert places.installed(machine(program="/usr/bin/gemini"))["confidence"] > 0.9


@pytest.mark.parametrize(
    ("scope", "platform", "variables", "server", "memory"),
    [
        ("user", "linux", {}, "/home/user/.gemini/settings.json", "/home/user/.gemini/GEMINI.md"),
        ("user", "win32", {}, r"C:\Users\user\.gemini\settings.json", r"C:\Users\user\.gemini\GEMINI.md"),
        ("user", "darwin", {"GEMINI_CLI_HOME": "/x"}, "/x/.gemini/settings.json", "/x/.gemini/GEMINI.md"),
        ("project", "linux", {"GEMINI_CLI_HOME": "/x"}, "/code/app/.gemini/settings.json", "/code/app/GEMINI.md"),
        ("project", "win32", {}, r"C:\work\app\.gemini\settings.json", r"C:\work\app\GEMINI.md"),
    ],
)
def test_files(scope, platform, variables, server, memory):
    files = places.files(scope, machine(platform=platform, **variables))
    assert (files["server"], files["hooks"], files["memory"]) == (server, server, memory)


def test_an_unknown_scope_has_no_files():
    assert places.files("managed", machine()) == {}
    assert places.files("project", Machine("/home/user", "linux", {})) == {}


@pytest.mark.parametrize(
    ("variables", "runs"),
    [
        ({"GEMINI_CLI": "1"}, True),  # as servers see it
        ({"GEMINI_SESSION_ID": "s", "GEMINI_CWD": "/p", "CLAUDE_PROJECT_DIR": "/p"}, True),  # as hooks see it
        ({"GEMINI_PROJECT_DIR": "/p", "QWEN_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}, False),  # Qwen Code
        (
            {"GEMINI_CLI": "1", "QWEN_CODE_CLI": "/q", "QWEN_PROJECT_DIR": "/p"},
            False,
        ),  # Qwen Code out of Gemini's shell
        ({"GEMINI_API_KEY": "k", "GEMINI_CLI_TRUST_WORKSPACE": "true"}, False),  # a person's shell
        ({}, False),
    ],
)
def test_running(variables, runs):
    assert places.running(variables) is runs
