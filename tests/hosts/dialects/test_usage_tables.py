"""Tables of a database that another program made, of whatever age."""

import sqlite3

import pytest
import zstandard

from agent_connector.hosts.dialects import usage_tables as tables
from agent_connector.hosts.dialects.zstd_blobs import unpacked
from agent_connector.hosts.records import UnknownFormat


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.executescript("CREATE TABLE calls (id TEXT, tokens INTEGER); PRAGMA user_version = 7;")
    connection.executemany("INSERT INTO calls VALUES (?, ?)", [("a", 1), ("b", 2)])
    yield connection
    connection.close()


def test_a_column_that_an_older_program_lacked_is_none(database):
    assert list(tables.rows(database, "calls", ["id", "cost"])) == [
        {"id": "a", "cost": None},
        {"id": "b", "cost": None},
    ]


def test_only_the_rows_that_are_new(database):
    assert list(tables.rows(database, "calls", ["rowid", "id"], "WHERE rowid > ?", (1,))) == [{"rowid": 2, "id": "b"}]


def test_what_is_missing_is_named_with_the_version_of_the_schema(database):
    with pytest.raises(UnknownFormat) as caught:
        tables.need(database, "calls", "id", "cost", "model")
    assert (caught.value.what, caught.value.version) == ("table calls without cost, model", "7")
    with pytest.raises(UnknownFormat, match="no table sessions"):
        tables.need(database, "sessions", "id")


def test_a_view_under_the_table_s_name_is_not_read(database):
    database.execute("CREATE VIEW turns AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n")
    assert tables.columns(database, "turns") == frozenset()


def test_text_that_is_no_text_is_read_nevertheless(database):
    database.execute("INSERT INTO calls VALUES (CAST(x'ff61' AS TEXT), 3)")
    assert [row["id"] for row in tables.rows(database, "calls", ["id"])][-1] == "\ufffda"


def test_a_broken_file_is_an_unknown_format(tmp_path):
    path = tmp_path / "broken.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\x07" * 4096)
    connection = sqlite3.connect(path)
    with pytest.raises(UnknownFormat):
        tables.columns(connection, "calls")
    connection.close()


def test_a_busy_database_is_the_caller_s_to_try_again(tmp_path):
    path = tmp_path / "busy.db"
    holder, reader = sqlite3.connect(path), sqlite3.connect(path, timeout=0)
    holder.executescript("CREATE TABLE calls (id TEXT); BEGIN EXCLUSIVE;")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        tables.columns(reader, "calls")
    holder.close()
    reader.close()


def test_compressed_values_up_to_a_size():
    packed = zstandard.compress(b"x" * 1000)
    assert unpacked(packed) == b"x" * 1000
    assert unpacked(packed, largest=999) is None
    assert unpacked(b"no zstd") is None and unpacked(packed[:-3]) != b"x" * 1000


def test_a_frame_that_claims_to_be_huge_takes_no_memory():
    claim = b"\x28\xb5\x2f\xfd" + b"\xe0" + (2**62).to_bytes(8, "little") + b"\x01\x00\x00"
    assert unpacked(claim) in (None, b"")
