"""Checks on what was seen, where the whole rehearsal would be too slow to show every case."""

from agent_connector.connector.load import from_command
from agent_connector.drive.events import Finished
from agent_connector.drive.run import Outcome
from agent_connector.hosts import query
from agent_connector.rehearse import checks
from agent_connector.rehearse.evidence import ServerSeen, ToolRun
from agent_connector.rehearse.model.actor import Actor
from agent_connector.rehearse.model.turns import Asked, Call
from agent_connector.rehearse.script import Script, Step, ToolCall
from agent_connector.telemetry import tokenizer


def states(findings) -> list[tuple[str, str]]:
    return [(finding.check, finding.state) for finding in findings]


def outcome(**fields) -> Outcome:
    plain = {"events": (), "exit_code": 0, "why": "exited", "seconds": 1.0, "stdout": "", "stderr": ""}
    return Outcome(**(plain | fields))


def test_a_run_is_judged_by_its_end() -> None:
    assert states(checks.run_ended(outcome(), 9, False)) == [("run", "ok")]
    assert states(checks.run_ended(outcome(exit_code=1), 9, False)) == [("run", "failed")]
    assert states(checks.run_ended(outcome(exit_code=1), 9, True)) == [("run", "ok")]
    failed = (Finished(ok=False, reason="no model"),)
    assert "no model" in checks.run_ended(outcome(events=failed), 9, False)[0].detail
    late = checks.run_ended(outcome(exit_code=None, why="timeout", stderr="one\nlast words\n"), 9, True)
    assert states(late) == [("run", "failed")]
    assert "last words" in late[0].detail


def test_a_server_that_was_not_started_or_not_asked_is_told() -> None:
    assert states(checks.server(ServerSeen())) == [("server started", "failed")]
    assert states(checks.server(ServerSeen(failed="no such file"))) == [("server started", "failed")]
    assert states(checks.server(ServerSeen(started=1))) == [("server started", "ok"), ("tools listed", "failed")]
    assert checks.server(ServerSeen(started=2, tools=({"name": "a"},)))[0].detail == "2 times"


def actor(*steps: Step) -> Actor:
    return Actor(Script(steps), "acme")


def test_each_call_of_the_script_must_reach_the_server_once() -> None:
    same = Step(calls=(ToolCall("query", {"a": 1}),))
    played = actor(same, same)
    played._steps.clear()
    played.calls += [
        ("query", Call("1", "mcp__acme__query", {"a": 1})),
        ("query", Call("2", "mcp__acme__query", {"a": 1})),
    ]
    once = ServerSeen(started=1, runs=(ToolRun(1.0, "query", {"a": 1}, {}, None),))
    assert states(checks.calls(played, once, [])) == [("call query", "ok"), ("call query", "failed")]
    assert states(checks.calls(played, ServerSeen(started=1), [("query", {"a": 1})])) == []


def test_steps_that_were_not_reached_are_told() -> None:
    calling, talking = Step(calls=(ToolCall("query"),)), Step(say="over")
    left = actor(calling, talking)
    left.turns.append(left._turn("", (), left.script.usage))
    assert states(checks.calls(left, ServerSeen(), [])) == [("script", "failed")]
    left._steps.pop(0)
    assert states(checks.calls(left, ServerSeen(), [])) == [("script", "unseen")]


def test_numbers_that_differ_are_a_failure() -> None:
    counter = tokenizer.heuristic()
    result = {"result": {"content": [{"type": "text", "text": "one row of many"}]}}
    seen = ServerSeen(started=1, runs=(ToolRun(1.0, "query", {"sql": "select 1"}, {}, result),))
    row = {"scope": "call", "tool": "query", "in": 6, "out": 4, "source": "heuristic"}
    assert states(checks.tokens([row], seen, counter)) == [("tokens", "ok")]
    assert states(checks.tokens([row | {"out": 5}], seen, counter)) == [("tokens", "failed")]
    assert states(checks.tokens([], seen, counter)) == [("tokens", "failed")]
    assert states(checks.tokens([], ServerSeen(), counter)) == [("tokens", "unseen")]


def asked(*keys: str) -> Asked:
    return Asked("chat", "m", False, (), (), (), keys=keys)


def test_a_foreign_key_is_a_failure_and_is_not_repeated() -> None:
    assert states(checks.keys([asked("stand-in"), asked()], "stand-in")) == [("keys", "ok")]
    (finding,) = checks.keys([asked("stand-in"), asked("sk-real")], "stand-in")
    assert finding.state == "failed"
    assert "sk-real" not in finding.detail


def test_a_connector_without_hooks_has_none_to_fire() -> None:
    model = from_command("acme", ["acme"]).model
    assert checks.hooks_fired(model, "claude-code", query.hooks("claude-code"), []) == []
