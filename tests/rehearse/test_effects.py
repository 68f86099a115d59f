"""What a host did with a decision is read off the server's calls and the model's requests, never assumed."""

from agent_connector.connector.light import Event, allow, ask, context, deny, modify, replace_output
from agent_connector.rehearse.effects import effect
from agent_connector.rehearse.evidence import HookSeen

OLD, NEW = {"sql": "old"}, {"sql": "new"}


def state(scene, hook: HookSeen, decision) -> str:
    assert hook.event
    return effect(scene, hook, hook.event, decision)[0]


def test_a_denied_call_must_not_reach_the_server(scene, call) -> None:
    refused = [(12.0, ("tool", "Denied: not today"))]
    assert state(scene([], refused), call(), deny("not today")) == "ok"
    assert state(scene([(10.5, OLD, "rows")], refused), call(), deny("not today")) == "failed"


def test_calls_before_the_hook_and_after_the_next_request_are_other_calls(scene, call) -> None:
    runs = [(9.0, OLD, "rows"), (13.0, OLD, "rows")]
    assert state(scene(runs, [(12.0, ("tool", "no"))]), call(), deny("no")) == "ok"


def test_a_parallel_call_with_other_arguments_is_not_the_denied_one(scene, call) -> None:
    assert state(scene([(10.5, NEW, "rows")], [(12.0, ("tool", "no"))]), call(), deny("no")) == "ok"


def test_a_denial_tells_whether_the_model_read_why(scene, call) -> None:
    hook = call()
    assert effect(scene([], [(12.0, ("tool", "why so"))]), hook, hook.event, deny("why so"))[1].endswith(
        "read the reason"
    )
    assert effect(scene([], [(12.0, ("tool", "-"))]), hook, hook.event, deny("why so"))[1].endswith(
        "without the reason"
    )


def test_ask_is_judged_like_a_denial_because_nobody_is_there(scene, call) -> None:
    assert state(scene([(10.5, OLD, "rows")], [(12.0,)]), call(), ask("sure?")) == "failed"
    assert state(scene([], [(12.0,)]), call(), ask("sure?")) == "ok"


def test_a_tool_of_the_host_itself_is_only_judged_by_what_the_model_read(scene) -> None:
    hook = HookSeen(10.0, 11.0, "PreToolUse", Event("PreToolUse", "h", "PreToolUse", {}, tool_name="Bash"), "", "", 0)
    assert state(scene([], [(12.0, ("tool", "Error: no shell"))]), hook, deny("no shell")) == "ok"
    assert state(scene([], [(12.0, ("tool", "total 0"))]), hook, deny("no shell")) == "unseen"
    assert state(scene([], [(12.0,)]), hook, modify({"command": "ls"})) == "unseen"
    assert state(scene([], [(12.0,)]), hook, allow()) == "unseen"


def test_a_grant_shows_when_the_call_arrives(scene, call) -> None:
    assert state(scene([(10.5, OLD, "rows")], [(12.0,)]), call("PermissionRequest"), allow()) == "ok"
    assert state(scene([], [(12.0,)]), call("PermissionRequest"), allow()) == "failed"


def test_a_changed_input_must_be_what_the_server_saw(scene, call) -> None:
    assert state(scene([(10.5, NEW, "rows")], [(12.0,)]), call(), modify(NEW)) == "ok"
    assert state(scene([(10.5, OLD, "rows")], [(12.0,)]), call(), modify(NEW)) == "failed"
    assert state(scene([], [(12.0,)]), call(), modify(NEW)) == "failed"


def test_context_must_stand_in_a_later_request(scene, call) -> None:
    assert (
        state(
            scene([], [(12.0, ("user", "<reminder>the  schema\nis old</reminder>"))]),
            call(),
            context("the schema is old"),
        )
        == "ok"
    )
    assert state(scene([], [(9.0, ("user", "the schema"))]), call(), context("the schema")) == "unseen"
    assert state(scene([], [(12.0, ("assistant", "the schema"))]), call(), context("the schema")) == "failed"


def test_context_is_found_where_a_host_escapes_it(scene, call) -> None:
    assert state(scene([], [(12.0, ("user", "a &lt;b&gt; &amp; c"))]), call(), context("a <b> & c")) == "ok"


def test_a_replaced_result_must_stand_alone(scene, call) -> None:
    runs = [(10.5, OLD, "secret rows")]
    assert (
        state(scene(runs, [(12.0, ("tool", "three rows"))]), call("PostToolUse"), replace_output("three rows")) == "ok"
    )
    both = [(12.0, ("tool", "secret rows"), ("tool", "three rows"))]
    assert state(scene(runs, both), call("PostToolUse"), replace_output("three rows")) == "failed"
    assert state(scene(runs, [(12.0, ("tool", "secret rows"))]), call("PostToolUse"), replace_output("x")) == "failed"


def test_a_blocked_prompt_makes_no_request(scene, hook) -> None:
    prompt = hook("UserPromptSubmit", prompt="do it")
    assert state(scene(), prompt, deny("no")) == "ok"
    assert state(scene([], [(12.0, ("user", "do it"))]), prompt, deny("no")) == "failed"


def test_a_blocked_stop_makes_the_model_go_on(scene, hook) -> None:
    assert state(scene([], [(12.0, ("user", "tests first"))]), hook("Stop"), deny("tests first")) == "ok"
    assert state(scene(), hook("Stop"), deny("tests first")) == "failed"


def test_what_leaves_no_trace_is_said_to_be_unseen(scene, hook) -> None:
    assert state(scene(), hook("SessionEnd"), deny("no")) == "unseen"
