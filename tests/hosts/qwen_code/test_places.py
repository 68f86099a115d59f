"""Where Qwen Code reads on three systems, and how it is told from Gemini CLI and others."""

import pytest

from agent_connector.hosts.gemini_cli import places as gemini
from agent_connector.hosts.qwen_code import places
from agent_connector.telemetry.origin import host_of_client, marked_host
from agent_connector.testing.hosts import machine


@pytest.mark.parametrize(
    ("scope", "platform", "variables", "settings", "memory"),
    [
        ("user", "linux", {}, "/home/user/.qwen/settings.json", "/home/user/.qwen/QWEN.md"),
        ("user", "darwin", {"QWEN_HOME": "/x"}, "/x/settings.json", "/x/QWEN.md"),
        ("user", "win32", {}, r"C:\Users\user\.qwen\settings.json", r"C:\Users\user\.qwen\QWEN.md"),
        ("project", "linux", {"QWEN_HOME": "/x"}, "/code/app/.qwen/settings.json", "/code/app/AGENTS.md"),
        ("project", "win32", {}, r"C:\work\app\.qwen\settings.json", r"C:\work\app\AGENTS.md"),
    ],
)
def test_files(scope, platform, variables, settings, memory):
    files = places.files(scope, machine(platform, variables=variables))
    assert {files[name] for name in ("server", "hooks", "statusline", "config_patch")} == {settings}
    assert files["memory"] == memory
    assert files["subagents"] == settings.replace("settings.json", "agents")


def test_a_scope_that_it_does_not_have():
    assert places.files("managed", machine()) == {}


def test_the_program_is_better_evidence_than_a_folder():
    assert places.installed(machine()) is None
    folder = places.installed(machine(exists={"/home/user/.qwen"}.__contains__))
    program = places.installed(machine(which={"qwen": "/usr/bin/qwen"}.get))
    assert folder["confidence"] < program["confidence"]
    assert program["program"] == "/usr/bin/qwen"


def test_a_recorded_environment_is_qwens_and_not_geminis(environment):
    assert places.running(environment)
    assert not gemini.running(environment)
    assert marked_host(environment) == "qwen-code"


@pytest.mark.parametrize(
    ("variables", "runs"),
    [
        ({"QWEN_CODE_SESSION_ID": "s", "QWEN_CODE_MODEL": "m"}, True),  # as servers see it
        ({"QWEN_CODE_SESSION_ID": "s", "QWEN_CODE": "1"}, False),  # a program in its shell, and what that starts
        ({"GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}, False),
        ({"QWEN_HOME": "/x"}, False),  # a person's shell
    ],
)
def test_running(variables, runs):
    assert places.running(variables) is runs


def test_the_client_is_called_after_each_server():
    assert host_of_client("qwen-cli-mcp-client-acme-db") == "qwen-code"
    assert host_of_client("qwen") == "qwen"
