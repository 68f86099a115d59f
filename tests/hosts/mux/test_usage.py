"""What Mux's chats say of its model calls."""

import json

import pytest

from agent_connector.hosts.records import UnknownFormat

USAGE = {"inputTokens": 1000, "outputTokens": 50, "totalTokens": 1050, "cachedInputTokens": 700, "reasoningTokens": 7}
CHAT = "/home/ada/.xum/sessions/ws-1/chat.jsonl"
ABOUT = {"metadata.json": b'{"projectPath": "/home/ada/project", "name": "main"}'}


def lines(*entries):
    return "".join(json.dumps(each) + "\n" for each in entries)


def answer(name="m-1", time=1_796_055_000_000, usage=USAGE, **more):
    return {
        "id": name,
        "role": "assistant",
        "parts": [],
        "metadata": {"model": "anthropic:claude:x", "usage": usage, "timestamp": time} | more,
    }


def test_an_answer_of_a_workspace(log):
    said = {"anthropic": {"cacheCreationInputTokens": 100}}
    found = log.read("chat", lines({"id": "u", "role": "user"}, answer(providerMetadata=said)), CHAT, ABOUT)
    assert log.total(found) == {
        "input": 200,
        "cache_read": 700,
        "cache_write_5m": 100,
        "output": 50,
        "reasoning": 7,
        "requests": 1,
    }
    one = found[0]
    assert (one.session, one.project, one.provider, one.model) == ("ws-1", "/home/ada/project", "anthropic", "claude:x")
    assert (one.parent, one.agent) == ("", "")


def test_a_provider_that_counts_what_is_cached_apart(log):
    usage = USAGE | {"inputTokens": 300, "totalTokens": 1050}
    assert log.total(log.read("chat", lines(answer(usage=usage)), CHAT))["input"] == 300


def test_counts_in_details(log):
    usage = {
        "inputTokens": 1000,
        "outputTokens": 50,
        "inputTokenDetails": {"cacheReadTokens": 600, "cacheWriteTokens": 100},
        "outputTokenDetails": {"reasoningTokens": 9},
    }
    assert log.total(log.read("chat", lines(answer(usage=usage)), CHAT)) == {
        "input": 300,
        "cache_read": 600,
        "cache_write_5m": 100,
        "output": 50,
        "reasoning": 9,
        "requests": 1,
    }


def test_what_goes_into_the_archive_is_the_same_unit(log):
    before = log.read("chat", lines(answer("m-1"), answer("m-2", 9_000_000)), CHAT)
    archive = log.read("chat", lines(answer("m-1")), CHAT.replace("chat.", "chat-archive."))
    assert log.total(before, archive)["requests"] == 2


def test_a_fork_copies_the_chat_with_its_ids(log):
    old = log.read("chat", lines(answer()), CHAT)
    fork = log.read("chat", lines(answer(), answer("m-9", 9_000_000)), CHAT.replace("ws-1", "ws-2"))
    assert log.total(old, fork)["requests"] == 2


def test_a_finished_subagent_is_counted_once_whether_its_folder_still_lies_there_or_not(log):
    about = {"metadata.json": b'{"projectPath": "/home/ada/project", "parentWorkspaceId": "ws-1"}'}
    own = log.read("chat", lines(answer(agentId="explore")), CHAT.replace("ws-1", "task-7"), about)
    moved = log.read(
        "chat", lines(answer(agentId="explore")), "/home/ada/.xum/sessions/ws-1/subagent-transcripts/task-7/chat.jsonl"
    )
    assert log.total(own, moved)["requests"] == 1
    assert {(each.session, each.parent, each.agent) for each in (*own, *moved)} == {("task-7", "ws-1", "explore")}


def test_sums_of_a_workspace_with_those_of_its_subagents_are_not_read(log):
    assert not any("session-usage" in pattern for _, pattern, _ in log.places())


def test_calls_that_no_chat_shows(log):
    call = {
        "timestamp": 1_796_055_000_000,
        "source": "workspace_status",
        "model": "openai:m",
        "usage": {"inputTokens": 500, "outputTokens": 20},
    }
    found = log.read(
        "apart", lines(call, call | {"timestamp": 1_796_055_000_001}), CHAT.replace("chat", "headless-usage"), ABOUT
    )
    assert log.total(found) == {"input": 1000, "output": 40, "requests": 2}
    assert (found[0].agent, found[0].session, found[0].project) == ("workspace_status", "ws-1", "/home/ada/project")


def test_usage_of_a_kind_that_was_never_seen_is_named_and_does_not_stop_a_chat(log):
    with pytest.raises(UnknownFormat):
        log.read("chat", lines(answer(usage={"tokens": 7})), "/new/chat.jsonl")
    assert len(log.read("chat", lines(answer(), answer("m-2", usage={"tokens": 7})), CHAT)) == 1


def test_where_the_chats_lie(log):
    folders = [each[0] for each in log.places()]
    assert folders[::4] == ["/home/ada/.xum/sessions", "/home/ada/.mux/sessions", "/home/ada/.cmux/sessions"]
    assert {each[0] for each in log.places(MUX_ROOT="/m", XUM_ROOT="/x")} == {"/x/sessions"}
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\.xum\\sessions"
    assert log.places(AGENT_CONNECTOR_MUX_DIR="/a", XUM_ROOT="/x")[0][0] == "/a/sessions"
