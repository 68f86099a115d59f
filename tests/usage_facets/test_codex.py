"""Codex' rollouts: two kinds of lines that say the same, counters that only grow, copies of a parent's lines."""

import json

import pytest

from agent_connector.hosts.codex import usage as codex
from agent_connector.testing import usage
from agent_connector.testing.host_samples import machine
from agent_connector.testing.usage import PLANTED, Totals

ROLLOUT = codex.READERS["rollout"]
DAY = "sessions/2026/11/30/rollout-2026-11-30"
RECORDED = f"{DAY}T16-03-55-01a22d32-d288-7522-b74e-94691fc52f88.jsonl"
PARENT, FORK = "01a22e5c-eafa-7511-9349-68612ebc2991", "01a22e5c-f0d2-7be1-95f9-f0a25d6b9ff4"
OLD_TURN, OWN_TURN = "01a22e5c-eb1a-7ec0-af79-171d69992891", "01a22e5c-f104-7511-abf9-ff4e34d93067"


def row(kind, payload, time="2026-11-30T21:29:31.300Z"):
    return json.dumps({"timestamp": time, "type": kind, "payload": payload}, separators=(",", ":")).encode() + b"\n"


def meta(identifier=PARENT, **more):
    return row("session_meta", {"id": identifier, "timestamp": "2026-11-30T21:29:31.134Z", "cwd": "/code/shop", **more})


def turn(identifier=OLD_TURN, model="gpt-6", **more):
    named = {"turn_id": identifier} if identifier else {}
    return row("turn_context", {**named, "cwd": "/code/shop", "model": model, "user_instructions": PLANTED}, **more)


def counts(entered, cached=0, output=10, thought=4, written=0):
    return {
        "input_tokens": entered,
        "cached_input_tokens": cached,
        "cache_write_input_tokens": written,
        "output_tokens": output,
        "reasoning_output_tokens": thought,
        "total_tokens": entered + output,
    }


def count(total, last=None, **more):
    info = {"total_token_usage": total, **({"last_token_usage": last} if last else {}), "model_context_window": 258400}
    return row("event_msg", {"type": "token_count", "info": info}, **more)


def answered(last, total, response="resp_1", turn=OLD_TURN):
    payload = {"thread_id": PARENT, "turn_id": turn, "session_id": PARENT, "response_id": response}
    return row("token_usage_record", {**payload, "usage": last, "turn_token_usage": last, "thread_token_usage": total})


def read(data, state=None, **more):
    return usage.read(ROLLOUT, data, state, **more)


def sums(data):
    return usage.totals(read(data), "max")


FIRST, BOTH = counts(1000, 300, 20, 5), counts(2100, 630, 41, 11)
SECOND = counts(1100, 330, 21, 6)
TWO = Totals(input=1470, cache_read=630, output=41, reasoning=11, requests=2)


def test_a_recording_that_is_spoilt_anywhere_is_survived(golden):
    usage.spoilt_is_survived(ROLLOUT, golden("codex", RECORDED))


@pytest.mark.parametrize("cut", [False, True])
def test_records_and_counts_say_the_same_numbers(cut):
    lines = [
        meta(),
        turn(),
        answered(FIRST, FIRST),
        count(FIRST, FIRST),
        answered(SECOND, BOTH, "resp_2"),
        count(BOTH, SECOND),
    ]
    if not cut:
        assert sums(b"".join(lines)) == TWO
        return
    state, records = {}, []
    for one in lines:  # however a log grew between two looks at it
        records += read(one, state)
    assert usage.totals(records, "max") == TWO


def test_a_snapshot_that_is_told_again_adds_nothing():
    again = count(FIRST, FIRST, time="2026-11-30T21:29:39.000Z")
    assert sums(meta() + turn() + count(FIRST, FIRST) + again + count(BOTH, SECOND) + count(BOTH, SECOND)) == TWO


def test_a_snapshot_that_comes_late_adds_nothing():
    assert sums(meta() + turn() + count(FIRST, FIRST) + count(BOTH, SECOND) + count(FIRST, SECOND)) == TWO


def test_counters_alone_tell_what_they_grew_by():
    assert sums(meta() + turn() + count(FIRST) + count(BOTH)) == TWO


def test_counters_that_begin_again_count_again():
    again = counts(500, 0, 9, 0)
    assert sums(meta() + turn() + count(BOTH, BOTH) + count(again, again)).input == 1470 + 500


def test_an_empty_snapshot_says_nothing():
    assert read(meta() + turn() + row("event_msg", {"type": "token_count", "info": None})) == []


def test_the_classes_are_disjoint():
    (record,) = read(meta() + turn() + count(counts(1000, 300, 20, 5, written=40)))
    assert (record.input, record.cache_read, record.cache_write_5m, record.output, record.reasoning) == (
        660,
        300,
        40,
        20,
        5,
    )


def test_the_model_is_that_of_the_turn():
    records = read(meta() + turn(model="a") + count(FIRST, FIRST) + turn(OWN_TURN, model="b") + count(BOTH, SECOND))
    assert [record.model for record in records] == ["a", "b"]


def copied(*own, parents=True, turns=True):
    """A fork that begins with its parent's lines under new times."""
    time = {"time": "2026-11-30T21:29:32.700Z"}
    later = {"time": "2026-11-30T21:29:50.000Z"}
    head = meta(FORK, forked_from_id=PARENT, timestamp="2026-11-30T21:29:32.630Z") + (meta() if parents else b"")
    old = turn(OLD_TURN if turns else "", **time) + count(FIRST, FIRST, **time) + count(BOTH, SECOND, **time)
    return head + old + turn(OWN_TURN if turns else "", **later) + b"".join(own)


@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("parents", [True, False])
def test_what_a_fork_copied_is_its_parents(turns, parents):
    parent = read(meta() + turn(OLD_TURN if turns else "") + count(FIRST, FIRST) + count(BOTH, SECOND))
    total, last = counts(3200, 960, 63, 18), counts(1100, 330, 22, 7)
    fork = read(copied(count(BOTH, SECOND), count(total, last), parents=parents, turns=turns))
    assert [(each.key, each.session) for each in fork[:2]] == [(each.key, each.session) for each in parent]
    assert [(each.session, each.parent, each.output) for each in fork[2:]] == [(FORK, PARENT, 22)]


def test_a_subagent_counts_to_the_session_at_its_root_and_begins_its_counters_anew():
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1, "agent_role": "explorer"}}}
    head = meta(
        FORK, session_id=PARENT, forked_from_id=PARENT, parent_thread_id=PARENT, source=spawn, agent_role="explorer"
    )
    old = meta() + turn() + count(BOTH, SECOND)
    first, last = counts(50, 0, 7, 0), counts(40, 0, 6, 0)
    own = turn(OWN_TURN) + count(first, first) + count(counts(90, 0, 13, 0), last)
    records = read(head + old + own)
    assert [(each.session, each.agent, each.parent, each.output) for each in records[1:]] == [
        (PARENT, "explorer", "", 7),
        (PARENT, "explorer", "", 6),
    ]


def test_a_fork_that_copies_nothing_goes_on_with_its_parents_totals(golden):
    fork = golden("codex", f"{DAY}T21-29-32-{FORK}.jsonl")
    assert sums(fork) == Totals(input=6097, cache_read=290, output=31, reasoning=5, requests=2)
    assert {(record.session, record.parent) for record in read(fork)} == {(FORK, PARENT)}


def test_lines_that_another_program_wrote_again_are_read_the_same(golden):
    data = golden("codex", RECORDED)
    again = b"".join(json.dumps(json.loads(line), sort_keys=True).encode() + b"\n" for line in data.splitlines())
    assert sums(again) == sums(data) == TWO


def test_a_count_that_is_none_costs_nothing_else():
    odd = counts(1000, 300, 20, 5) | {"cached_input_tokens": None, "reasoning_output_tokens": -4}
    assert sums(meta() + turn() + count(odd, odd)) == Totals(input=1000, output=20, requests=1)


def test_the_tier_is_what_the_settings_say():
    fast = row("event_msg", {"type": "thread_settings_applied", "thread_settings": {"service_tier": "flex"}})
    records = read(meta() + turn() + count(FIRST, FIRST) + fast + count(BOTH, SECOND))
    assert [record.tier for record in records] == ["", "flex"]


def test_where_the_rollouts_lie():
    places = codex.logs(machine(variables={"CODEX_HOME": "/c"}))
    assert {place.folder for place in places} == {"/c/sessions", "/c/archived_sessions"}
    assert {place.pattern for place in places} == {"**/rollout-*.jsonl", "**/rollout-*.jsonl.zst"}
