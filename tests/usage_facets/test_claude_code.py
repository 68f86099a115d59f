"""Claude Code's transcripts: blocks of one answer, forks, subagents, echoes of usage, cache classes, tiers."""

import json

import pytest

from agent_connector.hosts.claude_code import usage as claude
from agent_connector.hosts.records import Place
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

TRANSCRIPT = claude.READERS["transcript"]
PROJECT = "projects/-home-user-project"
RECORDED = f"{PROJECT}/9ce89351-e574-4cae-9a2e-977e531dd90c.jsonl"


def line(number=1, output=20, usage=(), **more):
    """A line as Claude Code spells it."""
    counts = {
        "input_tokens": 600,
        "cache_read_input_tokens": 300,
        "cache_creation_input_tokens": 40,
        "output_tokens": output,
    }
    message = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": more.pop("model", "claude-opus-5-5"),
        "content": [{"type": "text", "text": PLANTED}],
        "usage": {**counts, "service_tier": "standard", **dict(usage)},
    }
    row = {
        "isSidechain": False,
        "message": message,
        "requestId": f"req_{number}",
        "type": "assistant",
        "timestamp": "2026-11-30T16:00:00.842Z",
        "cwd": "/home/user/shop",
        "sessionId": "s-1",
        **more,
    }
    return (
        json.dumps({key: value for key, value in row.items() if value is not None}, separators=(",", ":")).encode()
        + b"\n"
    )


def read(data, state=None, **more):
    return usage.read(TRANSCRIPT, data, state, **more)


ONE = Totals(input=600, cache_read=300, cache_write_5m=40, output=20, requests=1)


def sums(data):
    return usage.totals(read(data), "max")


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden):
    usage.spoilt_is_survived(TRANSCRIPT, golden("claude-code", RECORDED))


def test_the_blocks_of_an_answer_are_one_unit_with_its_last_counts():
    assert sums(line(output=3) + line(output=3) + line(output=20)) == ONE
    assert sums(line(output=20) + line(output=3)) == ONE


def test_the_same_numbers_under_another_request_are_another_unit():
    assert sums(line() + line(requestId="req_2")).requests == 2
    references = line(requestId=None, requestRef="a") + line(requestId=None, requestRef="b")
    assert sums(references).requests == 2
    assert sums(line(requestId=None) + line(requestId=None)) == ONE


def test_however_the_lines_are_cut_into_blocks_the_sums_are_the_same(golden):
    data = golden("claude-code", f"{PROJECT}/930f193d-e780-40d7-bae2-a3eb4acf9cbb.jsonl")
    state, records = {}, []
    for one in data.splitlines(keepends=True):
        records += read(one, state)
    assert usage.totals(records, "max") == sums(data)


def test_what_a_fork_copied_is_its_parents_and_what_follows_is_its_own():
    copied = line(1, sessionId="s-2", requestSessionId="s-1")
    first, second = read(copied + line(2, sessionId="s-2"))
    assert (first.session, first.parent) == ("s-1", "")
    assert (second.session, second.parent) == ("s-2", "s-1")


def test_a_subagent_counts_to_its_session_and_says_its_kind():
    told = line(isSidechain=True, agentId="a1", attributionAgent="reviewer")
    untold = line(isSidechain=True, agentId="a1")
    beside = {"agent-a1.meta.json": b'{"agentType":"Explore"}'}
    assert [each.agent for each in read(told)] == ["reviewer"]
    assert [each.agent for each in read(untold, path="/x/agent-a1.jsonl", beside=beside)] == ["Explore"]
    assert [each.agent for each in read(untold, path="/x/agent-a1.jsonl")] == ["subagent"]
    assert [each.agent for each in read(untold, path="/x/s-1.jsonl")] == ["subagent"]  # as old versions wrote it
    assert [each.session for each in read(told + line(2, isSidechain=True))] == ["s-1", "s-1"]


def test_echoes_and_sums_are_not_added():
    result = {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "tool_result", "content": PLANTED}]},
        "toolUseResult": {"usage": {"input_tokens": 7777, "output_tokens": 7777}},
        "sessionId": "s-1",
    }
    state = {"type": "cost-state", "sessionId": "s-1", "modelUsage": {"claude-opus-5-5": {"inputTokens": 9999}}}
    quoted = line(2, usage={"input_tokens": 0}, model="<synthetic>")
    rows = b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in (result, state))
    assert sums(rows + quoted + line()) == ONE


def test_usage_that_stands_in_content_is_content():
    said = json.loads(line())
    said["message"]["content"] = [
        {"type": "text", "text": '{"type":"assistant","message":{"role":"user","usage":{"input_tokens":5}}}'},
        {
            "type": "tool_use",
            "input": {"message": {"role": "user", "usage": {"input_tokens": 5}}, "usage": {"output_tokens": 6}},
        },
    ]
    tight = json.dumps(said, separators=(",", ":")).encode() + b"\n"
    assert sums(tight) == ONE
    assert sums(json.dumps(said).encode() + b"\n") == ONE  # as another program would write it


@pytest.mark.parametrize(
    ("split", "requested", "written"),
    [
        ({"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 10}, None, (30, 10)),
        ({"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0}, "5m", (40, 0)),
        ({"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0}, "1h", (0, 40)),
        (None, None, (40, 0)),
        (None, "1h", (0, 40)),
    ],
)
def test_what_went_into_the_cache_goes_to_its_class(split, requested, written):
    (record,) = read(line(usage={"cache_creation": split}, promptCacheRequested=requested))
    assert (record.cache_write_5m, record.cache_write_1h) == written


def test_half_an_emoji_and_a_count_that_is_none_cost_nothing_else():
    half = line().replace(PLANTED.encode(), b"half \\ud83d of one")
    assert b"ud83d" in half
    assert sums(half) == ONE
    assert sums(line(usage={"cache_read_input_tokens": None})).input == 600
    assert sums(line(usage={"cache_read_input_tokens": -5})) == Totals(600, 0, 40, 0, 20, 0, 1)


def test_reasoning_cost_and_tier_where_the_log_says_them():
    (record,) = read(
        line(usage={"output_tokens_details": {"thinking_tokens": 7}, "service_tier": "batch"}, costUSD=0.25)
    )
    assert (record.reasoning, record.tier, record.cost) == (7, "batch", 0.25)
    (record,) = read(line(usage={"speed": "fast"}))
    assert (record.reasoning, record.tier, record.cost) == (0, "fast", None)


def test_where_the_transcripts_lie():
    places = claude.logs(machine(variables={"CLAUDE_CONFIG_DIR": "/a,/b"}))
    assert Place("/a/projects", "**/*.jsonl", "transcript") in places
    assert Place("/b/projects", "**/*.jsonl", "transcript") in places
    assert all(not place.folder.endswith(".claude/projects") for place in places)
    assert any(place.folder.endswith(".claude/projects") for place in claude.logs(machine()))
    assert any(place.folder.endswith(".cc-mirror") for place in claude.logs(machine()))
