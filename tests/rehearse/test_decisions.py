"""A reply in a host's own words is read back as the decisions it was made of."""

import json

import pytest

from agent_connector.connector.light import Event, allow, ask, context, deny, modify, replace_output
from agent_connector.hosts import query
from agent_connector.rehearse.decisions import decisions
from agent_connector.rehearse.evidence import HookSeen

HOSTS = [host for host in query.hosts() if query.hooks(host)]
CASES = [
    ("PreToolUse", deny("not today")),
    ("PreToolUse", modify({"sql": "new", "deep": {"a": [1]}})),
    ("PreToolUse", ask("sure?")),
    ("PreToolUse", allow()),
    ("PreToolUse", context("the schema is old")),
    ("PermissionRequest", allow()),
    ("PermissionRequest", deny("not today")),
    ("PostToolUse", context("the schema is old")),
    ("PostToolUse", replace_output("three rows")),
    ("UserPromptSubmit", deny("not today")),
    ("UserPromptSubmit", context("the schema is old")),
    ("SessionStart", context("the schema is old")),
    ("Stop", deny("tests first")),
]


def answered(host: str, event: Event, *given) -> HookSeen:
    replies = [query.hooks(host).reply(event, decision) for decision in given]
    output = replies[0].output
    for reply in replies[1:]:
        output = {
            **output,
            "hookSpecificOutput": {**output["hookSpecificOutput"], **reply.output["hookSpecificOutput"]},
        }
    text = "" if output is None else output if isinstance(output, str) else json.dumps(output)
    return HookSeen(1.0, 2.0, event.host_event, event, text, replies[0].stderr, replies[0].exit_code)


def event(host: str, name: str) -> Event:
    return Event(name, host, name, {}, tool_name="query", server="acme", tool_input={"sql": "old"})


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(("name", "decision"), CASES, ids=lambda value: str(getattr(value, "kind", value)))
def test_what_a_host_honours_is_read_back(host: str, name: str, decision) -> None:
    facet = query.hooks(host)
    seen = answered(host, event(host, name), decision)
    verdict = facet.honours(name, decision.kind)[0] if name in facet.EVENTS else "dropped"
    if verdict == "honoured":
        assert decisions(seen, facet) == (decision,)
    elif seen.code == 2:  # a host that hears exit codes alone: what it cannot do became a denial
        assert decisions(seen, facet) == (deny(seen.stderr.strip()),)
    elif not seen.output or seen.output == facet.NEUTRAL:
        assert decisions(seen, facet) == ()
    else:
        assert len(decisions(seen, facet)) == 1


def test_two_decisions_in_one_reply_are_both_found() -> None:
    happened = event("claude-code", "PreToolUse")
    seen = answered("claude-code", happened, modify({"sql": "new"}), context("the schema is old"))
    assert set(map(repr, decisions(seen, query.hooks("claude-code")))) == {
        repr(modify({"sql": "new"})),
        repr(context("the schema is old")),
    }


def test_silence_and_noise_are_no_decision() -> None:
    facet, happened = query.hooks("claude-code"), event("claude-code", "PreToolUse")
    for output in ("", "{}", "not json", '{"other": "thing"}'):
        assert decisions(HookSeen(1.0, 2.0, "PreToolUse", happened, output, "", 0), facet) == ()
    assert decisions(HookSeen(1.0, 2.0, "PreToolUse", None, '{"decision": "block"}', "", 0), facet) == ()


def test_a_blocking_exit_code_is_a_denial() -> None:
    seen = HookSeen(1.0, 2.0, "PreToolUse", event("claude-code", "PreToolUse"), "", "not today\n", 2)
    assert decisions(seen, query.hooks("claude-code")) == (deny("not today"),)
