"""Continue: its list of servers, its files, and its runs without a person."""

import importlib
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from agent_connector.cli.main import main
from agent_connector.drive.events import Finished, Job
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import COMMAND
from agent_connector.testing.hosts import machine, server_use

content, headless, places, register = (
    importlib.import_module(f"agent_connector.hosts.continue.{facet}")
    for facet in ("content", "headless", "places", "register")
)
DECLARED = 'id = "acme-db"\n[server]\ncommand = "acme-db"\nargs = ["--dsn", "${env:ACME_DSN}"]\n'
BEFORE = """\
# mine
name: My own
version: 0.0.1
schema: v1
models: []
mcpServers:
  - name: other # keep it
    command: other
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("AGENT_CONNECTOR_DATA_DIR", "CONTINUE_GLOBAL_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "connector.toml").write_text(DECLARED)
    (tmp_path / ".continue").mkdir()
    return tmp_path


def installed(home: Path) -> str:
    assert main(["install", "-c", "connector.toml", "-t", "continue"]) == 0
    return (home / ".continue" / "config.yaml").read_text().replace(str(home), "~")


def test_a_server_is_one_more_element_of_the_list(home: Path) -> None:
    config = home / ".continue" / "config.yaml"
    config.write_text(BEFORE)
    text = installed(home)
    assert text.startswith(BEFORE)
    assert text[len(BEFORE) :] == snapshot(
        """\
  - name: acme-db
    type: stdio
    command: ~/.agent-connector/bin/agent-connector
    args:
      - serve
      - "--connector"
      - acme-db
      - "--host"
      - continue
      - "--"
      - acme-db
      - "--dsn"
      - "${{ secrets.ACME_DSN }}"
"""
    )
    assert installed(home) == text
    assert main(["uninstall", "-c", "acme-db"]) == 0
    assert config.read_text() == BEFORE


def test_a_file_that_would_hold_servers_alone_is_not_made(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "-c", "connector.toml", "-t", "continue"]) == 1
    assert "with a model of yours first" in capsys.readouterr().out
    assert not (home / ".continue" / "config.yaml").exists()


def test_remote_entries() -> None:
    assert register.entry(server_use(transport="http", bearer="T")) == snapshot(
        {
            "name": "acme-db",
            "type": "streamable-http",
            "url": "https://mcp.acme.example/mcp",
            "requestOptions": {"headers": {"Authorization": "Bearer ${{ secrets.T }}"}},
        }
    )
    assert isinstance(register.entry(server_use(transport="ws")), Refusal)
    assert isinstance(register.entry(server_use(enabled=False)), Refusal)


def test_files() -> None:
    assert "server" not in places.files("project", machine())
    [prompt] = content.command(COMMAND, "/there")
    assert prompt.text == snapshot(
        """\
---
name: migrate
description: Plan a migration
invokable: true
---

Plan the migration: (the text that the person wrote after the command)
"""
    )
    assert content.memory("user", machine()) == "/home/user/.continue/rules/agent-connector.md"


def test_a_recorded_answer() -> None:
    """`cn -p --format json` 1.5.47, 2026-11-30: the answer was no JSON, so it came wrapped."""
    line = '{"response":"FAKE-FINAL","status":"success","note":"Response was not valid JSON"}'
    assert headless.read(line) == (Finished(True, "success", "FAKE-FINAL"),)
    assert headless.argv(Job("hi", "/p", approvals="all", resume="s")) == [
        *("cn", "--print", "--format", "json", "--auto", "--fork", "s", "hi")
    ]
