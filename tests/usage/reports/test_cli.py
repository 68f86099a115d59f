"""The verbs, from a host's log to what they print."""

import csv
import importlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from agent_connector.cli.main import main
from agent_connector.telemetry import append

Run = Callable[..., tuple[int, str, str]]
HOUR = 3_600_000


@pytest.fixture
def run(root: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a verb in a home of its own; gives (exit code, stdout, stderr)."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        out = capsysbinary.readouterr()
        return code, out.out.decode(), out.err.decode()

    return call


def answer(number: int, when: float, **usage: int) -> str:
    moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(when))
    counts = {"input_tokens": 0, "output_tokens": 0, **usage}
    message = {"id": f"msg_{number}", "model": "claude-sonnet-4-5-20250929", "role": "assistant", "usage": counts}
    return json.dumps(
        {
            "type": "assistant", "timestamp": moment, "sessionId": "s-1", "cwd": "/home/ada/shop", "version": "2.1.0",
            "uuid": f"u-{number}", "requestId": f"req_{number}", "message": {**message, "content": [], "type": "message"},
        },
        separators=(",", ":"),
    )  # fmt: skip


@pytest.fixture
def log(root: Path) -> Path:
    """A log of Claude Code with two requests of just now."""
    path = root.parent / ".claude" / "projects" / "-home-ada-shop" / "s-1.jsonl"
    path.parent.mkdir(parents=True)
    lines = [answer(1, time.time() - 60, input_tokens=1000), answer(2, time.time() - 30, output_tokens=200)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_report_reads_the_logs_first(run: Run, log: Path) -> None:
    code, out, _ = run("usage", "report", "--by", "host", "--json")
    told = json.loads(out)
    assert (code, told["schema"]) == (0, "agent-connector/usage-report/1")
    (row,) = told["rows"]
    assert (row["host"], row["requests"], row["tokens"]["total"], row["usd"]) == ("claude-code", 2, 1200, 0.006)
    assert (row["host_usd"], row["at_least"], told["unpriced"]) == (None, False, [])
    (price,) = row["prices"]
    assert price | {"version": ""} == {
        "source": "genai-prices", "version": "", "key": "anthropic/claude-sonnet-4-5", "tier": "", "tokens": 1200,
        "usd": 0.006,
    }  # fmt: skip
    with log.open("a") as file:
        file.write(answer(3, time.time(), input_tokens=1) + "\n")
    assert json.loads(run("usage", "report", "--no-scan", "--json")[1])["total"]["requests"] == 2
    assert json.loads(run("usage", "report", "--json")[1])["total"]["requests"] == 3


def test_reports_for_people(run: Run, log: Path) -> None:
    code, out, err = run("usage", "report", "--by", "model", "--zone", "Europe/Berlin", "--since", "7d")
    assert (code, err) == (0, "")
    assert "(Europe/Berlin)" in out
    assert "logs read just now" in out
    assert "1,200 tokens in 2 requests, 0.0060 USD at list prices" in out
    assert "claude-sonnet-4-5-20250929" in out


@pytest.mark.parametrize(
    "words",
    [
        ("report", "--by", "planet"),
        ("report", "--host", "no-such-host"),
        ("report", "--since", "2026-11-02", "--until", "2026-11-01"),
        ("live", "--count", "0"),
        ("export", "--format", "xml"),
        ("prices", "show", "x", "--tier", "cheap"),
    ],
)
def test_wrong_usage_is_2(run: Run, words: tuple[str, ...]) -> None:
    assert run("usage", *words)[0] == 2


@pytest.mark.parametrize("words", [("--since", "yore"), ("--zone", "Mars/Base"), ("--until", "2026-02-31")])
def test_a_value_that_cannot_be_meant_is_2_and_says_what_can(run: Run, words: tuple[str, ...]) -> None:
    code, out, _ = run("usage", "report", "--json", *words)
    assert code == 2
    error = json.loads(out)["error"]
    assert error["where"] == words[0]
    assert error["remedy"]


def test_sessions(run: Run, log: Path) -> None:
    told = json.loads(run("usage", "sessions", "--json")[1])
    assert told["schema"] == "agent-connector/usage-sessions/1"
    (row,) = told["rows"]
    assert (row["session"], row["name"], row["models"]) == ("s-1", "shop", ["claude-sonnet-4-5-20250929"])
    assert "/home/ada" not in json.dumps(told)
    assert "shop" in run("usage", "sessions")[1]


def test_leaderboard_of_usage(run: Run, log: Path) -> None:
    told = json.loads(run("usage", "leaderboard", "--by", "project", "--measure", "tokens", "--json")[1])
    assert [(row["place"], row["name"], row["share"]) for row in told["rows"]] == [(1, "shop", 1.0)]
    assert "100.0%" in run("usage", "leaderboard")[1]


def test_the_three_books_stand_side_by_side_and_are_never_added(run: Run, root: Path, log: Path) -> None:
    row = {"connector": "acme-db", "surface": "server", "session": "s", "project": "aa", "project_name": "shop"}
    for number in (1, 2):
        call = {"scope": "call", "host": "codex", "tool": "query", "source": "tokenizer-exact", "in": 10, "out": number}
        assert append.append(str(root), row | call)
    turn = {
        "scope": "model_turn",
        "host": "gemini-cli",
        "tool": "gemini-2.5-pro",
        "source": "host-native",
        "in": 7,
        "out": 5,
    }
    assert append.append(str(root), row | turn)
    told = json.loads(run("leaderboard", "--json")[1])
    assert told["schema"] == "agent-connector/leaderboard/1"
    assert [(one["tool"], one["calls"], one["tokens_in"], one["tokens_out"]) for one in told["servers"]] == [
        ("query", 2, 20, 3)
    ]
    assert [(one["host"], one["tokens"]["total"]) for one in told["logs"]["rows"]] == [("claude-code", 1200)]
    assert [(one["host"], one["model"], one["tokens_in"]) for one in told["turns"]] == [
        ("gemini-cli", "gemini-2.5-pro", 7)
    ]
    assert set(told) == {"schema", "zone", "since", "made", "scanned", "servers", "logs", "turns"}, "no sum over books"
    assert json.loads(run("leaderboard", "--json", "--connector", "other")[1])["servers"] == []
    here = json.loads(run("leaderboard", "--json", "--scope", "project")[1])
    assert (here["servers"], here["logs"]["rows"], here["turns"]) == ([], [], [])
    shown = run("leaderboard", "--zone", "Asia/Tokyo")[1]
    assert shown.splitlines()[0] == "Three books, the beginning to now (Asia/Tokyo)"
    assert "never added up" in shown
    assert str(1200 + 23 + 12) not in shown.replace(",", "")


# ---- export


@pytest.fixture
def rows(run: Run, log: Path) -> list[dict[str, Any]]:
    return json.loads(run("usage", "export", "--json")[1])


def test_export_has_each_unit_with_its_price(rows: list[dict[str, Any]]) -> None:
    assert [(row["input"], row["output"], row["usd"]) for row in rows] == [(1000, 0, 0.003), (0, 200, 0.003)]
    assert {row["price_key"] for row in rows} == {"anthropic/claude-sonnet-4-5"}
    assert {row["project_name"] for row in rows} == {"shop"}


def test_every_format_says_the_same(run: Run, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    lines = run("usage", "export", "--format", "ndjson", "--no-scan")[1].splitlines()
    assert [json.loads(line) for line in lines] == rows
    table = list(csv.DictReader(io.StringIO(run("usage", "export", "--no-scan")[1], newline="")))
    assert table == [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]
    code, out, _ = run(
        "usage", "export", "--format", "parquet", "--no-scan", "--output", str(tmp_path / "u.parquet"), "--json"
    )
    assert (code, json.loads(out)["rows"]) == (0, 2)
    parquet: Any = importlib.import_module("pyarrow.parquet")  # untyped
    read = parquet.read_table(tmp_path / "u.parquet").to_pylist()
    assert [row | {"time": round(row["time"].timestamp() * 1000)} for row in read] == rows


def test_parquet_without_its_package_says_how_to_have_it(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, err = run("usage", "export", "--format", "parquet")
    assert code == 1
    assert "'.[parquet]'" in err


def test_a_formula_in_a_name_stays_text_in_a_table(run: Run, log: Path) -> None:
    log.write_text(answer(9, time.time(), input_tokens=1).replace("claude-sonnet-4-5-20250929", "=1+1") + "\n")
    (row,) = csv.DictReader(io.StringIO(run("usage", "export", "--since", "1h")[1]))
    assert row["model"] == "'=1+1"


# ---- live


def test_live_gives_a_line_of_json_for_each_look(run: Run, log: Path) -> None:
    lines = run("usage", "live", "--json", "--count", "2", "--interval", "0.1", "--host", "claude-code")[1].splitlines()
    first, second = map(json.loads, lines)
    assert (first["schema"], first["today"]["requests"] <= 2, len(second["minutes"])) == (
        "agent-connector/usage-live/1",
        True,
        60,
    )
    assert second["tokens_per_minute"] == 1200 / 5


def test_live_ends_quietly_on_ctrl_c(log: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "agent_connector",
        "usage",
        "live",
        "--json",
        "--interval",
        "0.1",
        "--host",
        "claude-code",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)) as child:
        assert child.stdout is not None
        assert json.loads(child.stdout.readline())["today"]["requests"] == 2
        with log.open("a") as file:
            file.write(answer(3, time.time(), input_tokens=1) + "\n")
        while json.loads(child.stdout.readline())["today"]["requests"] < 3:
            pass
        child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=30)
    assert (child.returncode, err) == (0, b"")


# ---- prices


def test_show_a_price(run: Run, root: Path) -> None:
    code, out, _ = run("usage", "prices", "show", "claude-opus-4-6", "--at", "2026-02-01", "--json")
    told = json.loads(out)
    assert (code, told["at"]) == (0, "2026-02-01")
    assert [(rate["context_over"], rate["usd_per_million"]["input"]) for rate in told["rates"]] == [
        (0, 5),
        (200_000, 10),
    ]
    assert {rate["until"] for rate in told["rates"]} == {"2026-03-12"}
    code, out, _ = run("usage", "prices", "show", "no-such-model")
    assert code == 1
    assert "prices.toml" in out
    root.mkdir()
    (root / "prices.toml").write_text(out[out.index("[[price]]") :])
    assert run("usage", "prices", "show", "no-such-model")[0] == 0, "what it advises works as it stands"


def test_a_mistake_in_the_file_is_told_where_it_is(run: Run, root: Path, log: Path) -> None:
    root.mkdir()
    (root / "prices.toml").write_text('[[price]]\nmodel = "x"\nprice = 1\n')
    code, _, err = run("usage", "report")
    assert code == 1
    assert "prices.toml:3" in err


LISTED = [
    {
        "id": "acme", "name": "Acme", "api_pattern": "acme", "model_match": {"starts_with": "acme-"},
        "models": [{"id": "acme-1", "match": {"equals": "acme-1"}, "prices": {"input_mtok": 9, "output_mtok": 18}}],
    }
]  # fmt: skip


@pytest.fixture
def published() -> Iterator[tuple[str, list[bytes]]]:
    """The address of a list of prices, and what it answers with (the last one stays)."""
    answers = [json.dumps(LISTED).encode()]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answers[-1])

        def log_message(self, format: str, *args: Any) -> None:
            return

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/prices.json", answers
        server.shutdown()


def test_newer_prices_come_only_when_asked_for(run: Run, published: tuple[str, list[bytes]]) -> None:
    url, answers = published
    assert run("usage", "prices", "show", "acme-1")[0] == 1
    assert run("usage", "prices", "update", "--url", url)[0] == 0
    told = json.loads(run("usage", "prices", "show", "acme-1", "--json")[1])["rates"]
    assert [(one["key"], one["usd_per_million"]["output"], one["version"][:9]) for one in told] == [
        ("acme/acme-1", 18, "fetched 2")
    ]
    for broken in (b"<html>", b"{}", b"[]", b'[{"id": 1}]'):
        answers.append(broken)
        code, _, err = run("usage", "prices", "update", "--url", url)
        assert code == 1
        assert "the prices that are here go on" in err
    assert run("usage", "prices", "show", "acme-1")[0] == 0
