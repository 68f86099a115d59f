"""What Hermes Agent's databases say of its model calls."""

import sqlite3

import pytest

from agent_connector.hosts.records import UnknownFormat

SESSIONS = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, parent_session_id TEXT, started_at REAL, ended_at REAL,
  message_count INTEGER, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER,
  reasoning_tokens INTEGER, api_call_count INTEGER, billing_provider TEXT, billing_mode TEXT, estimated_cost_usd REAL,
  actual_cost_usd REAL, cost_status TEXT, cost_source TEXT, title TEXT, cwd TEXT)
"""
PARTS = """
CREATE TABLE session_model_usage (session_id TEXT, model TEXT, billing_provider TEXT, billing_base_url TEXT, billing_mode TEXT,
  task TEXT, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER,
  reasoning_tokens INTEGER, api_call_count INTEGER, estimated_cost_usd REAL, actual_cost_usd REAL, first_seen REAL, last_seen REAL)
"""
COUNTS = {
    "input_tokens": 1245,
    "output_tokens": 495,
    "cache_read_tokens": 2100,
    "reasoning_tokens": 21,
    "api_call_count": 3,
}


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.executescript(f"{SESSIONS};{PARTS};")
    yield connection
    connection.close()


def put(database, table, row):
    marks = ", ".join("?" * len(row))
    database.execute(f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))  # noqa: S608


def session(database, name="s-1", **more):
    row = {
        "id": name,
        "model": "m-1",
        "billing_provider": "p",
        "started_at": 1_796_000_000.5,
        "cwd": "/home/ada/project",
    }
    put(database, "sessions", row | COUNTS | more)


def part(database, name="s-1", task="", seen=1_796_055_000.25, **more):
    database.execute("DELETE FROM session_model_usage WHERE session_id = ? AND task = ?", (name, task))
    row = {"session_id": name, "model": "m-1", "billing_provider": "p", "task": task, "last_seen": seen}
    put(database, "session_model_usage", row | COUNTS | more)


def test_the_parts_of_a_session_count_and_not_its_own_row(log, database):
    session(database)
    part(database, estimated_cost_usd=0.5)
    part(
        database,
        task="title_generation",
        input_tokens=100,
        output_tokens=9,
        cache_read_tokens=0,
        reasoning_tokens=0,
        api_call_count=1,
    )
    found = log.read("state", database)
    assert log.total(found) == {
        "input": 1345,
        "cache_read": 2100,
        "output": 504,
        "reasoning": 21,
        "requests": 4,
        "cost": 0.5,
    }
    assert {each.agent for each in found} == {"", "auxiliary"}
    assert (found[0].project, found[0].provider, found[0].time) == ("/home/ada/project", "p", 1_796_055_000_250)


def test_what_was_charged_goes_before_what_was_estimated(log, database):
    session(database)
    part(database, estimated_cost_usd=0.5, actual_cost_usd=0.25)
    assert log.read("state", database)[0].cost == 0.25


def test_a_sum_that_grew_is_replaced_and_dated_by_its_last_call(log, database):
    session(database)
    session(database, "s-2")
    part(database, seen=10.0)
    part(database, "s-2", seen=20.0)
    before = log.read("state", database)
    part(database, seen=1_796_060_000.0, input_tokens=2000)
    after = log.read("state", database)
    assert {each.session for each in after} == {"s-1", "s-2"}
    assert log.total(before, after)["input"] == 2000 + 1245 and log.total(before, after)["requests"] == 6
    assert max(each.time for each in after) == 1_796_060_000_000


def test_a_session_of_a_version_without_parts(log, database):
    session(database, ended_at=1_796_001_000.0)
    found = log.read("state", database)
    assert log.total(found) == {"input": 1245, "cache_read": 2100, "output": 495, "reasoning": 21, "requests": 3}
    assert found[0].time == 1_796_001_000_000
    part(database)
    assert log.total(found, log.read("state", database), log.read("state", database))["requests"] == 3


def test_the_child_that_compressing_makes_has_its_own_calls(log, database):
    session(database)
    session(database, "s-2", parent_session_id="s-1")
    part(database)
    part(database, "s-2", input_tokens=7)
    found = {each.session: each for each in log.read("state", database)}
    assert found["s-2"].parent == "s-1" and log.total(found.values())["input"] == 1252


def test_an_older_schema_without_folders(log):
    old = sqlite3.connect(":memory:")
    old.execute(
        "CREATE TABLE sessions (id TEXT, model TEXT, started_at REAL, input_tokens INTEGER, output_tokens INTEGER)"
    )
    old.execute("INSERT INTO sessions VALUES ('s', 'm', 1796000000.0, 5, 2), ('never used', 'm', 1.0, 0, 0)")
    found = log.read("state", old)
    assert log.total(found) == {"input": 5, "output": 2, "requests": 1} and found[0].project == ""
    old.close()


def test_another_database_is_named(log):
    other = sqlite3.connect(":memory:")
    with pytest.raises(UnknownFormat, match="no table sessions"):
        log.read("state", other)
    other.close()


def test_where_the_databases_lie(log):
    assert log.places() == [
        ("/home/ada/.hermes", "state.db", "state"),
        ("/home/ada/.hermes/profiles", "*/state.db", "state"),
    ]
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\AppData\\Local\\hermes"
    assert log.places(HERMES_HOME="/h")[1][0] == "/h/profiles"
