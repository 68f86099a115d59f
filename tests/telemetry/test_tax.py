"""What is paid in every turn: definitions and content, percentiles per tool, the ranking, and books of an older schema."""

import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from agent_connector.cli.main import main
from agent_connector.errors import TelemetryError
from agent_connector.home import paths
from agent_connector.telemetry import append, footprint, report, show, store

DECLARED = """
id = "acme-db"

[server]
command = "acme-db"

[[memory]]
text = "Use the acme-db tools for schema questions."

[[skill]]
name = "schema"
description = "How the schema is laid out."
body = "Tables are plural. Keys are named id. There is a lot more to say about each of them than about all of them."

[[command]]
name = "migrate"
description = "Plan a migration."
prompt = "Plan the migration: $ARGUMENTS"
"""
OLD = """
CREATE TABLE segments (name TEXT PRIMARY KEY, inode INTEGER NOT NULL, offset INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE rows (
    t INTEGER NOT NULL, scope TEXT NOT NULL, connector TEXT NOT NULL, host TEXT NOT NULL, surface TEXT NOT NULL,
    tool TEXT NOT NULL, session TEXT NOT NULL, project TEXT NOT NULL, family TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, source TEXT NOT NULL,
    ms REAL, error INTEGER NOT NULL, n INTEGER NOT NULL);
CREATE TABLE days (day TEXT NOT NULL, calls INTEGER NOT NULL);
CREATE TABLE projects (project TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


@pytest.fixture
def root(home: Path) -> Path:
    return home / "data"


def put(root: Path, **fields: Any) -> None:
    row = {"scope": "call", "connector": "acme-db", "host": "codex", "surface": "server", "tool": "query", "session": "s1",
           "source": "tokenizer-exact", "in": 10, "out": 90, "ms": 4.0}  # fmt: skip
    assert append.append(str(root), row | fields)


def define(root: Path, tokens: int, **fields: Any) -> None:
    put(root, scope="tool_defs", **{"in": 0, "out": tokens, "ms": 0, **fields})


def test_half_of_the_results_are_at_most_p50(root: Path) -> None:
    for size in (1, 2, 3, 4, 1000):
        put(root, out=size)
    put(root, tool="write", out=7)
    query, write = report.make(str(root)).lines
    assert (query.p50, write.p50, write.p95) == (3, 7, 7)
    assert query.p95 is not None and 960 <= query.p95 <= 1040
    assert "p95" in show.as_text(report.make(str(root)))
    assert report.make(str(root), "host").lines[0].p50 is None


def test_percentiles_of_the_last_hour_leave_out_what_was_before(root: Path) -> None:
    put(root, out=5)
    put(root, out=16, t=round((time.time() - 7200) * 1000))
    assert report.make(str(root), since="60m").lines[0].p95 == 5


def test_servers_are_summed_without_their_hooks(root: Path) -> None:
    put(root)
    put(root, scope="hook", surface="hooks", tool="PreToolUse", out=5000)
    (line,) = report.make(str(root), "server").lines
    assert (dict(line.key), line.tokens_out) == ({"connector": "acme-db"}, 90)


def test_the_tax_is_read_once_more_than_there_are_calls(root: Path) -> None:
    define(root, 500)
    for session in ("s1", "s1", "s2"):
        put(root, session=session)
    (tax,) = report.make(str(root)).taxes
    assert (tax.tokens, tax.sessions, tax.calls, tax.brought) == (500, 2, 3, 300)
    assert tax.read_at_least == 500 * 5
    text = show.as_text(report.make(str(root)))
    assert (
        "tax: acme-db in codex costs 500 tokens in every turn; 2 sessions read at least 2,500 of them, 8.3 times"
        in text
    )


def test_content_is_part_of_the_tax(root: Path, home: Path) -> None:
    (home / "connector.toml").write_text(DECLARED)
    assert main(["install", "-c", str(home / "connector.toml"), "-t", "claude-code"]) == 0
    define(root, 500, host="claude-code")
    put(root, host="claude-code")
    made = report.make(str(root))
    told = {one.surface: one for one in made.footprint}
    assert set(told) == {"memory", "skills", "commands"}
    assert told["memory"].always > 5 and told["memory"].used == 0
    assert told["skills"].used > told["skills"].always > 0
    assert made.taxes[0].tokens == 500 + sum(one.always for one in made.footprint)
    assert "content: acme-db puts" in show.as_text(made)
    assert main(["uninstall", "-c", "acme-db"]) == 0
    assert report.make(str(root)).footprint == []


def test_footprints_are_counted_once_for_each_declaration(
    root: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "connector.toml"
    file.write_text(DECLARED)
    assert main(["install", "-c", str(file), "-t", "claude-code"]) == 0
    first = footprint.read(str(root))
    with monkeypatch.context() as patch:
        patch.setattr("agent_connector.telemetry.tokenizer.load", lambda factors: pytest.fail("counted again"))
        assert footprint.read(str(root)) == first
    file.write_text(DECLARED.replace("schema questions", "every question that has to do with the schema"))
    assert main(["install", "-c", str(file), "-t", "claude-code"]) == 0
    assert sum(one.always for one in footprint.read(str(root))) > sum(one.always for one in first)


def test_the_leaderboard_tells_shares(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(root, tool="write", **{"in": 0, "out": 750})
    put(root, **{"in": 0, "out": 200})
    put(root, tool="list", **{"in": 0, "out": 50})
    assert main(["telemetry", "leaderboard", "--top", "2"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[3].split()[:5] == ["1.", "acme-db", "write", "750", "75.0%"]
    assert out[4].split()[3:5] == ["200", "20.0%"]
    assert out[5] == "and 1 more"
    main(["telemetry", "leaderboard", "--by", "server", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["rows"][0]["connector"], told["rows"][0]["share"]) == ("acme-db", 1)


def test_a_book_of_the_older_schema_gets_its_sums_anew(root: Path) -> None:
    path = Path(paths.telemetry_store(str(root)))
    path.parent.mkdir(parents=True)
    old = sqlite3.connect(path)
    old.executescript(OLD)
    now = time.time_ns() // 1_000_000
    for size in (1, 3, 1000):
        values = (
            now,
            "call",
            "acme-db",
            "codex",
            "server",
            "query",
            f"s{size}",
            "aa",
            "gpt",
            1,
            size,
            "heuristic",
            2.0,
            0,
            1,
        )
        old.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    old.commit()
    old.close()
    put(root, out=3)
    (line,) = report.make(str(root)).lines
    assert (line.calls, line.tokens_out, line.p50) == (4, 1007, 3)
    assert len(report.make(str(root), "session").lines) == 3


def test_a_book_of_a_newer_schema_is_left_alone(root: Path) -> None:
    put(root)
    with store.book(str(root)) as book:
        book.execute("PRAGMA user_version = 9")
    with pytest.raises(TelemetryError, match="schema 9"), store.book(str(root)):
        pass


def test_only_the_hosts_that_are_asked_for(root: Path) -> None:
    put(root, out=1)
    put(root, out=7, host="cursor")
    define(root, 500, host="cursor")
    made = report.make(str(root), hosts=("codex",))
    assert [(line.calls, line.tokens_out, line.p50) for line in made.lines] == [(1, 1, 1)]
    assert made.definitions == []
    assert report.make(str(root), since="60m", hosts=("cursor",)).lines[0].p95 == 7
