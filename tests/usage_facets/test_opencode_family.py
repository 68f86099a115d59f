"""OpenCode, Kilo and MiMo Code: assistant messages in a database, counted once wherever else their numbers stand."""

import json

import pytest

from agent_connector.hosts.kilo_cli import usage as kilo
from agent_connector.hosts.mimo_code import usage as mimo
from agent_connector.hosts.opencode import usage as opencode
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

T0 = 1_796_055_000_000
SCHEMA = """
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
  title text NOT NULL, version text NOT NULL, cost real DEFAULT 0 NOT NULL, tokens_input integer DEFAULT 0 NOT NULL,
  tokens_output integer DEFAULT 0 NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
  time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
  time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL,
  data text NOT NULL);
"""


def quoted(value):
    return "NULL" if value is None else str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def insert(table, **row):
    values = ", ".join(map(quoted, row.values()))
    return f"INSERT OR REPLACE INTO {table} ({', '.join(row)}) VALUES ({values});"  # noqa: S608


def session(name, parent=None, directory="/code/app"):
    return insert(
        "session", id=name, project_id="p", parent_id=parent, directory=directory, title=PLANTED, version="1.18.33",
        cost=1, tokens_input=300, tokens_output=49, time_created=T0, time_updated=T0,
    )  # fmt: skip


def data(at=T0, done=True, tokens=(300, 40, 9, 700, 11), **more):
    fresh, spoken, thought, read, written = tokens
    return {
        "role": "assistant",
        "parentID": "msg_0",
        "mode": "build",
        "agent": "build",
        "path": {"cwd": "/code/app/part", "root": "/code/app"},
        "cost": 0.25,
        "tokens": {
            "total": sum(tokens),
            "input": fresh,
            "output": spoken,
            "reasoning": thought,
            "cache": {"read": read, "write": written},
        },
        "modelID": "m-1",
        "providerID": "prov",
        "time": {"created": at, **({"completed": at + 900} if done else {})},
        **more,
    }


def message(name, of, body, updated=None):
    stamp = body["time"]["created"]
    return insert(
        "message", id=name, session_id=of, time_created=stamp, time_updated=updated or stamp, data=json.dumps(body)
    )


ONE = Totals(input=300, cache_read=700, cache_write_5m=11, output=49, reasoning=9, requests=1, cost=0.25)


def test_the_recording_comes_to_what_the_model_reported(golden, truth, database):
    recorded = database(golden("kilo-cli", "kilo.sql"))
    records = usage.read(kilo.READERS["database"], recorded)
    assert usage.totals(records) == truth("kilo-cli")
    first = min(records, key=lambda record: record.time)
    assert first.session == "ses_dd2c3c8b8ffev96dJV4rvXVfRx"
    assert (first.model, first.provider, first.project) == ("fake-model", "fakeprov", "/home/user/project")
    assert (first.time, first.agent, first.parent) == (1_796_055_252_935, "", "")


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden, database):
    usage.spoilt_is_survived(kilo.READERS["database"], database(golden("kilo-cli", "kilo.sql")))


def test_the_same_numbers_in_parts_events_and_sessions_are_counted_once(database):
    step = json.dumps({"type": "step-finish", "tokens": data()["tokens"], "cost": 0.25})
    text = json.dumps({"type": "text", "text": PLANTED})
    times = {"session_id": "s", "time_created": T0, "time_updated": T0}
    made = database(
        SCHEMA,
        session("s"),
        message("m", "s", data()),
        insert("part", id="p1", message_id="m", data=step, **times),
        insert("part", id="p2", message_id="m", data=text, **times),
        insert("event", id="e", aggregate_id="s", seq=1, type="message.updated", data=json.dumps({"info": data()})),
    )
    assert usage.totals(usage.read(opencode.READERS["database"], made)) == ONE


def test_a_fork_copies_messages_under_new_ids_and_adds_nothing(database):
    made = database(
        SCHEMA,
        session("s"),
        session("fork"),
        message("m1", "s", data()),
        message("m9", "fork", data(parentID="msg_8"), updated=T0 + 5_000_000),
    )
    assert usage.totals(usage.read(opencode.READERS["database"], made)) == ONE


def test_a_message_that_was_a_file_before_is_counted_once(database, document):
    old = document({**data(), "id": "msg_1", "sessionID": "s"})
    files = usage.read(opencode.READERS["message"], old, path="/x/storage/message/s/msg_1.json")
    rows = usage.read(opencode.READERS["database"], database(SCHEMA, session("s"), message("msg_7", "s", data())))
    assert usage.totals(files) == ONE
    assert usage.totals([*files, *rows]) == ONE
    assert files[0].project == "/code/app/part"
    usage.spoilt_is_survived(opencode.READERS["message"], old)


def test_two_answers_at_once_are_two(database):
    other = data(tokens=(301, 40, 9, 700, 11))
    made = database(SCHEMA, session("s"), message("m1", "s", data()), message("m2", "s", other))
    assert usage.totals(usage.read(opencode.READERS["database"], made)).requests == 2


def test_what_changes_in_place_is_read_again_and_nothing_else(database):
    reader, state = opencode.READERS["database"], {}
    growing = data(T0 + 9_000_000, done=False, tokens=(5, 1, 0, 0, 0))
    start = (SCHEMA, session("s"), message("m1", "s", data()), message("m2", "s", growing, T0 + 9_000_000))
    assert usage.totals(usage.read(reader, database(*start), state, modified=T0 + 9_000_001)) == ONE
    grown = message("m2", "s", data(T0 + 9_000_000), T0 + 9_100_000)
    late = message("m3", "s", data(T0 + 8_999_000), T0 + 8_999_900)  # committed by another process after our look
    records = usage.read(reader, database(*start, grown, late), state, modified=T0 + 9_100_001)
    assert sorted(record.time - T0 for record in records) == [8_999_000, 9_000_000]
    assert usage.read(reader, database(*start, grown, late), state, modified=T0 + 99_000_000) != []
    again = usage.read(reader, database(*start, grown, late), dict(state), modified=T0 + 99_000_000)
    assert 0 not in [record.time - T0 for record in again]


def test_an_answer_whose_writer_died_is_counted_after_an_hour(database):
    reader, state = opencode.READERS["database"], {}
    made = database(SCHEMA, session("s"), message("m", "s", data(done=False)), message("n", "s", data(T0 + 4_000_000)))
    assert len(usage.read(reader, made, state, modified=T0 + 4_000_000 - 900_000)) == 1
    assert len(usage.merged(usage.read(reader, made, state, modified=T0 + 4_000_000))) == 2


def test_a_clock_that_was_wrong_once_does_not_end_all_reading(database):
    reader, state = opencode.READERS["database"], {}
    start = (SCHEMA, session("s"), message("m", "s", data(), updated=T0 * 100))
    assert len(usage.read(reader, database(*start), state, modified=T0)) == 1
    records = usage.read(reader, database(*start, message("n", "s", data(T0 + 1))), state, modified=T0 + 1)
    assert T0 + 1 in [record.time for record in records]


def test_a_subagent_is_named_and_belongs_to_its_session(database):
    made = database(SCHEMA, session("s"), session("c", parent="s"), message("m", "c", data(agent="explore")))
    (record,) = usage.read(opencode.READERS["database"], made)
    assert (record.session, record.parent, record.agent) == ("c", "s", "explore")


def test_what_used_nothing_is_no_unit(database):
    aborted = data(tokens=(0, 0, 0, 0, 0), cost=0)
    brought = data(tokens=(0, 0, 0, 0, 0), cost=0, modelID="legacy", providerID="legacy")
    asked = {"role": "user", "time": {"created": T0}, "summary": {"body": PLANTED}}
    rows = [message(f"m{i}", "s", body) for i, body in enumerate((aborted, brought, asked))]
    assert usage.read(kilo.READERS["database"], database(SCHEMA, session("s"), *rows)) == []


def test_columns_that_came_later_may_be_missing(database):
    tables = "CREATE TABLE session (id text); CREATE TABLE message (id text, session_id text, data text);"
    rows = (insert("session", id="s"), insert("message", id="m", session_id="s", data=json.dumps(data())))
    (record,) = usage.read(opencode.READERS["database"], database(tables, *rows))
    assert (record.time, record.project) == (T0, "/code/app/part")


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("CREATE TABLE other (id text);", "no table"),
        (
            "CREATE TABLE session (id text); CREATE TABLE message (id text, body text);",
            "message without session_id, data",
        ),
        (SCHEMA + session("s") + message("m", "s", {**data(), "tokens": {"prompt": 3}}), "without token counts"),
    ],
)
def test_a_schema_that_was_never_seen_is_said(database, sql, what):
    with pytest.raises(UnknownFormat) as unknown:
        usage.read(opencode.READERS["database"], database(sql))
    assert what in unknown.value.what


def test_one_strange_message_does_not_hide_the_others(database):
    strange = {**data(T0 + 5), "tokens": None}
    made = database(SCHEMA, session("s"), message("m", "s", data()), message("n", "s", strange))
    assert usage.totals(usage.read(opencode.READERS["database"], made)) == ONE


# ---- MiMo Code

IMPORTS = (
    "CREATE TABLE external_import (source_uuid text, session_id text, source_path text);"
    "CREATE TABLE claude_import (source_uuid text, session_id text, source_path text, message_ids text);"
)


def test_sessions_of_other_programs_are_not_mimos(database):
    rows = [message(f"m{of}", of, data(T0 + i)) for i, of in enumerate(("own", "claude", "codex"))]
    made = database(
        SCHEMA,
        IMPORTS,
        *(session(each) for each in ("own", "claude", "codex")),
        *rows,
        insert("claude_import", source_uuid="u", session_id="claude", source_path="/x", message_ids=None),
        insert("external_import", source_uuid="v", session_id="codex", source_path="/y"),
    )
    assert [record.session for record in usage.read(mimo.READERS["database"], made)] == ["own"]


def test_an_imported_session_that_goes_on_in_mimo_counts_from_there(database):
    listed = insert("claude_import", source_uuid="u", session_id="s", source_path="/x", message_ids='["m1"]')
    rows = (message("m1", "s", data()), message("m2", "s", data(T0 + 60_000)))
    made = database(SCHEMA, IMPORTS, session("s"), *rows, listed)
    assert [record.time for record in usage.read(mimo.READERS["database"], made)] == [T0 + 60_000]


def test_an_agent_that_works_beside_the_main_one_is_named(database):
    made = database(
        SCHEMA,
        "ALTER TABLE message ADD COLUMN agent_id text NOT NULL DEFAULT 'main';",
        session("s"),
        message("m1", "s", data()),
        message("m2", "s", data(T0 + 1)),
        "UPDATE message SET agent_id = 'checkpoint-writer' WHERE id = 'm2';",
    )
    assert [record.agent for record in usage.read(mimo.READERS["database"], made)] == ["", "checkpoint-writer"]


# ---- places


def place(folder, pattern, kind="database"):
    return Place(folder, pattern, kind)


@pytest.mark.parametrize(
    ("facet", "platform", "variables", "places"),
    [
        (
            opencode,
            "linux",
            {},
            [
                place("/home/user/.local/share/opencode", "opencode*.db"),
                place("/home/user/.local/share/opencode", "storage/message/*/*.json", "message"),
            ],
        ),
        (opencode, "darwin", {}, [place("/Users/user/.local/share/opencode", "opencode*.db")]),
        (opencode, "win32", {}, [place(r"C:\Users\user\.local\share\opencode", "opencode*.db")]),
        (opencode, "linux", {"XDG_DATA_HOME": "/data"}, [place("/data/opencode", "opencode*.db")]),
        (opencode, "linux", {"OPENCODE_DB": "/x/y.db"}, [place("/x", "y.db")]),
        (opencode, "linux", {"OPENCODE_DB": "y.db"}, [place("/home/user/.local/share/opencode", "y.db")]),
        (opencode, "linux", {"OPENCODE_DB": ":memory:"}, [place("/home/user/.local/share/opencode", "opencode*.db")]),
        (opencode, "win32", {"OPENCODE_DB": "D:/x/y.db"}, [place(r"D:\x", "y.db")]),
        (kilo, "linux", {}, [place("/home/user/.local/share/kilo", "kilo.db")]),
        (kilo, "darwin", {}, [place("/Users/user/.local/share/kilo", "kilo.db")]),
        (kilo, "win32", {"XDG_DATA_HOME": r"D:\data"}, [place(r"D:\data\kilo", "kilo.db")]),
        (
            mimo,
            "linux",
            {},
            [place(f"/home/user/.local/share/{name}", "mimocode*.db") for name in ("mimocode", "micode")],
        ),
        (
            mimo,
            "darwin",
            {},
            [
                place("/Users/user/.local/share/mimocode", "mimocode*.db"),
                place("/Users/user/.local/share/micode", "mimocode*.db"),
                place("/Users/user/Library/Application Support/mimocode", "mimocode*.db"),
            ],
        ),
        (mimo, "win32", {}, [place(r"C:\Users\user\AppData\Local\mimocode", "mimocode*.db")]),
        (mimo, "linux", {"MIMOCODE_HOME": "/m"}, [place("/m/data", "mimocode*.db")]),
        (mimo, "linux", {"MIMOCODE_HOME": "/m", "MIMOCODE_DB": "z.db"}, [place("/m/data", "z.db")]),
    ],
)
def test_places(facet, platform, variables, places):
    found = facet.logs(machine(platform, variables=variables))
    assert [each for each in places if each not in found] == []


def test_a_database_that_is_named_takes_the_place_of_the_others():
    for facet, variable in ((opencode, "OPENCODE_DB"), (mimo, "MIMOCODE_DB")):
        found = facet.logs(machine(variables={variable: "/x/y.db"}))
        assert [each.folder for each in found if each.kind == "database"] == ["/x"]
