"""`--method marketplace`: hosts' own commands on a bundle, one method only, and what cannot be run is said exactly."""

import json
import os
import stat
from pathlib import Path

import pytest

from agent_connector.cli.main import main

ACME = str(Path(__file__).parents[2] / "examples" / "acme" / "connector.py")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("AGENT_CONNECTOR_DATA_DIR", raising=False)
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(home: Path, name: str, code: int = 0) -> None:
    """A host's program that writes down how it was called."""
    file = home / "bin" / name
    file.write_text(f'#!/bin/sh\necho "$@" >> {home}/{name}.log\necho "no such market" >&2\nexit {code}\n')
    file.chmod(file.stat().st_mode | stat.S_IXUSR)


def calls(home: Path, name: str) -> list[str]:
    file = home / f"{name}.log"
    return file.read_text().splitlines() if file.exists() else []


def run(*words: str) -> int:
    return main(list(words))


def test_the_hosts_own_commands_are_run_and_undone(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(home, "claude")
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "claude-code") == 0
    added, installed = calls(home, "claude")
    folder = added.removeprefix("plugin marketplace add ")
    assert installed == "plugin install acme-db@acme-db-local"
    catalog = json.loads(Path(folder, ".claude-plugin", "marketplace.json").read_text())
    assert Path(folder, catalog["plugins"][0]["source"], ".claude-plugin", "plugin.json").is_file()
    assert not (home / ".claude.json").exists()
    assert run("uninstall", "-c", "acme-db") == 0
    assert calls(home, "claude")[2:] == [
        "plugin uninstall acme-db@acme-db-local",
        "plugin marketplace remove acme-db-local",
    ]
    assert not os.path.exists(folder)
    capsys.readouterr()
    assert run("uninstall", "-c", "acme-db") == 1
    assert "is not installed" in capsys.readouterr().err


def test_a_connector_is_in_a_host_by_one_method(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(home, "claude")
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "claude-code") == 0
    assert run("install", "-c", ACME, "-t", "claude-code") == 1
    assert "by the host's own commands already" in capsys.readouterr().err
    assert run("install", "-c", ACME, "-t", "codex") == 0
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "codex") == 1
    assert "by files already" in capsys.readouterr().err
    assert run("uninstall", "-c", "acme-db") == 0
    assert len(calls(home, "claude")) == 4
    assert not (home / ".codex" / "config.toml").exists() or "acme" not in (home / ".codex" / "config.toml").read_text()


def test_without_the_program_the_exact_commands_are_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "codex") == 1
    out = capsys.readouterr().out
    assert "codex is not on the PATH" in out and "codex plugin add acme-db@acme-db-local" in out
    assert run("install", "-c", ACME, "-t", "codex") == 0  # nothing was done by commands: files are free


def test_a_command_that_fails_says_why_and_is_not_remembered(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(home, "droid", code=3)
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "droid", "--json") == 1
    (step,) = json.loads(capsys.readouterr().out)["commands"]
    assert step["outcome"] == "failed" and "ended with 3: no such market" in step["said"]
    assert run("install", "-c", ACME, "-t", "droid") == 0


def test_a_dry_run_runs_and_writes_nothing(home: Path) -> None:
    program(home, "claude")
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "claude-code", "-n") == 1
    assert calls(home, "claude") == [] and not (home / ".agent-connector" / "bundles").exists()


def test_a_host_without_such_commands_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "cursor") == 1
    assert "cursor has no command that installs a bundle" in capsys.readouterr().err


def test_what_of_a_connector_is_not_in_the_hosts_bundle_is_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(home, "opencode")
    assert run("install", "-c", ACME, "--method", "marketplace", "-t", "opencode") == 0
    assert "note: server: no part of npm-plugin; `agent-connector install` writes it" in capsys.readouterr().out


def test_a_host_whose_bundle_would_be_empty_stops_no_other(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "connector.toml").write_text('id = "bare"\n[server]\ncommand = "npx"\nargs = ["bare-mcp"]\n')
    for name in ("opencode", "claude"):
        program(home, name)
    assert run("install", "--method", "marketplace", "-t", "opencode,claude-code") == 1
    said = capsys.readouterr().out
    assert "npm-plugin has no place for anything that bare declares" in said and "claude-code: done" in said
    assert calls(home, "claude") and not calls(home, "opencode")
