"""Where Cursor reads on three systems (documented), and how it is told from others."""

import pytest

from agent_connector.hosts.cursor import places
from agent_connector.testing.host_samples import machine

USER = {
    "linux": ("/home/user/.cursor/mcp.json", "/home/user/.cursor/hooks.json", "/home/user/.config/Cursor"),
    "darwin": (
        "/Users/user/.cursor/mcp.json",
        "/Users/user/.cursor/hooks.json",
        "/Users/user/Library/Application Support/Cursor",
    ),
    "win32": (
        r"C:\Users\user\.cursor\mcp.json",
        r"C:\Users\user\.cursor\hooks.json",
        r"C:\Users\user\AppData\Roaming\Cursor",
    ),
}


@pytest.mark.parametrize("platform", USER)
def test_a_persons_files_and_the_ide(platform):
    server, hooks, state = USER[platform]
    files = places.files("user", machine(platform))
    assert (files["server"], files["hooks"]) == (server, hooks)
    assert "memory" not in files
    assert places.installed(machine(platform, exists={state}.__contains__))["found"] == [state]


def test_a_moved_config_folder_moves_the_clis_own_file_alone():
    files = places.files("user", machine(variables={"CURSOR_CONFIG_DIR": "/x"}))
    assert (files["statusline"], files["config_patch"]) == ("/x/cli-config.json", "/x/cli-config.json")
    assert files["server"] == "/home/user/.cursor/mcp.json"


def test_a_projects_files():
    files = places.files("project", machine())
    assert files["server"] == "/code/app/.cursor/mcp.json"
    assert files["memory"] == "/code/app/AGENTS.md"
    assert files["skills"] == "/code/app/.agents/skills"
    assert "statusline" not in files


def test_a_program_called_agent_proves_nothing():
    assert places.installed(machine(which={"agent": "/usr/bin/agent"}.get)) is None
    assert places.installed(machine(which={"cursor-agent": "/usr/bin/cursor-agent"}.get))["confidence"] > 0.9


def test_a_hook_knows_its_host_and_a_terminal_is_no_sign():
    assert places.running({"CURSOR_VERSION": "3", "CURSOR_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"})
    assert not places.running({"CURSOR_PROJECT_DIR": "/p"})
    assert not places.running({"CURSOR_TRACE_ID": "x", "TERM_PROGRAM": "vscode"})
    assert not places.running({"CLAUDE_PROJECT_DIR": "/p"})
