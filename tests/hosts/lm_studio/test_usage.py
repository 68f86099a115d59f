"""What LM Studio's conversations and its server's log say of its calls."""

import json

import pytest

from agent_connector.hosts.records import UnknownFormat

STATS = {"stats": {"promptTokensCount": 120, "predictedTokensCount": 30, "totalTokensCount": 150}, "identifier": "qwen"}
RESPONSE = {
    "id": "chatcmpl-7", "object": "chat.completion", "created": 1_796_000_000, "model": "qwen/qwen3",
    "choices": [{"message": {"content": 'say "usage": {\n "prompt_tokens": 99999'}}],
    "usage": {
        "prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050,
        "completion_tokens_details": {"reasoning_tokens": 7}, "prompt_tokens_details": {"cached_tokens": 600},
    },
}  # fmt: skip


def step(number, info=STATS):
    return {"type": "contentBlock", "stepIdentifier": f"179600000{number}000-0.5", "genInfo": info}


def conversation(*steps):
    versions = [{"type": "multiStep", "role": "assistant", "steps": [each]} for each in steps]
    return json.dumps({"name": "n", "createdAt": 1_795_000_000_000, "messages": [{"versions": versions}]})


def logged(response):
    return f"[2026-11-30 10:00:00][INFO] Generated prediction: {json.dumps(response, indent=2)}\n"


def test_each_answer_of_a_conversation_also_one_that_was_asked_for_anew(log):
    found = log.read("conversation", conversation(step(1), step(2), step(3, {})), "/c/1795.conversation.json")
    assert log.total(found) == {"input": 240, "output": 60, "requests": 2}
    assert (found[0].model, found[0].time, found[0].session) == ("qwen", 1_796_000_001_000, "1795")


def test_a_conversation_that_grew_gives_the_same_units(log):
    before = log.read("conversation", conversation(step(1)), "/c/1795.json")
    assert log.total(before, log.read("conversation", conversation(step(1), step(2)), "/c/1795.json"))["requests"] == 2


def test_another_document_is_named(log):
    with pytest.raises(UnknownFormat):
        log.read("conversation", "[]")


def test_a_conversation_as_deep_as_none_is_left_there(log):
    deep = "[" * 500 + json.dumps(STATS) + "]" * 500
    assert log.read("conversation", f'{{"messages": {deep}}}') == []


def test_the_answers_of_the_server_without_what_was_said_in_them(log):
    found = log.read(
        "server",
        "[2026-11-30 10:00:00][INFO] up\n" + logged(RESPONSE) + "text\n" + logged(RESPONSE | {"id": "chatcmpl-8"}),
    )
    assert log.total(found) == {"input": 800, "cache_read": 1200, "output": 100, "reasoning": 14, "requests": 2}
    assert (found[0].key, found[0].model, found[0].time) == ("chatcmpl-7", "qwen/qwen3", 1_796_000_000_000)


def test_an_answer_that_is_cut_between_two_readings(log):
    found = [log.read("server", line) for line in logged(RESPONSE).splitlines(keepends=True)]
    assert log.total(*found) == {"input": 400, "cache_read": 600, "output": 50, "reasoning": 7, "requests": 1}


def test_the_other_interface_spells_its_counts_otherwise(log):
    usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
    assert log.total(
        log.read("server", logged({"id": "resp_1", "created_at": 1_796_000_000, "model": "m", "usage": usage}))
    ) == {"input": 10, "output": 5, "requests": 1}


def test_where_the_files_lie(log):
    assert [each[0] for each in log.places()] == [
        "/home/ada/.lmstudio/conversations",
        "/home/ada/.lmstudio/server-logs",
    ]
