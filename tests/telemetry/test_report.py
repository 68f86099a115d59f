"""The report, the export, and the command line around them."""

import csv
import io
import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent_connector.cli.main import main
from agent_connector.errors import AgentConnectorError
from agent_connector.home import moments
from agent_connector.telemetry import append, export, report, show

EXACT, ROUGH = "tokenizer-exact", "heuristic"
DAY = 86_400_000


def put(root: Path, age: float = 0, book: str = "", **fields: Any) -> None:
    row = {"scope": "call", "connector": "acme-db", "host": "codex", "surface": "server", "tool": "query", "session": "s1",
           "project": "aa11", "project_name": "shop", "source": EXACT, "in": 10, "out": 100, "ms": 4.0}  # fmt: skip
    t = time.time_ns() // 1_000_000 - round(age * DAY)
    assert append.append(str(root), row | {"t": t} | fields, book)


def lines(made: report.Report) -> list[tuple[str, ...]]:
    return [tuple(line.key.values()) for line in made.lines]


@pytest.fixture
def root(home: Path) -> Path:
    return home / "data"


def test_sums_by_tool_largest_first(root: Path) -> None:
    put(root)
    put(root, ms=8.0, error=1)
    put(root, tool="write", out=5000, source=ROUGH)
    write, query = report.make(str(root)).lines
    assert dict(write.key) == {"connector": "acme-db", "scope": "call", "tool": "write"}
    assert (query.calls, query.errors, query.tokens_in, query.tokens_out) == (2, 1, 20, 200)
    assert (query.ms, query.ms_most) == (6.0, 8.0)
    assert (query.confidence, write.confidence) == ("exact", "heuristic")


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("session", {"s1", "s2"}),
        ("host", {"codex", "cursor"}),
        ("project", {"aa11", "bb22"}),
        ("connector", {"acme-db"}),
    ],
)
def test_sums_by_other_keys(root: Path, by: str, keys: set[str]) -> None:
    put(root)
    put(root, session="s2", host="cursor", project="bb22")
    made = report.make(str(root), by)
    assert {line.key[by] for line in made.lines} == keys
    assert sum(line.calls for line in made.lines) == 2


def test_projects_of_one_name_are_two(root: Path) -> None:
    put(root)
    put(root, project="bb22")
    made = report.make(str(root), "project")
    assert sorted(line.key["project"] for line in made.lines) == ["aa11", "bb22"]
    assert show.as_text(made).count("shop (") == 2


def test_several_sources_are_told_by_their_shares(root: Path) -> None:
    put(root, **{"in": 0, "out": 900})
    put(root, **{"in": 0, "out": 100, "source": ROUGH})
    assert report.make(str(root)).lines[0].confidence == "exact 90%, heuristic 10%"


@pytest.mark.parametrize(("since", "calls"), [("", 4), ("30d", 3), ("3d", 2), ("90m", 1), ("2w", 3)])
def test_since_counts_to_the_minute_also_within_its_first_day(root: Path, since: str, calls: int) -> None:
    for age in (0, 2.5, 10, 45):
        put(root, age)
    made = report.make(str(root), since=since)
    assert sum(line.calls for line in made.lines) == calls


def test_since_may_be_a_date(root: Path) -> None:
    put(root)
    put(root, age=40)
    date = time.strftime("%Y-%m-%d", time.localtime(time.time() - 86_400))
    assert sum(line.calls for line in report.make(str(root), since=date).lines) == 1


@pytest.mark.parametrize("since", ["tomorrow", "7x", "2026-13-45", "-3d", "d"])
def test_what_is_no_time_is_refused_with_a_remedy(root: Path, since: str) -> None:
    with pytest.raises(AgentConnectorError, match="7d, 24h"):
        report.make(str(root), since=since)


def test_definitions_are_those_of_the_last_fetch(root: Path) -> None:
    for tool, out, age in (("a", 50, 2), ("gone", 70, 2), ("a", 60, 0), ("b", 40, 0)):
        put(root, age, scope="tool_defs", tool=tool, out=out, **{"in": 0})
    (found,) = report.make(str(root)).definitions
    assert (found.connector, found.host, found.tools, found.tokens, found.confidence) == (
        "acme-db",
        "codex",
        2,
        100,
        "exact",
    )
    assert "acme-db in codex puts 100 tokens (2 tools, exact)" in show.as_text(report.make(str(root)))


def test_definitions_are_no_part_of_the_calls(root: Path) -> None:
    put(root, scope="tool_defs", out=999)
    put(root, scope="model_turn", out=999)
    assert not report.make(str(root)).lines


def test_hooks_are_told_apart(root: Path) -> None:
    put(root)
    put(root, scope="hook", surface="hooks", tool="Bash", source=ROUGH)
    assert {line.key["scope"] for line in report.make(str(root), "host").lines} == {"call", "hook"}


def manifest(root: Path, name: str, transport: str, **more: Any) -> None:
    folder = root / "connectors" / name
    folder.mkdir(parents=True)
    (folder / "connector.json").write_text(json.dumps({"id": name, "server": {"transport": transport}, **more}))


def test_remote_servers_that_nobody_counts_are_named(root: Path) -> None:
    manifest(root, "far", "http")
    manifest(root, "bridged", "sse")
    manifest(root, "near", "stdio")
    put(root, connector="bridged")
    made = report.make(str(root))
    assert list(made.unmeasured) == ["far"]
    assert "far is a remote server; install it with --measure-remote" in show.as_text(made)


def test_a_projects_own_book_is_read_beside_homes(root: Path, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    put(root)
    put(root, book=str(project / ".agent-connector"))
    assert report.make(str(root), project=str(project)).lines[0].calls == 2
    assert report.make(str(root), project=str(tmp_path)).lines[0].calls == 1
    assert report.make(str(root)).lines[0].calls == 1


def test_a_repository_cannot_have_its_book_somewhere_else(root: Path, tmp_path: Path) -> None:
    """Reading folds, so it writes: a book that is a link would write into whatever the link names."""
    project, victim = tmp_path / "shop", tmp_path / "victim.db"
    (project / ".git").mkdir(parents=True)
    put(root, book=str(project / ".agent-connector"))
    with closing(sqlite3.connect(victim)) as connection:
        connection.execute("CREATE TABLE mine (a)")
    before = victim.read_bytes()
    (project / ".agent-connector" / "telemetry" / "telemetry.db").symlink_to(victim)
    put(root)
    assert report.make(str(root), project=str(project)).lines[0].calls == 1
    assert victim.read_bytes() == before


@pytest.mark.parametrize(
    "word", ["9" * 23 + "d", "9" * 400 + "d", "1969-01-01", "9999-12-31", "\u0663d", "-1d", "2026-02-30"]
)
def test_what_is_no_time_is_said(root: Path, word: str) -> None:
    put(root)
    with pytest.raises(AgentConnectorError, match="is no time"):
        report.make(str(root), since=word)
    assert report.make(str(root), since="999999w").lines and report.make(str(root), since="today").lines


def test_counts_are_dropped_as_the_manifest_says(root: Path) -> None:
    manifest(root, "acme-db", "stdio", telemetry={"keep_days": 7})
    put(root, age=20)
    put(root)
    assert report.make(str(root)).lines[0].calls == 1


def test_a_broken_manifest_is_no_error(root: Path) -> None:
    manifest(root, "x", "http")
    (root / "connectors" / "x" / "connector.json").write_text("{")
    put(root)
    assert len(report.make(str(root)).lines) == 1


def test_an_empty_book_says_so(root: Path) -> None:
    assert show.as_text(report.make(str(root))) == show.NOTHING


def test_the_head_tells_the_time_and_its_zone_and_days_follow_one_another(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        put(root, age=9, out=500)
        put(root, age=2, out=700)
        put(root, out=20)
        days = report.make(str(root), "day", "yesterday")
        assert [line.tokens_out for line in days.lines] == [20]
        head = show.as_text(days).splitlines()[0]
        assert head.startswith("Counts by day, 20") and head.endswith("00:00 to now (America/New_York)")
        days = report.make(str(root), "day")
        assert [line.tokens_out for line in days.lines] == [500, 700, 20]
        text = show.as_text(report.make(str(root)))
        assert text.splitlines()[0] == "Counts by tool, the beginning to now (America/New_York)"
        assert len(text.splitlines()[1].split("  ")[0]) == 10, "one column of the curve for each day"
        tokyo = report.make(str(root), since="2026-11-01", zone=moments.zone("Asia/Tokyo"))
        assert moments.zone("Asia/Tokyo").told(tokyo.first) == "2026-11-01 00:00"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_nothing_in_a_time_is_not_nothing_at_all(root: Path) -> None:
    put(root, age=9)
    text = show.as_text(report.make(str(root), since="7d"))
    assert text.startswith("Nothing was counted, 20") and show.NOTHING not in text


def test_a_row_for_many_calls_counts_as_many(root: Path) -> None:
    put(root, n=50, error=1)
    (line,) = report.make(str(root)).lines
    assert (line.calls, line.errors) == (50, 50)


def test_export_as_csv_and_json(root: Path) -> None:
    put(root, tool="=cmd()")
    put(root, age=10)
    to = io.StringIO()
    assert export.export(str(root), "csv", to) == 2
    to.seek(0)
    older, newer = csv.DictReader(to)
    assert int(older["t"]) < int(newer["t"])
    assert (newer["tool"], newer["project_name"], newer["tokens_out"]) == ("'=cmd()", "shop", "100")
    to = io.StringIO()
    assert export.export(str(root), "json", to, since="7d") == 1
    (row,) = json.loads(to.getvalue())
    assert (row["tool"], row["source"], row["ms"]) == ("=cmd()", EXACT, 4.0)
    to = io.StringIO()
    assert export.export(str(root), "json", to, since="1m") == 1
    to = io.StringIO()
    assert export.export(str(root.parent / "none"), "json", to) == 0
    assert json.loads(to.getvalue()) == []


def run(*words: str) -> tuple[int, str]:
    from contextlib import redirect_stderr, redirect_stdout

    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = main(["telemetry", *words])
    return code, out.getvalue()


def test_the_command_line_reports(root: Path) -> None:
    put(root)
    code, text = run("report", "--by", "host", "--since", "7d")
    assert code == 0
    assert "codex" in text
    code, text = run("report", "--json")
    assert json.loads(text)["rows"][0]["tokens_out"] == 100


def test_the_command_line_refuses_with_its_codes(root: Path) -> None:
    assert run("report", "--by", "colour")[0] == 2
    code, text = run("report", "--since", "never", "--json")
    assert code == 2
    assert "7d" in json.loads(text)["error"]["remedy"]
    assert run("off", "--layer", "moon")[0] == 1
    assert run("off", "--layer", "hook", "--connector", "x")[0] == 2


def test_the_command_line_exports(root: Path, tmp_path: Path) -> None:
    put(root)
    assert run("export", "--output", str(tmp_path / "x.csv"))[0] == 0
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 2
    assert json.loads(run("export", "--json")[1])[0]["tool"] == "query"


def test_the_command_line_switches(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert json.loads(run("off", "--connector", "acme-db", "--json")[1]) == {
        "on": True, "variable": None, "off_connectors": ["acme-db"], "off_layers": []}  # fmt: skip
    assert not append.enabled(str(root), "acme-db")
    assert "counting is off" in run("off")[1]
    assert "counting is on" in run("on")[1]
    assert run("on", "--connector", "acme-db")[1] == "counting is on\n"
    monkeypatch.setenv("AGENT_CONNECTOR_TELEMETRY", "0")
    assert "AGENT_CONNECTOR_TELEMETRY=0" in run("status")[1]


def test_the_command_line_calibrates(root: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("hello world " * 100)
    code, text = run(
        "calibrate", "--family", "claude", "--text", str(tmp_path / "text.txt"), "--tokens", "302", "--json"
    )
    assert (code, json.loads(text)["family"]) == (0, "claude")
    from agent_connector.telemetry import calibration, tokenizer

    count = tokenizer.load(calibration.read(str(root))).text("hello world " * 100, "claude")
    assert (count.tokens, count.source) == (302, "tokenizer-calibrated")
    assert run("calibrate", "--family", "claude", "--text", str(tmp_path / "text.txt"), "--tokens", "9")[0] == 1


@pytest.mark.parametrize("verb", ["report", "export", "on", "off", "status", "calibrate"])
def test_every_help_has_an_example(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["telemetry", verb, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"agent-connector telemetry {verb}" in shown
    assert "--json" in shown
