"""What Devin Local's database says of its model calls."""

import json
import sqlite3

import pytest

from agent_connector.hosts.records import UnknownFormat

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, working_directory TEXT NOT NULL, backend_type TEXT, model TEXT NOT NULL, created_at INTEGER);
CREATE TABLE message_nodes (row_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, node_id INTEGER NOT NULL,
  parent_node_id INTEGER, chat_message TEXT NOT NULL, created_at INTEGER NOT NULL, metadata TEXT);
"""
METRICS = {"input_tokens": 31134, "output_tokens": 147, "cache_read_tokens": 8, "cache_creation_tokens": None}


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    connection.execute("INSERT INTO sessions VALUES ('s-1', '/home/ada/project', 'windsurf', 'adaptive', 1)")
    yield connection
    connection.close()


def put(database, node, role="assistant", model="m-1", metrics=METRICS):
    message = json.dumps({"role": role, "content": "x", "metadata": {"metrics": metrics, "generation_model": model}})
    database.execute(
        "INSERT INTO message_nodes VALUES (NULL, 's-1', ?, NULL, ?, ?, NULL)", (node, message, 1_796_000_000 + node)
    )


def test_the_answers_of_a_session(log, database):
    put(database, 1, role="user")
    put(database, 2)
    put(database, 3, model=None)
    put(database, 4, metrics=None)
    found = log.read("devin", database)
    assert log.total(found) == {"input": 62268, "output": 294, "cache_read": 16, "requests": 2}
    assert [each.model for each in found] == ["m-1", "adaptive"]
    assert (found[0].project, found[0].time) == ("/home/ada/project", 1_796_000_002_000)


def test_only_new_answers_are_read_again(log, database):
    put(database, 1)
    before = log.read("devin", database)
    put(database, 2)
    assert log.total(before, log.read("devin", database))["requests"] == 2


def test_another_database_is_named(log):
    other = sqlite3.connect(":memory:")
    with pytest.raises(UnknownFormat, match="no table message_nodes"):
        log.read("devin", other)
    other.close()


def test_where_it_lies_and_what_cannot_be_read(log):
    assert log.places() == [("/home/ada/.local/share/devin/cli", "sessions.db", "devin")]
    assert "encrypted" in log.facet.NOTE
