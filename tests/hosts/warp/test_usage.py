"""What Warp's database says of its agent's model calls."""

import json
import sqlite3

import pytest

from agent_connector.hosts.records import UnknownFormat

SCHEMA = """
CREATE TABLE agent_conversations (id INTEGER PRIMARY KEY NOT NULL, conversation_id TEXT NOT NULL UNIQUE,
  conversation_data TEXT NOT NULL, last_modified_at TIMESTAMP NOT NULL, summary TEXT);
CREATE TABLE ai_queries (id INTEGER PRIMARY KEY NOT NULL, exchange_id TEXT, conversation_id TEXT, start_ts DATETIME, input TEXT,
  working_directory TEXT, output_status TEXT, model_id TEXT, planning_model_id TEXT, coding_model_id TEXT);
"""


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    yield connection
    connection.close()


def put(database, tokens, name="c-1", changed="2026-11-30 16:00:00.5", credits=2.5):
    usage = [{"model_id": model, "warp_tokens": own, "byok_tokens": key} for model, own, key in tokens]
    data = json.dumps({"conversation_usage_metadata": {"credits_spent": credits, "token_usage": usage}})
    sql = (
        "INSERT INTO agent_conversations (conversation_id, conversation_data, last_modified_at) VALUES (?, ?, ?) ON CONFLICT"
        " (conversation_id) DO UPDATE SET conversation_data = excluded.conversation_data, last_modified_at = excluded.last_modified_at"
    )
    database.execute(sql, (name, data, changed))


def test_a_total_for_each_model_with_the_credits_once(log, database):
    put(database, [("m-1", 100, 0), ("m-2", 5000, 50)])
    database.executemany(
        "INSERT INTO ai_queries (conversation_id, working_directory) VALUES ('c-1', ?)",
        [("/home/ada/project",), (None,), ("/home/ada/app",), (None,)],
    )
    found = log.read("conversations", database)
    assert log.total(found) == {"input": 5150, "requests": 4, "credits": 2.5}
    one = found[0]
    assert (one.model, one.input, one.credits, one.cost, one.project) == ("m-2", 5050, 2.5, None, "/home/ada/app")
    assert one.time == 1_796_054_400_500
    assert {each.source for each in found} == {"host-estimated"}


def test_a_total_that_grew_is_replaced(log, database):
    put(database, [("m-1", 100, 0)])
    put(database, [("m-1", 7, 0)], "c-2", "2026-11-30 15:00:00")
    before = log.read("conversations", database)
    put(database, [("m-1", 300, 0)], changed="2026-11-30 17:00:00", credits=4)
    after = log.read("conversations", database)
    assert {each.session for each in after} <= {"c-1", "c-2"} and log.total(before, after)["input"] == 307
    assert log.total(before, after)["credits"] == 6.5


def test_the_account_s_sums_of_another_program_are_not_added(log):
    assert not any("tokscale" in folder for folder, _, _ in log.places())


def test_a_conversation_without_counts_is_no_unit(log, database):
    put(database, [], credits=0)
    database.execute("INSERT INTO agent_conversations VALUES (9, 'x', '[', '2026-11-30', NULL)")
    assert log.read("conversations", database) == []


def test_another_database_is_named(log):
    other = sqlite3.connect(":memory:")
    with pytest.raises(UnknownFormat, match="no table agent_conversations"):
        log.read("conversations", other)
    other.close()


def test_where_the_databases_lie(log):
    assert log.places()[0] == ("/home/ada/.local/state", "warp-terminal*/warp.sqlite", "conversations")
    assert "/Users/ada/Library/Group Containers/2BBY89MBSN.dev.warp/Library/Application Support" in [
        each[0] for each in log.places("darwin")
    ]
    assert log.places("win32")[0][:2] == ("C:\\Users\\ada\\AppData\\Local\\warp", "*/data/warp.sqlite")
    assert log.places(XDG_STATE_HOME="/s")[0][0] == "/s"
