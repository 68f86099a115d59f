"""What Zed's threads say of its model calls."""

import json
import sqlite3

import pytest
import zstandard

from agent_connector.hosts.records import UnknownFormat

SCHEMA = """
CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL,
  data BLOB NOT NULL, parent_id TEXT, folder_paths TEXT, folder_paths_order TEXT, created_at TEXT)
"""
ONE = {"input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 300}
COUNTS = {"input": 10, "output": 5, "cache_write_5m": 20, "cache_read": 300, "requests": 1}


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.execute(SCHEMA)
    yield connection
    connection.close()


def put(
    database,
    thread,
    name="t-1",
    updated="2026-11-30T16:00:00.123456Z",
    packed=True,
    paths="/home/ada/project\n/home/ada/other",
):
    body = json.dumps({"version": "0.3.0", "model": {"provider": "zed.dev", "model": "m-1"}} | thread).encode()
    data, kind = (zstandard.compress(body), "zstd") if packed else (body, "json")
    row = (name, "s", updated, kind, data, paths)
    database.execute(
        "INSERT OR REPLACE INTO threads (id, summary, updated_at, data_type, data, folder_paths) VALUES (?, ?, ?, ?, ?, ?)",
        row,
    )


@pytest.mark.parametrize("packed", [True, False])
def test_a_thread_compressed_or_not(log, database, packed):
    put(database, {"request_token_usage": {"u-1": ONE}}, packed=packed)
    found = log.read("threads", database)
    assert log.total(found) == COUNTS
    one = found[0]
    assert (one.session, one.model, one.provider, one.project) == ("t-1", "m-1", "zed.dev", "/home/ada/project")
    assert one.time == 1_796_054_400_123


def test_a_turn_with_tools_keeps_only_its_last_call_but_the_sum_has_all(log, database):
    all_calls = {
        "input_tokens": 50,
        "output_tokens": 25,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 900,
    }
    put(database, {"request_token_usage": {"u-1": ONE}, "cumulative_token_usage": all_calls})
    assert log.total(log.read("threads", database))["input"] == 50


def test_a_version_that_kept_no_sum_is_counted_by_its_messages(log, database):
    zeros = dict.fromkeys(ONE, 0)
    put(database, {"request_token_usage": [ONE, zeros, ONE], "cumulative_token_usage": zeros})
    assert log.total(log.read("threads", database)) == {
        "input": 20,
        "output": 10,
        "cache_write_5m": 40,
        "cache_read": 600,
        "requests": 2,
    }


def test_a_thread_is_rewritten_in_place_and_replaced(log, database):
    put(database, {"request_token_usage": {"u-1": ONE}})
    put(database, {"request_token_usage": {"u-1": ONE}}, "t-2", "2026-11-30T15:00:00Z")
    before = log.read("threads", database)
    put(database, {"request_token_usage": {"u-1": ONE, "u-2": ONE}}, updated="2026-11-30T17:00:00Z")
    after = log.read("threads", database)
    assert [each.session for each in after] == ["t-1"] and log.total(before, after)["input"] == 30


def test_a_thread_from_another_machine_is_not_counted(log, database):
    put(database, {"request_token_usage": {"u-1": ONE}, "imported": True})
    assert log.read("threads", database) == []


def test_models_of_other_providers_count_too(log, database):
    put(database, {"request_token_usage": {"u-1": ONE}, "model": {"provider": "copilot_chat", "model": "m-2"}})
    assert log.read("threads", database)[0].provider == "copilot_chat"


def test_a_thread_that_unpacks_to_more_than_any_thread_is_left_out(log, database):
    put(database, {"request_token_usage": {"u-1": ONE}})
    bomb = zstandard.compress(b" " * (40 << 20))
    database.execute(
        "INSERT INTO threads (id, summary, updated_at, data_type, data) VALUES ('b', '', '2026', 'zstd', ?)", (bomb,)
    )
    assert [each.session for each in log.read("threads", database)] == ["t-1"]


def test_a_way_of_storing_threads_that_was_never_seen_is_named(log, database):
    database.execute(
        "INSERT INTO threads (id, summary, updated_at, data_type, data) VALUES ('x', '', '2027', 'brotli', x'0102')"
    )
    with pytest.raises(UnknownFormat, match="neither JSON nor compressed JSON"):
        log.read("threads", database)


def test_an_older_table_without_folders(log):
    old = sqlite3.connect(":memory:")
    old.execute("CREATE TABLE threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB)")
    old.execute(
        "INSERT INTO threads VALUES ('t', '', '2025-11-30T16:00:00Z', 'json', ?)",
        (json.dumps({"cumulative_token_usage": ONE}),),
    )
    assert log.total(log.read("threads", old)) == COUNTS
    old.close()


def test_where_the_database_lies(log):
    assert log.places() == [("/home/ada/.local/share/zed/threads", "threads.db", "threads")]
    assert log.places("darwin")[0][0] == "/Users/ada/Library/Application Support/Zed/threads"
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\AppData\\Local\\Zed\\threads"
    assert log.places(XDG_DATA_HOME="/x")[0][0] == "/x/zed/threads"
    assert log.places(AGENT_CONNECTOR_ZED_DIR="/z")[0][0] == "/z/threads"
