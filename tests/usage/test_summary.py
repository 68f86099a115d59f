"""The small files that a status line reads: what each session of late used."""

import json
import os
import time

import pytest

from agent_connector.home import paths, private
from agent_connector.hosts.machine import Machine
from agent_connector.usage import index, prices, summary
from agent_connector.usage.scan import scan

NOW = time.time_ns() // 1_000_000
USAGE = {
    "input": 10_000,
    "output": 2000,
    "cacheRead": 3000,
    "cacheWrite": 400,
    "cacheWrite1h": 100,
    "reasoning": 500,
    "cost": {"total": 0.25},
}


@pytest.fixture
def pi(tmp_path):
    """Write a session of Pi, and read the logs; gives the values of that session's file, None without one."""
    root = str(tmp_path / "data")

    def run(session, *answers, ago=0, model="claude-sonnet-4-5", parent="", **usage):
        header = {"type": "session", "version": 3, "id": session, "cwd": "/home/ada/project", "parentSession": parent}
        lines = [header]
        for number in answers:
            message = {"role": "assistant", "model": model, "provider": "anthropic", "timestamp": NOW - ago + number}
            lines.append({"type": "message", "id": f"{session}{number}", "message": message | {"usage": USAGE | usage}})
        file = tmp_path / ".pi" / "agent" / "sessions" / f"1_{session}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
        scan(root, Machine(str(tmp_path), "linux", {}), ["pi"])
        summary.write(root)
        data = private.read(paths.usage_session(root, "pi", session))
        return None if data is None else json.loads(data)

    run.root = root
    return run


def test_what_a_session_used_at_list_prices_and_by_its_host(pi):
    counts = {"input": 10_000, "output": 2000, "cache_read": 3000, "cache_write_5m": 300, "cache_write_1h": 100}
    assert pi("s-1", 1, 2) == {
        "total_usd": pytest.approx(2 * prices.price_tokens("claude-sonnet-4-5", "anthropic", NOW, counts).usd),
        "host_usd": 0.5,
        "requests": 2,
        "updated_ms": NOW + 2,
        "input_tokens": 20_000,
        "cache_read_tokens": 6000,
        "cache_write_tokens": 800,
        "output_tokens": 4000,
        "reasoning_tokens": 1000,
    }


def test_a_model_without_a_price_leaves_the_price_open_and_a_call_without_a_cost_the_host_s(pi):
    assert pi("s-1", 1, model="nobody-knows-this")["total_usd"] is None
    assert pi("s-2", 1, cost=None)["host_usd"] is None


def test_a_session_that_goes_on_is_written_again_and_one_that_is_over_is_taken_away(pi):
    assert pi("s-1", 1)["requests"] == 1 and pi("s-1", 1, 2)["requests"] == 2
    assert pi("old", 1, ago=2 * index.RECENT) is None
    other = paths.usage_session(pi.root, "pi", "over")
    private.write(other, "{}")
    summary.write(pi.root)
    assert not os.path.exists(other)


def test_a_file_that_says_the_same_already_is_left(pi):
    pi("s-1", 1)
    path = paths.usage_session(pi.root, "pi", "s-1")
    before = os.stat(path)
    pi("s-2", 1)
    assert os.stat(path).st_ino == before.st_ino and os.stat(path).st_mtime_ns == before.st_mtime_ns


def test_a_subagent_s_calls_are_its_session_s_too_and_a_fork_s_are_not(tmp_path):
    root = str(tmp_path / "data")
    folder = tmp_path / ".omp" / "agent" / "sessions" / "-project"
    for name, session, parent in (("1_s-1", "s-1", ""), ("1_s-1/2-Explore", "s-7", ""), ("2_s-2", "s-2", "s-1")):
        message = {"role": "assistant", "model": session, "timestamp": NOW, "usage": {"input": 1, "output": len(name)}}
        header = {"type": "session", "id": session, "parentSession": parent}
        file = folder / f"{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = (header, {"type": "message", "id": session, "message": message})
        file.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    scan(root, Machine(str(tmp_path), "linux", {}), ["omp"])
    summary.write(root)
    found = {
        name: json.loads(private.read(paths.usage_session(root, "omp", name)))["requests"]
        for name in ("s-1", "s-2", "s-7")
    }
    assert found == {"s-1": 2, "s-2": 1, "s-7": 1}


def test_a_session_s_beginning_before_yesterday_is_in_its_sum(pi):
    pi("s-1", 1, 2 * index.RECENT, ago=2 * index.RECENT)
    assert json.loads(private.read(paths.usage_session(pi.root, "pi", "s-1")))["requests"] == 2


def test_only_the_owner_reads_them_and_no_name_of_a_session_becomes_a_path(pi):
    pi("s-1", 1)
    path = paths.usage_session(pi.root, "pi", "s-1")
    assert os.stat(path).st_mode & 0o077 == 0
    assert os.path.dirname(paths.usage_session(pi.root, "pi", "../../../etc/passwd\0\ud800")) == os.path.dirname(path)


def test_where_nothing_was_ever_read_nothing_is_written(tmp_path):
    assert summary.write(str(tmp_path)) == 0 and not os.listdir(tmp_path)
