"""Hosts without hooks: what stands in their files, as a person would read it, and what they refuse."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from agent_connector.cli.main import main
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import machine, server_use

HOSTS = ("claude-desktop", "lm-studio", "zed", "warp", "codebuff", "roo-code")
DECLARED = """
id = "acme-db"
{server}

[[memory]]
text = "Use the acme-db tools for schema questions."

[[command]]
name = "migrate"
description = "Plan a migration."
prompt = "Plan: $ARGUMENTS"
"""
STDIO = '[server]\ncommand = "acme-db"\nargs = ["--dsn", "${env:ACME_DSN}"]\n'
HTTP = '[server]\nurl = "https://acme.example/mcp"\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("AGENT_CONNECTOR_DATA_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def declare(home: Path, server: str) -> str:
    file = home / "connector.toml"
    file.write_text(DECLARED.format(server=server))
    return str(file)


def entry(host: str, **fields: object) -> object:
    return query.register(host).entry(server_use(**fields))


def test_types_of_remote_entries() -> None:
    told = {host: entry(host, transport="http") for host in HOSTS}
    assert {host: one.get("type") for host, one in told.items() if isinstance(one, dict)} == snapshot(
        {"lm-studio": None, "zed": None, "warp": None, "codebuff": "http", "roo-code": "streamable-http"}
    )
    assert entry("roo-code", transport="sse")["type"] == "sse"


def test_times_are_in_the_hosts_unit() -> None:
    assert entry("zed", timeout=90.4)["timeout"] == 90
    assert entry("roo-code", timeout=9000)["timeout"] == 3600
    for host in ("claude-desktop", "lm-studio", "warp", "codebuff"):
        assert "timeout" not in entry(host, timeout=90)
        assert any("time limits" in line for line in query.register(host).lost(server_use(timeout=90)))


def test_a_server_that_is_off_is_off_or_not_written() -> None:
    assert entry("zed", enabled=False)["enabled"] is False
    assert entry("roo-code", enabled=False)["disabled"] is True
    for host in ("claude-desktop", "lm-studio", "warp", "codebuff"):
        assert isinstance(entry(host, enabled=False), Refusal)


def test_no_value_of_a_variable_is_ever_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_DSN", "hunter2")
    code = main(["install", "-c", declare(home, STDIO), "-t", ",".join(HOSTS)])
    assert code == 1  # two of them know no references, and say so
    written = [file for file in home.rglob("*") if file.is_file() and ".agent-connector" not in file.parts]
    assert b"hunter2" not in b"".join(file.read_bytes() for file in written)
    warp = json.loads((home / ".warp" / ".mcp.json").read_text())["mcpServers"]["acme-db"]
    assert warp["env"] == {"ACME_DSN": "${ACME_DSN}"}
    assert not (home / ".config" / "Claude" / "claude_desktop_config.json").exists()
    assert not (home / ".lmstudio" / "mcp.json").exists()


def test_a_host_that_only_starts_programs_reaches_a_remote_server_through_the_launcher(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["install", "-c", declare(home, HTTP), "-t", "claude-desktop"]) == 0
    assert "our launcher is the bridge" in capsys.readouterr().out
    told = json.loads((home / ".config" / "Claude" / "claude_desktop_config.json").read_text())
    assert told["mcpServers"]["acme-db"]["args"][-4:] == ["--url", "https://acme.example/mcp", "--transport", "http"]


def test_comments_of_a_person_stay_and_come_back(home: Path) -> None:
    settings = home / ".config" / "zed" / "settings.json"
    settings.parent.mkdir(parents=True)
    before = '// mine\n{\n  "theme": "One Dark", // dark\n  "context_servers": {},\n}\n'
    settings.write_text(before)
    assert main(["install", "-c", declare(home, STDIO), "-t", "zed"]) == 0
    after = settings.read_text()
    assert "// mine" in after and "// dark" in after and '"acme-db"' in after
    assert main(["uninstall", "-c", "acme-db"]) == 0
    assert settings.read_text() == before


@pytest.mark.parametrize(
    ("host", "there", "target"),
    [
        ("zed", [], "AGENTS.md"),
        ("zed", ["CLAUDE.md", "GEMINI.md"], "CLAUDE.md"),
        ("zed", ["AGENTS.md", ".github/copilot-instructions.md"], ".github/copilot-instructions.md"),
        ("warp", ["AGENTS.md"], "AGENTS.md"),
        ("warp", ["AGENTS.md", "WARP.md"], "WARP.md"),
        ("codebuff", ["AGENTS.md", "knowledge.md"], "knowledge.md"),
        ("codebuff", ["CLAUDE.md"], "CLAUDE.md"),
        ("roo-code", ["AGENT.md"], "AGENT.md"),
    ],
)
def test_memory_goes_into_the_file_that_is_read(host: str, there: list[str], target: str) -> None:
    found = query.content(host).memory(
        "project", machine(exists=lambda path: path in {f"/code/app/{name}" for name in there})
    )
    assert found == f"/code/app/{target}"


def test_a_file_that_is_no_markdown_is_left_to_the_person() -> None:
    refused = query.content("zed").memory("project", machine(exists=lambda path: path.endswith("/.rules")))
    assert isinstance(refused, Refusal) and ".rules" in refused.reason


def test_a_retired_host_is_served_and_its_successor_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / ".config" / "Code" / "User" / "globalStorage" / "rooveterinaryinc.roo-cline").mkdir(parents=True)
    assert main(["detect", "--json"]) == 0
    (found,) = [one for one in json.loads(capsys.readouterr().out)["hosts"] if one["host"] == "roo-code"]
    assert "Zoo Code" in found["replaced_by"]
    assert found["surfaces"]["server"] == {"support": "native", "sure": "documented"}
    main(["doctor"])
    assert "replaced by Zoo Code" in capsys.readouterr().out


def test_a_packaged_claude_desktop_reads_from_a_folder_of_its_own():
    local = "C:\\Users\\Ada\\AppData\\Local"
    package = f"{local}\\Packages\\Claude_pzs8sxrjxfjjc"
    files = query.places("claude-desktop").files
    plain = Machine("C:\\Users\\Ada", "win32", {"APPDATA": "C:\\Users\\Ada\\AppData\\Roaming", "LOCALAPPDATA": local})
    assert files("user", plain)["server"] == "C:\\Users\\Ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json"
    packaged = Machine("C:\\Users\\Ada", "win32", {"LOCALAPPDATA": local}, exists={package}.__contains__)
    assert files("user", packaged)["server"] == f"{package}\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json"
