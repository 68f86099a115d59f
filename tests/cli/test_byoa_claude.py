"""`byoa claude`: the pairer goes into Claude Code and comes out, byte for byte."""

import json
import subprocess

import pytest


@pytest.fixture
def used(home):
    """A home in which Claude Code was used: odd spacing, a hook of the person's own, a server of their own."""
    files = {
        ".claude.json": '{"numStartups": 3,\n    "mcpServers": {"mine": {"command": "mine"}} }',
        ".claude/settings.json": '{ "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]} }\n',
    }
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return files


def test_install_and_remove_leave_every_byte(run, home, used):
    code, out, err = run("byoa", "claude", "install")
    assert code == 0, err
    assert "/byoa connect" in out
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["byoa"]
    launcher = str(home / ".agent-connector/bin/agent-connector")
    assert server["command"] == launcher
    assert server["args"][-4:] == [launcher, "byoa", "claude", "serve"]
    hooks = json.loads((home / ".claude/settings.json").read_text())["hooks"]
    assert {"Stop", "UserPromptSubmit", "SessionStart", "SessionEnd", "UserPromptExpansion"} <= set(hooks)
    assert "SubagentStop" not in hooks
    assert hooks["Stop"][0]["hooks"][0]["command"] == "mine"
    assert (home / ".claude/commands/byoa.md").exists()
    code, _, err = run("byoa", "claude", "remove")
    assert code == 0, err
    assert {name: (home / name).read_text() for name in used} == used
    assert not (home / ".claude/commands").exists()


def test_hooks_say_nothing_where_no_pairer_is(run, home, used):
    run("byoa", "claude", "install")
    launcher = str(home / ".agent-connector/bin/agent-connector")
    for event in ("Stop", "PreToolUse", "SessionStart", "UserPromptExpansion"):
        payload = {"hook_event_name": event, "session_id": "one", "tool_name": "Bash", "command_name": "another"}
        done = subprocess.run(
            [launcher, "hook", "claude-code", event, "--connector", "byoa"],
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), event
    assert not (home / ".agent-connector/hooks.log").exists()


def test_a_look_changes_nothing(run_json, home, used):
    code, told = run_json("byoa", "claude", "install", "-n")
    assert code == 0
    assert told["dry_run"]
    assert {name: (home / name).read_text() for name in used} == used
