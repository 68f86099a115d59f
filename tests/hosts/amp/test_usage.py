"""What Amp's local threads say of its model calls."""

import json

import pytest

from agent_connector.hosts.records import UnknownFormat

USAGE = {
    "model": "claude-x",
    "inputTokens": 10,
    "outputTokens": 5,
    "cacheCreationInputTokens": 20,
    "cacheReadInputTokens": 300,
    "totalInputTokens": 330,
}
COUNTS = {"input": 10, "cache_write_5m": 20, "cache_read": 300, "output": 5, "requests": 1}


def thread(*messages, ledger=None, **more):
    body = {"id": "T-1", "created": 1_770_000_000_000, "messages": list(messages)} | more
    return json.dumps(body | ({"usageLedger": {"events": ledger}} if ledger is not None else {}))


def answer(number=1, **more):
    return {"role": "assistant", "messageId": number, "usage": USAGE | more}


def event(number=1, **more):
    tokens = {"input": 10, "output": 5, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0}
    return {
        "timestamp": "2026-02-02T02:40:00Z",
        "model": "claude-x",
        "credits": 0.5,
        "tokens": tokens,
        "toMessageId": number,
    } | more


def test_a_thread_without_a_ledger(log):
    found = log.read("thread", thread({"role": "user", "messageId": 0}, answer()))
    assert log.total(found) == COUNTS
    assert (found[0].model, found[0].session, found[0].time) == ("claude-x", "T-1", 1_770_000_000_000)


def test_the_ledger_adds_time_and_credits_to_the_message_and_no_tokens(log):
    found = log.read("thread", thread(answer(), ledger=[event()]))
    assert log.total(found) == COUNTS | {"credits": 0.5}
    assert found[0].time == 1_770_000_000_000 and found[0].cost is None


def test_a_call_that_only_the_ledger_knows_is_counted(log):
    found = log.read("thread", thread(answer(1), ledger=[event(1), event(7), event(None, timestamp=1_770_000_009_000)]))
    assert log.total(found)["requests"] == 3 and log.total(found)["input"] == 30


def test_a_thread_that_grew_gives_the_same_units_again(log):
    before = log.read("thread", thread(answer(1)))
    assert log.total(before, log.read("thread", thread(answer(1), answer(2), ledger=[event(1)])))["requests"] == 2


def test_a_fork_copies_messages_with_their_times(log):
    old = log.read("thread", thread(answer(1, timestamp="2026-02-02T02:40:01Z")))
    fork = log.read("thread", thread(answer(4, timestamp="2026-02-02T02:40:01Z"), id="T-2"), "/logs/T-2.json")
    assert log.total(old, fork)["requests"] == 1


@pytest.mark.parametrize("data", [b"", b"[]", b'{"id": "T-1"}', b'{"messages": {}}', b"\xff"])
def test_what_is_no_thread_is_named(log, data):
    with pytest.raises(UnknownFormat):
        log.read("thread", data.decode("latin-1"))


def test_hostile_values_count_as_nothing(log):
    odd = [
        7,
        None,
        {"role": "assistant", "usage": []},
        {"role": "assistant", "messageId": {}, "usage": {"inputTokens": "x", "outputTokens": -1}},
    ]
    assert "input" not in log.total(log.read("thread", thread(*odd, ledger=[3, {"tokens": 4}])))


def test_where_the_files_lie_and_what_is_missing(log):
    assert log.places() == [("/home/ada/.local/share/amp/threads", "T-*.json", "thread")]
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\.local\\share\\amp\\threads"
    assert log.places(AMP_DATA_DIR="/data/amp")[0][0] == "/data/amp/threads"
    assert log.places(XDG_DATA_HOME="/xdg")[0][0] == "/xdg/amp/threads"
    assert "amp threads usage" in log.facet.NOTE
