"""What Auggie's sessions say of its model calls."""

import json

import pytest

from agent_connector.hosts.records import UnknownFormat

USAGE = {"input_tokens": 1000, "output_tokens": 50, "cache_read_input_tokens": 200, "cache_creation_input_tokens": 30}


def turn(request="req-1", nodes=None, **more):
    exchange = {
        "model_id": "m-1",
        "request_id": request,
        "response_nodes": nodes or [{"type": 1}, {"token_usage": USAGE}],
    }
    return {"completed": True, "finishedAt": "2026-01-15T12:01:00.000Z", "sequenceId": 1, "exchange": exchange | more}


def session(*turns, name="s-1"):
    return json.dumps({"sessionId": name, "agentState": {"modelId": "m-0"}, "chatHistory": list(turns)})


def test_an_exchange(log):
    found = log.read("session", session(turn()))
    assert log.total(found) == {"input": 1000, "output": 50, "cache_read": 200, "cache_write_5m": 30, "requests": 1}
    assert (found[0].model, found[0].session, found[0].time) == ("m-1", "s-1", 1_768_478_460_000)


def test_counts_that_stand_at_several_nodes_count_once(log):
    assert (
        log.total(log.read("session", session(turn(nodes=[{"token_usage": USAGE}, {"token_usage": USAGE}]))))["input"]
        == 1000
    )


def test_a_file_that_is_written_again_and_a_copy_give_the_same_units(log):
    before = log.read("session", session(turn()))
    after = log.read("session", session(turn(), turn("req-2")))
    copy = log.read("session", session(turn(), name="s-2"), "/logs/copy.json")
    assert log.total(before, after, copy)["requests"] == 2


def test_what_an_exchange_does_not_say_is_taken_from_its_session(log):
    found = log.read(
        "session",
        json.dumps({"agentState": {"modelId": "m-0"}, "chatHistory": [turn(None, model_id=" ")]}),
        "/a/s-9.json",
    )
    assert (found[0].model, found[0].session) == ("m-0", "s-9")


def test_exchanges_of_another_kind_are_passed_over(log):
    assert (
        log.read(
            "session",
            session(
                "x", {}, {"exchange": 7}, {"exchange": {"response_nodes": [{"token_usage": {"input_tokens": -1}}]}}
            ),
        )
        == []
    )


@pytest.mark.parametrize("data", ["", "[]", '{"chatHistory": {}}'])
def test_another_document_is_named(log, data):
    with pytest.raises(UnknownFormat):
        log.read("session", data)


def test_where_the_sessions_lie(log):
    assert log.places() == [("/home/ada/.augment/sessions", "*.json", "session")]
