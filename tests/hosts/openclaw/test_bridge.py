"""OpenClaw's generated plugin under Node, in the sequences that the real host was recorded with."""

import pytest

from agent_connector.connector.matchers import compile as matcher

BEFORE, AFTER, PROMPT, STOP = "before_tool_call", "after_tool_call", "before_agent_run", "before_agent_finalize"
BUILD = "before_prompt_build"


def answers(driven, hook):
    return [result.get("answer") for result in driven["results"] if result["hook"] == hook]


def test_a_call_is_told_once_by_its_own_name_and_denied(bridge, recorded):
    bridge.install({BEFORE: {"deny": "not on a Friday"}})
    names = ("tool_search", "tool_call", "labmcp__echo")
    driven = bridge.drive(*[(BEFORE, recorded[f"{BEFORE} {name}"]) for name in names])
    assert answers(driven, BEFORE) == [None, None, {"block": True, "blockReason": "not on a Friday"}]
    [asked] = bridge.asked()
    assert asked["event"] == {
        "toolName": "labmcp__echo",
        "toolCallId": "tool_search_code:call_lab112:labmcp__echo:1",
        "input": {"text": "hi"},
    }
    assert asked["sessionID"] == "183155fd-7166-49f3-96ac-d82e9d43144b"


def test_changed_parameters_are_laid_over_and_name_what_is_gone(bridge, recorded):
    bridge.install({BEFORE: {"args": {"sql": "select 1"}}})
    [result, _] = bridge.drive((BEFORE, recorded[f"{BEFORE} labmcp__echo"]))["results"]
    assert (result["answer"], result["gone"]) == ({"params": {"sql": "select 1"}}, ["text"])


def test_a_question_is_an_approval(bridge, recorded):
    bridge.install({BEFORE: {"ask": "really?"}}, matchers=[matcher("echo")])
    [answer] = answers(bridge.drive((BEFORE, recorded[f"{BEFORE} labmcp__echo"])), BEFORE)
    assert answer["requireApproval"] == {"title": "agent-connector: acme-db", "description": "really?"}


def test_a_result_is_told_and_a_failure_as_one(bridge, recorded):
    bridge.install({AFTER: {"output": "hidden"}})
    event, ctx = recorded[f"{AFTER} labmcp__echo"]
    failed = {**event, "error": "no way", "result": None}
    driven = bridge.drive((AFTER, [event, ctx]), (AFTER, [failed, ctx]), (AFTER, recorded[f"{AFTER} tool_call"]))
    assert answers(driven, AFTER) == [None] * 3
    told = [(one["event"]["content"][0]["text"], one["event"]["isError"]) for one in bridge.asked()]
    assert told == [("LAB-ECHO:hi", False), ("no way", True)]


def test_contexts_of_session_and_prompt_without_a_gateway(bridge, recorded):
    bridge.install({"session_start": {"context": "Acme rules"}, PROMPT: {"context": "the schema is frozen"}})
    event, ctx = recorded[BUILD]
    later = ({**event, "prompt": "more", "messages": [{}]}, {**ctx, "runId": "another"})
    driven = bridge.drive((BUILD, recorded[BUILD]), (PROMPT, recorded[PROMPT]), (BUILD, list(later)))
    both = {"appendSystemContext": "Acme rules", "prependContext": "the schema is frozen"}
    assert answers(driven, BUILD) == [both, both]
    asked = [(one["host_event"], one["event"]) for one in bridge.asked()]
    assert sorted(asked, key=str) == [
        (PROMPT, {"text": "more"}),
        (PROMPT, {"text": "say hi"}),  # without what was put before it
        ("session_start", {"reason": "startup"}),
    ]


def test_a_gateway_that_loads_it_twice_begins_a_session_once(bridge, recorded):
    bridge.install({"session_start": {"context": "Acme rules"}, PROMPT: {}, "session_end": {}})
    event, ctx = recorded[BUILD]
    begun = [{"sessionId": ctx["sessionId"]}, {"sessionId": ctx["sessionId"]}]
    driven = bridge.drive(("session_start", begun), (BUILD, [event, ctx]), loads=2)
    assert answers(driven, BUILD) == [{"appendSystemContext": "Acme rules"}]
    assert sorted(one["host_event"] for one in bridge.asked()) == [PROMPT, "session_start"]


def test_a_denied_prompt_blocks_its_run(bridge, recorded):
    bridge.install({PROMPT: {"deny": "closed"}})
    driven = bridge.drive((BUILD, recorded[BUILD]), (PROMPT, recorded[PROMPT]))
    assert answers(driven, BUILD) == [None]
    assert answers(driven, PROMPT) == [{"outcome": "block", "reason": "closed", "message": "closed"}]
    assert len(bridge.asked()) == 1


def test_an_agent_that_may_not_stop_is_sent_on(bridge, recorded):
    bridge.install({STOP: {"deny": "run the tests"}})
    [answer] = answers(bridge.drive((STOP, recorded[STOP])), STOP)
    assert answer["action"] == "revise"
    assert answer["retry"] == {"instruction": "run the tests", "maxAttempts": 10}
    assert (bridge.asked()[0]["stopHookActive"], bridge.asked()[0]["last"]) == (False, "FAKE-FINAL")


def test_whoever_was_sent_on_in_a_run_is_told_so(bridge, recorded):
    """The host itself always says that nobody was."""
    bridge.install({STOP: {"deny": "run the tests"}})
    event, ctx = recorded[STOP]
    other = [{**event, "runId": "another"}, {**ctx, "runId": "another"}]
    bridge.drive((STOP, [event, ctx]), (STOP, [event, ctx]), (STOP, other))
    assert [one["stopHookActive"] for one in bridge.asked()] == [False, True, False]


def test_the_host_waits_longer_than_the_program_may_take(bridge, recorded):
    """A hook that is late blocks the call there."""
    bridge.install({BEFORE: {"hang": True}}, timeout=0.3)
    driven = bridge.drive((BEFORE, recorded[f"{BEFORE} labmcp__echo"]))
    assert answers(driven, BEFORE) == [None]
    assert driven["limits"] == {BEFORE: 2300}


@pytest.mark.parametrize("answer", [None, {"text": "no JSON"}, {"text": '{"deny": 1, "args": "x", "context": []}'}])
def test_garbage_says_nothing(bridge, recorded, answer):
    bridge.install(dict.fromkeys((BEFORE, AFTER, PROMPT, STOP, "session_start", "session_end"), answer))
    driven = bridge.drive(*[(name.split()[0], given) for name, given in recorded.items()], (BEFORE, []))
    assert [result.get("answer") for result in driven["results"]] == [None] * len(driven["results"])
