"""Recorded logs where their hosts put them, read by the scan itself: each host comes to what its model reported."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from agent_connector.hosts.kimi import usage as kimi
from agent_connector.hosts.machine import Machine
from agent_connector.usage.index import open_index
from agent_connector.usage.scan import scan

GOLDEN = Path(__file__).parents[1] / "golden"
CLINE = ".cline/data/sessions/1796055539439_isst1/1796055539439_isst1"
SESSION = "session_cfa2d2af-349b-4ee8-8746-01e3bcf3b7f1"
KIMI = f".kimi-code/sessions/wd_work-kimi_c350a7bd38c7/{SESSION}/agents/main/wire.jsonl"
QWEN = ".qwen/projects/-home-user-project/chats/6dd6fcb9-8ae4-4efe-87e3-b5defd1b4fd0.jsonl"
PLACED = {
    "gemini-cli": {"session-2026-11-30T16-11-148b0ae8.jsonl": ".gemini/tmp/project/chats/session-1.jsonl"},
    "qwen-code": {
        "6dd6fcb9-8ae4-4efe-87e3-b5defd1b4fd0.jsonl": QWEN,
        "token-usage-2026-11.jsonl": ".qwen/usage/token.jsonl",
    },
    "copilot-cli": {"events.jsonl": ".copilot/session-state/498ff5c8/events.jsonl"},
    "kimi": {"wire.jsonl": KIMI, "session_index.jsonl": ".kimi-code/session_index.jsonl"},
    "cline": {
        "1796055539439_isst1.messages.json": f"{CLINE}.messages.json",
        "1796055539439_isst1.json": f"{CLINE}.json",
    },
}
SUMS = "SELECT count(*), sum(input), sum(cache_read), sum(output), sum(reasoning) FROM units WHERE host = ?"


def placed(home, host):
    for name, where in PLACED[host].items():
        target = home / where
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(GOLDEN / host / "usage" / name, target)


def sums(data, host):
    with open_index(str(data)) as index:
        return index.execute(SUMS, (host,)).fetchone()


@pytest.mark.parametrize("host", PLACED)
def test_a_host_comes_to_what_its_model_reported_at_every_scan(tmp_path, truth, host):
    home, data, known = tmp_path / "home", tmp_path / "data", truth(host)
    placed(home, host)
    for _ in range(2):
        result = scan(str(data), Machine(str(home), "linux", {}), [host])
        assert not result.problems
        assert sums(data, host) == (known.requests, known.input, known.cache_read, known.output, known.reasoning)


def test_a_session_that_one_fork_took_over_from_another_counts_once(tmp_path, truth):
    home, data, known = tmp_path / "home", tmp_path / "data", truth("kilo-cli")
    for path in ("kilo/kilo.db", "opencode/opencode-dev.db", "mimocode/mimocode.db"):
        target = home / ".local/share" / path
        target.parent.mkdir(parents=True)
        connection = sqlite3.connect(target)
        connection.executescript((GOLDEN / "kilo-cli/usage/kilo.sql").read_text(encoding="utf-8"))
        connection.close()
    hosts = ["kilo-cli", "opencode", "mimo-code"]
    assert not scan(str(data), Machine(str(home), "linux", {}), hosts).problems
    found = [sums(data, host) for host in hosts]
    assert sum(each[0] for each in found) == known.requests
    assert sum(each[1] or 0 for each in found) == known.input


@pytest.mark.parametrize(("reach", "name"), [(5, "project"), (4, "work-kimi")])
def test_no_reader_looks_further_up_than_its_facet_says(tmp_path, monkeypatch, reach, name):
    monkeypatch.setattr(kimi, "REACH", {"wire": reach})
    placed(tmp_path / "home", "kimi")
    scan(str(tmp_path / "data"), Machine(str(tmp_path / "home"), "linux", {}), ["kimi"])
    with open_index(str(tmp_path / "data")) as index:
        assert index.execute("SELECT DISTINCT project_name FROM units").fetchall() == [(name,)]


def test_what_names_a_project_may_stand_above_the_log(tmp_path):
    home, data = tmp_path / "home", tmp_path / "data"
    placed(home, "kimi")
    placed(home, "gemini-cli")
    (home / ".gemini/tmp/project/.project_root").write_text("/code/app", encoding="utf-8")
    scan(str(data), Machine(str(home), "linux", {}), ["kimi", "gemini-cli"])
    with open_index(str(data)) as index:
        named = dict(index.execute("SELECT DISTINCT host, project_name FROM units"))
    assert named == {"kimi": "project", "gemini-cli": "app"}
