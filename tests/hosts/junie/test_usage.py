"""What Junie's events say of its model calls."""

import json

PATH = "/home/ada/.junie/sessions/session-261130-101010/events.jsonl"
USAGE = {
    "model": "m-1",
    "provider": "p",
    "inputTokens": 100,
    "outputTokens": 50,
    "cacheInputTokens": 700,
    "cacheCreateTokens": 20,
    "reasoningTokens": 7,
}


def event(time=1_796_000_000_000, usage=(USAGE,), kind="LlmResponseMetadataEvent"):
    return json.dumps({"timestampMs": time, "event": {"agentEvent": {"kind": kind, "modelUsage": list(usage)}}}) + "\n"


def test_an_answer(log):
    found = log.read("events", event(), PATH)
    assert log.total(found) == {
        "input": 100,
        "output": 50,
        "cache_read": 700,
        "cache_write_5m": 20,
        "reasoning": 7,
        "requests": 1,
    }
    assert (found[0].session, found[0].model, found[0].time) == ("session-261130-101010", "m-1", 1_796_000_000_000)


def test_an_event_that_is_written_twice_counts_once_and_a_later_equal_one_is_another(log):
    assert log.total(log.read("events", event() + event(), PATH))["requests"] == 1
    assert log.total(log.read("events", event() + event(1_796_000_000_001), PATH))["requests"] == 2


def test_two_equal_calls_of_one_event_are_two(log):
    assert log.total(log.read("events", event(usage=(USAGE, USAGE)), PATH))["requests"] == 2


def test_thinking_that_is_more_than_the_output_stands_beside_it(log):
    assert log.total(log.read("events", event(usage=(USAGE | {"reasoningTokens": 80},)), PATH))["output"] == 130


def test_a_line_that_only_mentions_such_an_event_is_none(log):
    assert (
        log.read(
            "events", event(kind="UserPromptEvent LlmResponseMetadataEvent") + '"LlmResponseMetadataEvent"\n', PATH
        )
        == []
    )


def test_where_the_events_lie(log):
    assert log.places("win32") == [("C:\\Users\\ada\\.junie\\sessions", "*/events.jsonl", "events")]
