"""`usage scan` and `usage rebuild` on the command line: what they say, and their exit codes."""

import json
import os

import pytest
from tests.usage.conftest import answer

from agent_connector.cli.main import main


@pytest.fixture
def run(home, monkeypatch, capsys):
    """Run a verb in that home; gives exit code, output and errors."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home.path))
    monkeypatch.setenv("USERPROFILE", str(home.path))
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", home.root)

    def verb(*words):
        code = main(["usage", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return verb


def test_a_scan_says_what_it_found_host_by_host(home, run):
    home.session().write_bytes(answer(1) + answer(2))
    code, out, _ = run("scan")
    assert code == 0
    assert "claude-code  1     1         2      23" in out
    assert "no logs here of: " in out
    code, out, _ = run("scan", "--host", "claude-code", "--json")
    (found,) = json.loads(out)["hosts"]
    assert code == 0
    assert (found["host"], found["logs"], found["read"], found["units"], found["tokens"]) == (
        "claude-code",
        1,
        0,
        2,
        23,
    )
    assert found["problems"] == []


def test_a_log_that_cannot_be_read_is_named_and_makes_the_exit_code_1(home, run):
    home.session().write_bytes(answer(1))
    broken = home.path / ".codex" / "sessions" / "rollout-1.jsonl.zst"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(b"not compressed at all")
    code, out, _ = run("scan")
    assert code == 1
    assert f"codex: {os.path.join('~', '.codex', 'sessions', 'rollout-1.jsonl.zst')}: cannot be decompressed" in out
    code, out, _ = run("scan", "--json")
    hosts = {found["host"]: found for found in json.loads(out)["hosts"]}
    assert code == 1
    assert hosts["codex"]["problems"][0]["file"] == str(broken)
    assert hosts["claude-code"]["units"] == 1


def test_a_host_without_logs_of_its_own_says_why_when_it_is_asked_for(run):
    code, out, _ = run("scan", "--host", "cursor")
    assert code == 0
    assert "cursor: " in out


def test_an_unknown_host_is_a_usage_error(run):
    code, _, err = run("scan", "--host", "netscape")
    assert code == 2
    assert "claude-code" in err


def test_rebuild_forgets_what_only_the_index_knew(home, run):
    path = home.session()
    path.write_bytes(answer(1))
    run("scan")
    path.write_bytes(answer(2))
    code, out, _ = run("rebuild")
    assert code == 0
    assert "claude-code  1     1         1      12" in out
