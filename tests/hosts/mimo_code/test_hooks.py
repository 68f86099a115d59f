"""MiMoCode's hooks, after its own types of plugins: how it refuses a call, and how it lets a subagent go on."""

import pytest
from tests.hosts import bridges

from agent_connector.connector.light import deny
from agent_connector.hosts.mimo_code import hooks

BEFORE, STOP = "tool.execute.before", "actor.preStop"
ACTOR = {
    "sessionID": "ses_child",
    "parentSessionID": "ses_one",
    "actorID": "actor_1",
    "agentType": "dba",
    "mode": "subagent",
    "finalText": "It is done.",
    "iteration": 1,
}


@pytest.fixture
def bridge(tmp_path):
    with bridges.scratch(tmp_path, hooks) as made:
        yield made


def test_a_denial_is_thrown_and_told_in_its_own_words(bridge):
    bridge.install({BEFORE: {"deny": "not on a Friday"}})
    call = {"tool": "bash", "sessionID": "ses_one", "callID": "c"}
    [result, _] = bridge.drive((BEFORE, [call, {"args": {"command": "ls"}}]))["results"]
    assert result["output"] == {"args": {"command": "ls"}, "cancel": True, "cancelReason": "not on a Friday"}
    assert result["error"] == "not on a Friday"


def test_a_subagent_that_may_not_stop_goes_on_with_the_reason(bridge):
    bridge.install({STOP: {"deny": "check the indexes"}, "session.idle": {}})
    child = {"info": {"id": "ses_child", "parentID": "ses_one"}, "sessionID": "ses_child"}
    driven = bridge.drive(
        ("event", [{"event": {"type": "session.created", "properties": child}}]),
        *[(STOP, [ACTOR, {}])] * 12,
        ("event", [{"event": {"type": "session.idle", "properties": {"sessionID": "ses_child"}}}]),
    )
    outputs = [result["output"] for result in driven["results"][1:13]]
    assert outputs[0] == {"continue": True, "reason": "check the indexes"}
    assert [bool(output) for output in outputs] == [True] * 10 + [False, True]  # then it counts anew
    assert {one["host_event"] for one in bridge.asked()} == {STOP}  # its end is not told a second time
    event = hooks.parse(STOP, bridge.asked()[1], [])
    assert (event.name, event.session_id, event.agent_id) == ("SubagentStop", "ses_one", "ses_child")
    assert (event.agent_type, event.last_message, event.stop_hook_active) == ("dba", "It is done.", True)
    assert hooks.reply(event, deny("more")).output == {"deny": "more"}


def test_nothing_is_called_proven():
    verdicts = [hooks.honours(event, kind) for event in hooks.EVENTS for kind in ("deny", "modify", "context", "allow")]
    assert {sure for _, sure, _ in verdicts} == {"documented"}
    assert hooks.honours("SubagentStop", "deny")[0] == "honoured"
