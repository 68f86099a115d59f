"""What goose's database says of its model calls."""

import json
import sqlite3

import pytest

from agent_connector.hosts.records import UnknownFormat

SESSIONS = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
  created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
  total_tokens INTEGER, input_tokens INTEGER, output_tokens INTEGER, cache_read_tokens INTEGER, cache_write_tokens INTEGER,
  accumulated_total_tokens INTEGER, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER,
  accumulated_cache_read_tokens INTEGER, accumulated_cache_write_tokens INTEGER, accumulated_cost REAL,
  provider_name TEXT, model_config_json TEXT, parent_session_id TEXT)
"""
LEDGER = """
CREATE TABLE usage_ledger (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, created_timestamp INTEGER,
  model TEXT, input_tokens INTEGER, output_tokens INTEGER, total_tokens INTEGER, cache_read_tokens INTEGER,
  cache_write_tokens INTEGER, cost REAL, cost_source TEXT, is_compaction BOOLEAN)
"""


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.executescript(f"{SESSIONS};{LEDGER};")
    yield connection
    connection.close()


def session(database, name="20251108_1", **more):
    row = {
        "id": name,
        "working_dir": "/home/ada/project",
        "provider_name": "anthropic",
        "updated_at": "2026-11-30 16:00:00",
    }
    row |= {"model_config_json": json.dumps({"model_name": "m-1"})} | more
    marks = ", ".join("?" * len(row))
    database.execute(f"INSERT OR REPLACE INTO sessions ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))  # noqa: S608


def call(
    database,
    session="20251108_1",
    model="m-1",
    whole=1000,
    output=50,
    read=700,
    write=100,
    total=None,
    stamp=1_796_055_000,
):
    total = whole + output if total is None else total
    row = (session, stamp, model, whole, output, total, read, write, 0.01, "provider", False)
    database.execute("INSERT INTO usage_ledger VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def test_a_row_for_each_call(log, database):
    session(database, accumulated_input_tokens=1000, accumulated_output_tokens=50)
    call(database)
    found = log.read("sessions", database)
    assert log.total(found) == {
        "input": 200,
        "cache_read": 700,
        "cache_write_5m": 100,
        "output": 50,
        "requests": 1,
        "cost": 0.01,
    }
    one = found[0]
    assert (one.model, one.provider, one.project, one.time) == (
        "m-1",
        "anthropic",
        "/home/ada/project",
        1_796_055_000_000,
    )


def test_a_provider_that_counts_what_is_cached_apart(log, database):
    session(database)
    call(database, whole=200, total=200 + 700 + 100 + 50)
    assert log.total(log.read("sessions", database))["input"] == 200


def test_times_in_ms_are_taken_as_such(log, database):
    session(database)
    call(database, stamp=1_796_055_000_123)
    assert log.read("sessions", database)[0].time == 1_796_055_000_123


def test_only_new_rows_are_read_again(log, database):
    session(database)
    call(database, stamp=1)
    call(database, stamp=2)
    before = log.read("sessions", database)
    call(database, stamp=3)
    later = log.read("sessions", database)
    assert len(before) == 2 and len(later) == 2 and log.total(before, later)["requests"] == 3


def test_a_session_from_before_the_ledger_is_counted_by_its_sums(log, database):
    sums = {"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050, "cache_read_tokens": 700, "cost": 0.5}
    session(database, **{f"accumulated_{name}": value for name, value in sums.items()}, input_tokens=9, output_tokens=9)
    found = log.read("sessions", database)
    assert log.total(found) == {"input": 300, "cache_read": 700, "output": 50, "requests": 1, "cost": 0.5}
    assert (found[0].model, found[0].time) == ("m-1", 1_796_054_400_000)


def test_sums_that_grow_replace_what_they_were(log, database):
    session(database, accumulated_input_tokens=10, accumulated_output_tokens=1)
    before = log.read("sessions", database)
    session(database, accumulated_input_tokens=30, accumulated_output_tokens=2)
    assert log.total(before, log.read("sessions", database)) == {"input": 30, "output": 2, "requests": 1}


def test_rows_take_the_place_of_the_sums_once_there_are_some(log, database):
    session(database, accumulated_input_tokens=10, accumulated_output_tokens=1)
    before = log.read("sessions", database)
    call(database, whole=40, read=0, write=0, output=4)
    after = log.read("sessions", database)
    assert log.total(before, after)["input"] == 40 and log.total(before, after)["requests"] == 1
    assert log.total(before, after, log.read("sessions", database))["input"] == 40


def test_a_deleted_session_stays_paid(log, database):
    session(database, accumulated_input_tokens=10, accumulated_output_tokens=1)
    before = log.read("sessions", database)
    database.execute("DELETE FROM sessions")
    assert log.total(before, log.read("sessions", database))["input"] == 10


def test_a_subagent_s_rows_are_its_own_and_count_beside_its_parent_s(log, database):
    session(database)
    session(database, "20251108_2", session_type="sub_agent", parent_session_id="20251108_1")
    call(database)
    call(database, "20251108_2")
    found = {each.session: each for each in log.read("sessions", database)}
    assert found["20251108_2"].parent == "20251108_1" and found["20251108_2"].agent == "subagent"
    assert log.total(found.values())["requests"] == 2


def test_an_older_schema_without_a_ledger_or_cached_tokens(log):
    old = sqlite3.connect(":memory:")
    old.execute(
        "CREATE TABLE sessions (id TEXT, working_dir TEXT, updated_at TEXT, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER)"
    )
    old.execute("INSERT INTO sessions VALUES ('s', '/p', '2025-11-08 10:00:00', 7, 3)")
    assert log.total(log.read("sessions", old)) == {"input": 7, "output": 3, "requests": 1}
    old.close()


def test_another_database_is_named(log):
    other = sqlite3.connect(":memory:")
    other.execute("CREATE TABLE sessions (name TEXT)")
    with pytest.raises(UnknownFormat, match="table sessions without id"):
        log.read("sessions", other)
    other.close()


def test_where_the_database_lies(log):
    assert log.places() == [("/home/ada/.local/share/goose/sessions", "sessions.db", "sessions")]
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\AppData\\Roaming\\Block\\goose\\data\\sessions"
    assert [each[0] for each in log.places("darwin")] == [
        "/Users/ada/.local/share/goose/sessions",
        "/Users/ada/Library/Application Support/goose/sessions",
        "/Users/ada/Library/Application Support/Block/goose/sessions",
    ]
    assert log.places(GOOSE_PATH_ROOT="/g")[0][0] == "/g/data/sessions"
