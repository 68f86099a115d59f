"""The command line in this process, in a home of its own."""

import json
import os
from pathlib import Path

import pytest

from agent_connector.cli.main import main

ACME = str(Path(__file__).parents[2] / "examples" / "acme" / "connector.py")
MARKS = ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "GEMINI_CLI", "OPENCODE", "CURSOR_VERSION", "CODEX_THREAD_ID")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home with traces of Codex and Cursor; the working folder is a project in it."""
    folder = tmp_path / "home"
    for name, text in {
        ".codex/config.toml": 'model = "gpt-5" # mine\n',
        ".cursor/mcp.json": '{"mcpServers": {}}\n',
        "project/README.md": "",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name in (*MARKS, "AGENT_CONNECTOR_DATA_DIR", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PATH", os.defpath)
    monkeypatch.chdir(folder / "project")
    return folder


@pytest.fixture
def run(capsys):
    """Run a command; gives (exit code, stdout, stderr)."""

    def call(*words):
        code = main(list(words))
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


@pytest.fixture
def run_json(run):
    """Run a command with --json; gives (exit code, the document)."""

    def call(*words):
        code, out, _ = run(*words, "--json")
        return code, json.loads(out)

    return call
