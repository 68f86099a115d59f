"""What Crush's databases say of its model calls."""

import json
import sqlite3

import pytest

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import UnknownFormat

SCHEMA = """
CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0,
  prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0,
  updated_at INTEGER NOT NULL, created_at INTEGER NOT NULL, summary_message_id TEXT, todos TEXT);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts TEXT NOT NULL DEFAULT '[]',
  model TEXT, provider TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER, is_summary_message INTEGER);
"""
PATH = "/home/ada/project/.crush/crush.db"


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    yield connection
    connection.close()


def session(database, name="s-1", cost=0.5, updated=1_796_055_000, parent=None):
    row = (name, parent, "t", 1, 9000, 70, cost, updated, 1)
    database.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)", row)


def answers(database, number, model="m-1", session="s-1", role="assistant"):
    for index in range(number):
        row = (f"{session}{role}{model}{index}", session, role, model, "p")
        database.execute(
            "INSERT INTO messages (id, session_id, role, model, provider, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 1, 1)",
            row,
        )


def test_the_cost_counts_and_the_size_of_the_last_request_does_not(log, database):
    session(database)
    answers(database, 3)
    answers(database, 2, role="user")
    found = log.read("project", database, PATH)
    assert log.total(found) == {"requests": 3, "cost": 0.5}
    one = found[0]
    assert (one.model, one.provider, one.project, one.time) == ("m-1", "p", "/home/ada/project", 1_796_055_000_000)


def test_a_cost_that_grows_is_replaced(log, database):
    session(database)
    answers(database, 1)
    before = log.read("project", database, PATH)
    session(database, cost=0.75, updated=1_796_055_009)
    assert log.total(before, log.read("project", database, PATH)) == {"requests": 1, "cost": 0.75}


def test_a_session_that_did_not_change_is_not_read_again(log, database):
    session(database, updated=10)
    session(database, "s-2", updated=20)
    log.read("project", database, PATH)
    session(database, "s-3", updated=30)
    assert {each.session for each in log.read("project", database, PATH)} == {"s-2", "s-3"}


def test_a_subagent_s_cost_is_in_its_parent_s(log, database):
    session(database, cost=0.5)
    session(database, "s-2", cost=0.25, parent="s-1")
    answers(database, 1)
    answers(database, 4, session="s-2")
    assert log.total(log.read("project", database, PATH)) == {"requests": 1, "cost": 0.5}


def test_the_cost_of_a_session_with_two_models_is_given_once(log, database):
    session(database)
    answers(database, 1, "m-2")
    answers(database, 3)
    found = log.read("project", database, PATH)
    assert [(each.model, each.requests, each.cost) for each in found] == [("m-1", 3, 0.5), ("m-2", 1, None)]
    answers(database, 9, "m-3")
    assert log.total(found, log.read("project", database, PATH)) == {"requests": 13, "cost": 0.5}


def test_a_model_without_a_price_has_no_cost(log, database):
    session(database, cost=0)
    answers(database, 2)
    assert log.read("project", database, PATH)[0].cost is None


def test_a_session_without_an_answer_is_no_unit(log, database):
    session(database, cost=0)
    assert log.read("project", database, PATH) == []


def test_a_data_folder_elsewhere_names_no_project(log, database):
    session(database)
    assert log.read("project", database, "/data/crush.db")[0].project == ""
    assert (
        log.read("project", database, "C:\\\\work\\\\app\\\\.crush\\\\crush.db".replace("\\\\", "\\"))[0].project
        == "C:/work/app"
    )


def test_another_database_is_named(log):
    other = sqlite3.connect(":memory:")
    other.executescript("CREATE TABLE sessions (id TEXT, cost REAL)")
    with pytest.raises(UnknownFormat, match="without parent_session_id, updated_at"):
        log.read("project", other)
    other.close()


def test_projects_are_taken_from_the_list_of_them(log):
    data = json.dumps(
        {"projects": [{"path": "/a", "data_dir": "/a/.crush"}, {"path": "/b", "data_dir": "/b/.crush"}, 7, {}]}
    )
    listed = log.facet.LISTS["projects"](data.encode(), Machine("/home/ada", "linux", {}))
    assert [tuple(each) for each in listed] == [
        ("/a/.crush", "crush.db", "project"),
        ("/b/.crush", "crush.db", "project"),
    ]
    assert log.facet.LISTS["projects"](b"\xff", Machine("/home/ada", "linux", {})) == []
    assert log.read("projects", data) == []


def test_where_the_list_lies(log):
    assert log.places() == [("/home/ada/.local/share/crush", "projects.json", "projects")]
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\AppData\\Local\\crush"
    assert log.places(CRUSH_GLOBAL_DATA="/data")[0][0] == "/data"
