"""Where Claude Code reads on three systems, and how it is told from others."""

import pytest

from agent_connector.hosts.claude_code import places
from agent_connector.testing.host_samples import machine

# Linux was seen on the real program; the others are documented.
USER = {
    "linux": ("/home/user/.claude.json", "/home/user/.claude/settings.json", "/home/user/.claude/CLAUDE.md"),
    "darwin": ("/Users/user/.claude.json", "/Users/user/.claude/settings.json", "/Users/user/.claude/CLAUDE.md"),
    "win32": (
        r"C:\Users\user\.claude.json",
        r"C:\Users\user\.claude\settings.json",
        r"C:\Users\user\.claude\CLAUDE.md",
    ),
}


@pytest.mark.parametrize("platform", USER)
def test_a_persons_files(platform):
    files = places.files("user", machine(platform))
    assert (files["server"], files["hooks"], files["memory"]) == USER[platform]
    assert files["hooks"] == files["statusline"] == files["config_patch"]


def test_a_moved_config_folder_takes_the_servers_along():
    files = places.files("user", machine(variables={"CLAUDE_CONFIG_DIR": "/etc/cc"}))
    assert (files["server"], files["hooks"]) == ("/etc/cc/.claude.json", "/etc/cc/settings.json")
    assert (files["commands"], files["skills"], files["subagents"]) == (
        "/etc/cc/commands",
        "/etc/cc/skills",
        "/etc/cc/agents",
    )


def test_a_projects_files():
    files = places.files("project", machine())
    assert files["server"] == "/code/app/.mcp.json"
    assert files["hooks"] == "/code/app/.claude/settings.json"
    assert files["skills"] == "/code/app/.claude/skills"
    assert files["memory"] == "/code/app/CLAUDE.md"
    assert places.files("managed", machine()) == {}


def test_the_program_is_better_evidence_than_a_folder():
    program = places.installed(machine(which={"claude": "/usr/bin/claude"}.get))
    folder = places.installed(machine(exists={"/home/user/.claude"}.__contains__))
    assert program and folder
    assert program["program"] == "/usr/bin/claude"
    assert program["confidence"] > 0.9
    assert folder["confidence"] < 0.6
    assert folder["found"] == ["/home/user/.claude"]


def test_a_recorded_environment_is_recognised(environment):
    assert places.running(environment)


@pytest.mark.parametrize(
    "variables",
    [
        {"CLAUDE_PROJECT_DIR": "/p"},  # set by five other hosts too
        {"CLAUDE_PROJECT_DIR": "/p", "CURSOR_VERSION": "3"},
        {"CLAUDECODE": "1"},  # a shell below it, or a program started there
    ],
)
def test_what_others_set_is_no_sign(variables):
    assert not places.running(variables)


@pytest.mark.parametrize("name", ["GEMINI_SESSION_ID", "QWEN_PROJECT_DIR", "COPILOT_PROJECT_DIR", "CURSOR_VERSION"])
def test_a_host_started_out_of_claude_code_is_that_host(environment, name):
    assert not places.running({**environment, name: "x"})


def test_codex_out_of_claude_code_and_the_other_way_round(environment):
    assert not places.running({**environment, "CODEX_MANAGED_BY_NPM": "1"})
    assert places.running({**environment, "CODEX_MANAGED_BY_NPM": "1", "CODEX_THREAD_ID": "t"})
