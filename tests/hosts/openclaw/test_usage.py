"""What OpenClaw's databases and older files say of its model calls."""

import json
import sqlite3

import pytest
import zstandard

from agent_connector.hosts.records import UnknownFormat

USAGE = {"input": 10, "output": 5, "cacheRead": 100, "cacheWrite": 0, "reasoningTokens": 2, "cost": {"total": 0.25}}


@pytest.fixture(scope="module")
def recorded(golden):
    return json.loads((golden / "usage" / "agent.json").read_text(encoding="utf-8"))


@pytest.fixture
def database(recorded):
    """An empty database with the recorded schema."""
    connection = sqlite3.connect(":memory:")
    connection.create_function(
        "octet_length", 1, len, deterministic=True
    )  # SQLite before 3.43 reads, but cannot make it
    for schema in recorded["schema"].values():
        connection.executescript(schema)
    yield connection
    connection.close()


def insert(database, table, row):
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    database.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))  # noqa: S608


def answer(entry, time, usage=USAGE):
    message = {"role": "assistant", "provider": "p", "model": "m", "usage": usage, "timestamp": time}
    return {"type": "message", "id": entry, "timestamp": "2026-11-30T16:42:53.420Z", "message": message}


def add(database, seq, entry, session="s-1", at=None, packed=False):
    text = json.dumps(entry).encode()
    row = {"session_id": session, "seq": seq, "created_at": at or 1_000 + seq}
    if packed:
        navigation = {"version": 1, "report": {"kind": "canonical"}, "navigation": {}, "reset": {}, "model": {}}
        sizes = {"modelBytes": 0, "modelWithoutCheckpointBytes": 0, "withoutCustomDataBytes": 0}
        row |= {"event_zstd": zstandard.compress(text), "event_utf8_bytes": len(text)}
        row |= {"navigation_json": json.dumps(navigation | sizes)}
    else:
        row |= {"event_json": text.decode()}
    insert(database, "transcript_events", row)


def window(database, session, key, **more):
    row = {"session_id": session, "session_key": key, "created_at": 1, "updated_at": 1} | more
    insert(database, "session_windows", row)


def test_a_recorded_database_gives_what_the_provider_reported(log, golden, recorded, database):
    truth = json.loads((golden / "usage" / "TRUTH.json").read_text(encoding="utf-8"))
    for table, row in recorded["rows"]:
        insert(database, table, row)
    found = log.read("agent", database)
    assert log.total(found) == truth["totals"] | {"cost": pytest.approx(truth["cost"])}
    assert (found[0].session, found[0].model) == ("183155fd-7166-49f3-96ac-d82e9d43144b", "fake-model")


def test_only_what_is_new_is_read_again(log, database):
    add(database, 1, {"type": "session", "id": "s-1", "cwd": "/home/ada/project"})
    add(database, 2, answer("a", 1))
    add(database, 3, answer("b", 2))
    assert {each.project for each in log.read("agent", database)} == {"/home/ada/project"}
    add(database, 4, answer("c", 3))
    later = log.read("agent", database)
    assert [each.key for each in later] == ["b:2000", "c:3000"], "the newest one may have been cut by its writer"
    assert later[1].project == "/home/ada/project"


def test_a_row_that_is_compressed_where_it_stands_is_the_same_unit(log, database):
    add(database, 1, answer("a", 1))
    before = log.read("agent", database)
    database.execute("DELETE FROM transcript_events")
    add(database, 1, answer("a", 1), packed=True)
    add(database, 2, answer("b", 2), packed=True)
    assert log.total(before, log.read("agent", database))["requests"] == 2


def test_rows_that_a_migration_puts_in_with_old_times_are_found(log, database):
    add(database, 1, answer("a", 1), at=5_000)
    before = log.read("agent", database)
    add(database, 1, answer("older", 2), "s-0", at=10)
    assert log.total(before, log.read("agent", database))["requests"] == 2


def test_a_table_that_was_made_again_is_read_from_its_start(log, database):
    for seq in range(1, 5):
        add(database, seq, answer(f"a{seq}", seq))
    before = log.read("agent", database)
    database.execute("DELETE FROM transcript_events")
    add(database, 1, answer("x", 9), "s-2", at=3)
    assert log.total(before, log.read("agent", database))["requests"] == 5


def test_the_run_s_sums_in_another_table_are_not_added(log, database):
    add(database, 1, answer("a", 1))
    event = {"type": "model.completed", "data": {"usage": USAGE, "promptCache": {"lastCallUsage": USAGE}}}
    row = {"session_id": "s-1", "seq": 1, "run_id": "r", "event_json": json.dumps(event), "created_at": 1}
    insert(database, "trajectory_runtime_events", row)
    assert log.total(log.read("agent", database))["input"] == 10


def test_one_transcript_in_a_database_an_archive_and_a_file_counts_once(log, database):
    text = "".join(
        json.dumps(each) + "\n" for each in ({"type": "session", "id": "s-1"}, answer("a", 1), answer("b", 2))
    )
    add(database, 1, answer("a", 1))
    archive = {
        "session_id": "s-1",
        "generation": "g",
        "session_key": "k",
        "reason": "reset",
        "archive_sha256": "0" * 64,
    }
    archive |= {
        "encoding": "zstd",
        "archive_blob": zstandard.compress(text.encode()),
        "archive_name": "n",
        "created_at": 1,
    }
    insert(database, "session_transcript_archives", archive)
    insert(
        database,
        "session_transcript_archives",
        archive | {"generation": "h", "archive_name": "o", "encoding": "identity", "archive_blob": text.encode()},
    )
    cold = {"session_id": "s-1", "generation": "c", "archive_name": "p", "archive_sha256": "0" * 64, "event_count": 2}
    cold |= {"raw_bytes": 1, "archive_bytes": 1, "last_seq": 1, "archived_at": 1, "storage": "sqlite"}
    rows = "".join(
        json.dumps({"seq": 1, "event_json": json.dumps(each)}) + "\n" for each in (answer("a", 1), answer("c", 3))
    )
    insert(database, "session_transcript_cold_archives", cold | {"archive_blob": zstandard.compress(rows.encode())})
    found = log.read("agent", database)
    legacy = log.read("transcript", text, "/home/ada/.openclaw/agents/main/sessions/s-1.jsonl.deleted.2026-11-30")
    assert log.total(found, legacy)["requests"] == 3 and {each.session for each in (*found, *legacy)} == {"s-1"}
    assert log.total(log.read("agent", database))["requests"] == 1, "an archive is read once"


def test_whose_a_session_is(log, database):
    window(database, "s-1", "agent:main:main")
    window(database, "s-2", "agent:main:subagent:7", parent_session_key="agent:main:main")
    window(database, "s-3", "agent:main:other", reason="fork", previous_session_id="s-1")
    window(database, "s-4", "agent:main:main2", reason="reset", previous_session_id="s-1")
    for number in range(1, 5):
        add(database, 1, answer(f"a{number}", number), f"s-{number}")
    whose = {each.session: (each.parent, each.agent) for each in log.read("agent", database)}
    assert whose == {"s-1": ("", ""), "s-2": ("s-1", "subagent"), "s-3": ("s-1", ""), "s-4": ("", "")}


def test_a_sqlite_that_is_older_than_the_host_s_reads_its_file(log, recorded, tmp_path):
    made = sqlite3.connect(tmp_path / "openclaw-agent.sqlite")
    made.create_function("octet_length", 1, len, deterministic=True)
    made.executescript(recorded["schema"]["transcript_events"])
    add(made, 1, answer("a", 1))
    made.commit()
    made.close()
    opened = sqlite3.connect(tmp_path / "openclaw-agent.sqlite")
    assert len(log.read("agent", opened)) == 1
    opened.close()


def test_an_older_database_without_compressed_rows(log):
    old = sqlite3.connect(":memory:")
    old.execute("CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER)")
    old.execute("INSERT INTO transcript_events VALUES ('s', 1, ?, 1)", (json.dumps(answer("a", 1)),))
    assert len(log.read("agent", old)) == 1
    old.close()


def test_another_database_under_that_name_is_named(log):
    other = sqlite3.connect(":memory:")
    other.executescript("CREATE TABLE notes (id TEXT); PRAGMA user_version = 99;")
    with pytest.raises(UnknownFormat) as caught:
        log.read("agent", other)
    assert caught.value.version == "99"
    other.close()


def test_hostile_rows_are_passed_over(log, database):
    for seq, text in enumerate(['"usage"', "{", "[]", '{"message":7,"usage":{"input":-1,"output":"x"}}', "null"], 1):
        row = {"session_id": "s", "seq": seq, "event_json": text, "created_at": seq}
        insert(database, "transcript_events", row)
    assert log.read("agent", database) == []


def test_where_the_files_lie(log):
    places = log.places()
    assert places[0] == ("/home/ada/.openclaw/agents", "*/agent/openclaw-agent.sqlite", "agent")
    assert places[1] == ("/home/ada/.openclaw/agents", "*/sessions/**/*.jsonl*", "transcript")
    assert ("/home/ada/.clawdbot/agents", "*/sessions/**/*.jsonl*", "transcript") in places
    assert log.places(OPENCLAW_STATE_DIR="/data/claw")[0][0] == "/data/claw/agents"
    assert log.places("win32", OPENCLAW_PROFILE="work")[0][0] == "C:\\Users\\ada\\.openclaw-work\\agents"
