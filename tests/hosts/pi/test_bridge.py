"""Pi's generated extension under Node, in the sequences that the real host was recorded with."""

from pathlib import Path

import pytest

from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts.pi import hooks

CALL, RESULT, STOP = "tool_call", "tool_result", "agent_before_settle"


def answers(driven, hook):
    return [result.get("answer") for result in driven["results"] if result["hook"] == hook]


def test_a_denied_call_is_blocked_with_the_reason(bridge, recorded):
    bridge.install({CALL: {"deny": "not on a Friday"}})
    driven = bridge.drive((CALL, [recorded["tool_call bash"]]))
    assert answers(driven, CALL) == [{"block": True, "reason": "not on a Friday"}]
    [asked] = bridge.asked()
    assert asked["event"] == {"toolName": "bash", "toolCallId": "call_lab1", "input": {"command": "echo orig"}}
    assert (asked["sessionID"], asked["transcript"]) == ("ses-one", "/sessions/ses-one.jsonl")


def test_arguments_are_changed_in_place(bridge, recorded):
    bridge.install({CALL: {"args": {"sql": "select 1"}}})
    [result, _] = bridge.drive((CALL, [recorded["tool_call mcp__labmcp__echo"]]))["results"]
    assert (result["input"], result.get("answer")) == ({"sql": "select 1"}, None)


@pytest.mark.parametrize(
    ("ui", "blocked"), [(None, True), ({"confirm": False}, True), ({"confirm": True}, False)], ids=str
)
def test_a_question_is_put_to_the_person_where_there_is_one(bridge, recorded, ui, blocked):
    bridge.install({CALL: {"ask": "really?"}})
    driven = bridge.drive((CALL, [recorded["tool_call bash"]]), ui=ui)
    assert answers(driven, CALL) == [{"block": True, "reason": "really?"} if blocked else None]
    assert [said["text"] for said in driven["shown"]] == (["really?"] if ui else [])


def test_a_context_before_a_tool_comes_with_its_result(bridge, recorded):
    bridge.install({CALL: {"context": "mind the limits"}})
    result = recorded["tool_result mcp__labmcp__echo"]
    driven = bridge.drive((CALL, [recorded["tool_call mcp__labmcp__echo"]]), (RESULT, [result]), (RESULT, [result]))
    first, second = answers(driven, RESULT)
    assert [part["text"] for part in first["content"]] == ["LAB-ECHO:labpy", "mind the limits"]
    assert first["structuredContent"] == result["structuredContent"]  # else Pi would drop it
    assert second is None


def test_a_result_is_replaced(bridge, recorded):
    bridge.install({RESULT: {"output": "hidden", "context": "more"}}, matchers=[matcher("echo")])
    driven = bridge.drive(
        (RESULT, [recorded["tool_result mcp__labmcp__echo"]]), (RESULT, [recorded["tool_result bash"]])
    )
    assert answers(driven, RESULT) == [{"content": [{"type": "text", "text": t} for t in ("hidden", "more")]}, None]


def test_a_session_s_context_comes_once_and_a_prompt_s_with_its_prompt(bridge, recorded):
    bridge.install({"session_start": {"context": "Acme rules"}, "input": {"context": "the schema is frozen"}})
    turn = [("input", [recorded["input"]]), ("before_agent_start", [recorded["before_agent_start"]])]
    driven = bridge.drive(("session_start", [recorded["session_start"]]), *turn, *turn)
    texts = [answer["message"]["content"] for answer in answers(driven, "before_agent_start")]
    assert texts == ["Acme rules\n\nthe schema is frozen", "the schema is frozen"]
    told = [one["event"] for one in bridge.asked() if one["host_event"] == "session_start"]
    assert told == [{"reason": "startup"}]


def test_a_prompt_into_a_turn_that_runs_carries_its_context_itself(bridge, recorded):
    bridge.install({"input": {"context": "the schema is frozen"}})
    driven = bridge.drive(("input", [{**recorded["input"], "streamingBehavior": "steer"}]))
    assert answers(driven, "input") == [{"action": "transform", "text": "say hi\n\nthe schema is frozen"}]


def test_a_denied_prompt_goes_nowhere_and_the_person_reads_why(bridge, recorded):
    bridge.install({"input": {"deny": "closed"}})
    driven = bridge.drive(
        ("input", [recorded["input"]]), ("input", [{**recorded["input"], "source": "extension"}]), ui={"confirm": False}
    )
    assert answers(driven, "input") == [{"action": "handled"}, None]
    assert driven["shown"] == [{"kind": "warning", "text": "closed"}]


def test_an_agent_that_may_not_stop_goes_on_and_stops_in_the_end(bridge, recorded):
    bridge.install({STOP: {"deny": "run the tests"}})
    message = {"message": {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}}
    driven = bridge.drive(("message_end", [message]), *[(STOP, [{"entries": [{"type": "custom"}]}])] * 11)
    said = answers(driven, STOP)
    entry = {"type": "custom_message", "customType": "agent-connector", "content": "run the tests", "display": True}
    assert said[0] == {"entries": [{"type": "custom"}, entry], "continue": True}
    assert [bool(answer) for answer in said] == [True] * 10 + [False]
    assert [one["stopHookActive"] for one in bridge.asked()][:2] == [False, True]
    assert {one["last"] for one in bridge.asked()} == {"Done."}


def test_a_compaction_can_be_called_off(bridge):
    bridge.install({"session_before_compact": {"deny": "keep it"}, "session_compact": {}})
    driven = bridge.drive(
        ("session_before_compact", [{"reason": "manual"}]), ("session_compact", [{"reason": "manual"}])
    )
    assert answers(driven, "session_before_compact") == [{"cancel": True}]
    assert [one["event"]["reason"] for one in bridge.asked()] == ["manual", "manual"]


def test_a_native_hook_s_answer_is_the_host_s(bridge):
    bridge.install({"user_bash": {"result": {"output": "no", "exitCode": 1}}, "turn_end": {}})
    driven = bridge.drive(("user_bash", [{"command": "ls"}]), ("turn_end", [{"turnIndex": 1}]))
    assert answers(driven, "user_bash") == [{"result": {"output": "no", "exitCode": 1}}]
    assert answers(driven, "turn_end") == [None]


WIRED = ("session_start", "input", CALL, RESULT, STOP, "session_before_compact", "session_shutdown", "turn_end")


@pytest.mark.parametrize("answer", [None, {"text": "no JSON"}, {"text": '{"deny": 1, "args": "x", "output": {}}'}])
def test_garbage_says_nothing(bridge, recorded, answer):
    bridge.install(dict.fromkeys(WIRED[:-1], answer))
    steps = [(name.split()[0], [event]) for name, event in recorded.items()]
    driven = bridge.drive(*steps, (STOP, [{}]), ("session_before_compact", [{}]))
    assert [result.get("answer") for result in driven["results"]] == [None] * len(driven["results"])
    assert driven["results"][0]["input"] == {"command": "echo orig"}


def test_a_program_that_is_gone_or_hangs_says_nothing(bridge, recorded):
    bridge.install({CALL: {"hang": True}, RESULT: {"deny": "no"}}, timeout=0.3)
    bridge.command = lambda event: "/nowhere/agent-connector hook"
    bridge.install({"input": {"deny": "no"}}, within="other")
    driven = bridge.drive((CALL, [recorded["tool_call bash"]]), ("input", [recorded["input"]]))
    assert [result.get("answer") for result in driven["results"]] == [None] * 3


def test_of_two_copies_one_speaks_until_its_session_is_over(bridge, recorded):
    for within in ("user", "project"):
        bridge.install({CALL: {}, "session_shutdown": {}}, within=within)
    end = ("session_shutdown", [recorded["session_shutdown"]])
    bridge.drive((CALL, [recorded["tool_call bash"]]), end, (CALL, [recorded["tool_call bash"]]))
    told = [one["host_event"] for one in bridge.asked()]
    assert told == [CALL, "session_shutdown", CALL]


def test_the_extension_needs_no_package(bridge):
    bridge.install({CALL: {}})
    text = Path(bridge.files[0]).read_text(encoding="utf-8")
    assert text.count("import ") == 1 and 'from "node:child_process"' in text
    assert bridge.files[0].endswith("plugins/agent-connector-acme-db.js")
    assert hooks.wire([], "/there") == []
