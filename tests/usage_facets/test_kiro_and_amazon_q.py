"""Kiro and what it grew from: estimates that say so, credits, conversations that moved from one product to the other."""

import json
import sqlite3

import pytest

from agent_connector.hosts.amazon_q import usage as amazon_q
from agent_connector.hosts.kiro import usage as kiro
from agent_connector.hosts.records import Place, UnknownFormat
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

T0 = 1_770_000_000_000


# ---- the database

SCHEMA = {
    "amazon-q": "CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT)",
    "kiro": "CREATE TABLE conversations_v2 (key TEXT, conversation_id TEXT, value TEXT, updated_at INTEGER)",
}


def request(message="msg-1", at=T0, asked=400, answered=80, prompt=True):
    said = {"Prompt": {"prompt": PLANTED}} if prompt else {"ToolUseResults": {"tool_use_results": [PLANTED]}}
    return {
        "user": {"content": said, "timestamp": None},
        "assistant": {"Response": {"message_id": message, "content": PLANTED}},
        "request_metadata": {
            "message_id": message,
            "request_id": "r",
            "request_start_timestamp_ms": at,
            "user_prompt_length": asked,
            "response_size": answered,
            "model_id": "claude-sonnet-4.5",
            "tool_use_ids_and_names": [],
        },
    }


def made(host, *requests, key="/code/app", conversation="c-1", more=()):
    connection = sqlite3.connect(":memory:")
    connection.execute(SCHEMA[host])
    put(connection, host, *requests, key=key, conversation=conversation)
    for sql in more:
        connection.execute(sql)
    return connection


def put(connection, host, *requests, key="/code/app", conversation="c-1"):
    value = json.dumps({"conversation_id": conversation, "history": list(requests), "transcript": [PLANTED]})
    row = (key, value) if host == "amazon-q" else (key, conversation, value, T0)
    if host == "kiro":
        connection.execute("DELETE FROM conversations_v2 WHERE key = ?", (key,))
    marks = ", ".join("?" for _ in row)
    table = SCHEMA[host].split()[2]
    connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)  # noqa: S608
    connection.commit()


def test_sizes_become_estimates_that_say_so():
    records = usage.read(amazon_q.READERS["database"], made("amazon-q", request(), request("msg-2", T0 + 5, 42, 81)))
    assert usage.totals(records) == Totals(input=110, output=40, requests=2)
    first = records[0]
    assert (first.source, first.cost, first.credits) == ("host-estimated", None, None)
    assert (first.key, first.session, first.project, first.time) == ("msg-1", "c-1", "/code/app", T0)
    assert (first.model, first.provider) == ("claude-sonnet-4.5", "aws")


def test_only_what_changed_is_read_again_and_an_older_conversation_stays_known():
    reader, state = amazon_q.READERS["database"], {}
    connection = made("amazon-q", request())
    first = usage.read(reader, connection, state)
    assert usage.read(reader, connection, state) == []
    put(connection, "amazon-q", request("msg-9", T0 + 60_000), conversation="c-2")  # one conversation for each folder
    assert usage.totals([*first, *usage.read(reader, connection, state)]).requests == 2


def test_a_conversation_that_moved_to_kiro_is_counted_once():
    turns = (request("msg-1"), request("msg-1b", prompt=False))
    theirs = usage.read(amazon_q.READERS["database"], made("amazon-q", *turns))
    ours = usage.read(kiro.READERS["database"], made("kiro", *turns, request("msg-2", T0 + 60_000)))
    assert amazon_q.FAMILY == kiro.FAMILY  # the hosts' keys are one another's
    assert usage.totals([*theirs, *ours]).requests == 3


def test_a_turn_of_kiro_has_all_requests_that_one_prompt_led_to():
    turns = (request("a"), request("b", prompt=False), request("c", T0 + 9))
    records = usage.read(kiro.READERS["database"], made("kiro", *turns))
    assert [(record.key, record.requests, record.input) for record in records] == [("a", 2, 200), ("c", 1, 100)]


@pytest.mark.parametrize(("host", "facet"), [("amazon-q", amazon_q), ("kiro", kiro)])
def test_databases_of_other_shapes_are_said_or_survived(host, facet):
    reader = facet.READERS["database"]
    with pytest.raises(UnknownFormat, match="no table"):
        usage.read(reader, sqlite3.connect(":memory:"))
    table = SCHEMA[host].split()[2]
    with pytest.raises(UnknownFormat, match="without a history"):
        usage.read(reader, made(host, more=(f"UPDATE {table} SET value = '[]'",)))  # noqa: S608
    usage.spoilt_is_survived(reader, made(host, request(), request("b", prompt=False)).serialize())


# ---- sessions of CLI 2

SESSION, MESSAGES = kiro.READERS["session"], kiro.READERS["messages"]
PATH = "/home/user/.kiro/sessions/cli/5b1e.json"


def turn(prompt=0, output=0, percent=10.0, ids=("u-1", "a-1", "a-2"), credits=0.5):
    return {
        "input_token_count": prompt,
        "output_token_count": output,
        "end_timestamp": "2026-11-30T16:11:14Z",
        "total_request_count": 2,
        "message_ids": list(ids),
        "context_usage_percentage": percent,
        "metering_usage": [{"value": credits, "unit": "credit"}, {"value": 99, "unit": "second"}],
    }


def header(*turns):
    model = {"model_id": "claude-sonnet-4.5", "context_window_tokens": 200_000}
    state = {"rts_model_state": {"model_info": model}, "conversation_metadata": {"user_turn_metadatas": list(turns)}}
    return {"session_id": "5b1e", "cwd": "/code/app", "title": PLANTED, "session_state": state}


def said(lines, length=30):
    rows = [
        {
            "version": "v1",
            "kind": "Prompt",
            "data": {"message_id": "u-1", "content": [{"kind": "text", "data": PLANTED}]},
        }
    ]
    for name in ("a-1", "a-2"):
        content = [{"kind": "text", "data": "x" * length}, {"kind": "toolUse", "data": PLANTED}]
        rows.append({"version": "v1", "kind": "AssistantMessage", "data": {"message_id": name, "content": content}})
    return {"5b1e.jsonl": lines(*rows)}


def test_counts_that_are_zero_are_estimated_and_credits_are_real(document, lines):
    (record,) = usage.read(SESSION, document(header(turn())), path=PATH, beside=said(lines))
    assert usage.totals([record]) == Totals(input=20_000, output=15, requests=2, credits=0.5)
    assert (record.source, record.cost) == ("host-estimated", None)
    assert (record.session, record.project, record.model) == ("5b1e", "/code/app", "claude-sonnet-4.5")
    assert record.time == 1_796_055_074_000


def test_counts_that_are_there_are_taken(document, lines):
    (record,) = usage.read(SESSION, document(header(turn(900, 40))), path=PATH, beside=said(lines))
    assert (record.input, record.output, record.source) == (900, 40, "host-reported")


def test_a_turn_that_stands_in_the_database_too_is_counted_once(document, lines):
    old = usage.read(kiro.READERS["database"], made("kiro", request("a-1"), request("a-2", prompt=False)))
    new = usage.read(SESSION, document(header(turn())), path=PATH, beside=said(lines))
    assert len(usage.merged([*old, *new])) == 1


def test_turns_without_messages_are_told_apart_by_their_place(document):
    records = usage.read(SESSION, document(header(turn(), turn())), path=PATH)
    assert [record.key for record in records] == ["5b1e:0", "5b1e:1"]


def test_sessions_of_other_shapes_are_said_or_survived(document, lines):
    with pytest.raises(UnknownFormat, match="state"):
        usage.read(SESSION, b'{"session": 1}', path=PATH)
    usage.spoilt_is_survived(SESSION, document(header(turn())), beside=said(lines))


# ---- sessions of CLI 3 and the editor


def summary(id="l-1", execution="e-1", *used):
    turns = [{"usage": each, "unit": "credit"} for each in used]
    payload = {"type": "usage_summary", "executionId": execution, "promptTurnSummaries": turns}
    return {"id": id, "timestamp": "2026-11-30T16:11:14Z", "payload": payload}


def test_credits_by_turn_and_no_tokens(document, lines):
    path = "/home/user/.kiro/sessions/77aa/sess_1/messages.jsonl"
    beside = {"session.json": document({"modelId": "auto", "title": PLANTED, "workspacePaths": ["/code/app"]})}
    asked = {"id": "l-0", "timestamp": "2026-11-30T16:11:00Z", "payload": {"type": "user", "content": PLANTED}}
    log = lines(asked, summary("l-1", "e-1", 0.25, {"value": 0.5}), summary("l-2", "e-1", 0.25, {"value": 0.5}))
    records = usage.read(MESSAGES, log, path=path, beside=beside)
    assert usage.totals(records) == Totals(requests=2, credits=0.75)
    assert (records[0].session, records[0].model, records[0].project) == ("sess_1", "auto", "/code/app")
    usage.spoilt_is_survived(MESSAGES, log, beside=beside)


# ---- places


@pytest.mark.parametrize(
    ("platform", "variables", "sessions", "databases"),
    [
        ("linux", {}, "/home/user/.kiro/sessions", "/home/user/.local/share/{}"),
        ("linux", {"XDG_DATA_HOME": "/d"}, "/home/user/.kiro/sessions", "/d/{}"),
        ("darwin", {}, "/Users/user/.kiro/sessions", "/Users/user/Library/Application Support/{}"),
        ("win32", {}, r"C:\Users\user\.kiro\sessions", r"C:\Users\user\AppData\Local\{}"),
        ("win32", {"LOCALAPPDATA": r"D:\l"}, r"C:\Users\user\.kiro\sessions", r"D:\l\{}"),
        ("linux", {"KIRO_HOME": "/k"}, "/k/sessions", "/home/user/.local/share/{}"),
    ],
)
def test_places(platform, variables, sessions, databases):
    here = machine(platform, variables=variables)
    assert amazon_q.logs(here) == (Place(databases.format("amazon-q"), "data.sqlite3", "database"),)
    found = kiro.logs(here)
    assert Place(databases.format("kiro-cli"), "data.sqlite3", "database") in found
    assert Place(sessions, "cli/*.json", "session") in found
    assert Place(sessions, "*/sess_*/messages.jsonl", "messages") in found
