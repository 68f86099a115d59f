"""What the Antigravity CLI's conversations say of its model calls: protobuf messages in a database."""

import sqlite3

import pytest

from agent_connector.hosts.records import UnknownFormat

PATH = "/home/ada/.gemini/antigravity-cli/conversations/c-1.db"
BEGUN = 1_796_000_000


def varint(number):
    pieces = []
    while number > 0x7F:
        pieces.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*pieces, number])


def encode(fields):
    """A message of whole numbers, texts, bytes and messages."""
    data = b""
    for number, value in fields.items():
        if isinstance(value, int):
            data += varint(number << 3) + varint(value)
        else:
            body = encode(value) if isinstance(value, dict) else value.encode() if isinstance(value, str) else value
            data += varint(number << 3 | 2) + varint(len(body)) + body
    return data


def call(answer="r-1", model="gemini-x", times=None, new=100, cached=700, said=40, thought=11, **more):
    usage = {1: 1132, 2: new, 5: cached, 9: said, 10: thought, 3: said + thought} | ({11: answer} if answer else {})
    body = {4: usage, 9: times or {4: {1: BEGUN + 60, 2: 500_000_000}}} | ({19: model} if model else {})
    return encode({1: body | {int(key[1:]): value for key, value in more.items()}})


@pytest.fixture
def database():
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        "CREATE TABLE gen_metadata (idx INTEGER PRIMARY KEY, data BLOB); CREATE TABLE trajectory_metadata_blob (id INTEGER, data BLOB);"
    )
    about = encode({1: {1: "file:///home/ada/my%20project"}, 2: {1: BEGUN}})
    connection.execute("INSERT INTO trajectory_metadata_blob VALUES (0, ?)", (about,))
    yield connection
    connection.close()


def put(database, *calls):
    database.executemany("INSERT INTO gen_metadata (data) VALUES (?)", [(each,) for each in calls])


def test_the_calls_of_a_conversation(log, database):
    put(database, call(), call("r-2", cached=0, thought=0))
    found = log.read("conversation", database, PATH)
    assert log.total(found) == {"input": 2464, "cache_read": 700, "output": 91, "reasoning": 11, "requests": 2}
    one = found[0]
    assert (one.session, one.model, one.project) == ("c-1", "gemini-x", "/home/ada/my project")
    assert one.time == (BEGUN + 60) * 1000 + 500


def test_the_same_conversation_in_the_app_s_store_has_the_same_units(log, database):
    put(database, call(), call(None))
    cli = log.read("conversation", database, PATH)
    app = log.read("conversation", database, "C:\\Users\\ada\\.gemini\\antigravity\\conversations\\c-1.db")
    other = log.read("conversation", database, PATH.replace("c-1", "c-2"))
    assert log.total(cli, app)["requests"] == 2 and log.total(cli, other)["requests"] == 4


def test_an_answer_s_id_counts_once_in_a_conversation(log, database):
    put(database, call(), call())
    assert log.total(log.read("conversation", database, PATH))["requests"] == 1


def test_a_call_without_its_model_takes_the_one_that_its_name_stands_for(log, database):
    put(database, call("a", "m-1", _21="Fast"), call("b", "m-2", _21="Slow"), call("c", None, _21="Slow"))
    put(database, call("d", "gemini-default", _21="Fast"), call("e", None, _21="Other"), call("f", None))
    models = [each.model for each in log.read("conversation", database, PATH)]
    assert models == ["m-1", "m-2", "m-2", "m-1", "Other", ""]


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("unit", [1, 1_000_000_000])
def test_eight_bytes_are_a_time_when_only_one_reading_lies_within_the_conversation(log, database, order, unit):
    put(database, call(times={2: 2**64 - 1, 10: ((BEGUN + 90) * unit).to_bytes(8, order)}))
    assert log.read("conversation", database, PATH)[0].time == (BEGUN + 90) * 1000


@pytest.mark.parametrize(
    "raw", [b"\x01\x02\x03\x04\x05\x06\x07\x08", bytes(8), b"\xff" * 8, (BEGUN - 90).to_bytes(8, "little")]
)
def test_eight_bytes_of_anything_else_leave_the_time_at_which_it_began(log, database, raw):
    put(database, call(times={10: raw}))
    assert log.read("conversation", database, PATH)[0].time == BEGUN * 1000


def test_a_conversation_that_says_nothing_of_itself_is_dated_by_its_file(log, database):
    database.execute("DROP TABLE trajectory_metadata_blob")
    put(database, call(times={10: (BEGUN + 90).to_bytes(8, "little")}))
    one = log.read("conversation", database, PATH)[0]
    assert one.time == 1_796_060_000_000 and one.project == ""


def test_counts_that_no_call_has_are_nothing(log, database):
    put(database, call(new=2**62, said=2**63 - 1, thought=5), call("ok"))
    found = log.read("conversation", database, PATH)
    assert log.total(found)["output"] <= 51


def test_messages_of_another_shape_are_named_and_a_broken_one_is_passed_over(log, database):
    put(database, call(), b"\xff\xff", encode({1: "text"}))
    assert log.total(log.read("conversation", database, PATH))["requests"] == 1
    database.execute("DELETE FROM gen_metadata WHERE idx = 1")
    with pytest.raises(UnknownFormat, match="another protobuf message"):
        log.read("conversation", database, PATH)


def test_where_the_conversations_lie(log):
    assert log.places() == [
        ("/home/ada/.gemini/antigravity-cli", "conversations/*.db", "conversation"),
        ("/home/ada/.gemini/antigravity-cli", "implicit/*.db", "conversation"),
    ]
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\.gemini\\antigravity-cli"
