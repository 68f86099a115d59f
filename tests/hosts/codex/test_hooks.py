"""Codex' hooks: what is registered, what comes in, and replies as the real 0.171.0 honoured them."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.matching import matches
from agent_connector.hosts import query
from agent_connector.hosts.codex import hooks, trust, verdicts
from agent_connector.testing.host_samples import MARKS, hook_use


def hso(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


# ---- what is registered


def test_a_hook_in_hooks_json():
    own = {"side": "own", "names": ["list-tables", "query"]}
    [node] = hooks.wire([hook_use("PreToolUse", "PreToolUse", command="c", matchers=(own,))], "/h.json")
    assert (node.file, node.format, node.path, node.marks) == ("/h.json", "json", ("hooks", "PreToolUse"), MARKS)
    assert node.value == {
        "matcher": "mcp__acme_db__list_tables|mcp__acme_db__query",
        "hooks": [{"type": "command", "command": "c", "timeout": 10}],
    }


def test_an_event_that_codex_cuts_after_three_seconds_asks_for_no_more():
    [end] = hooks.wire([hook_use("SessionEnd", "SessionEnd", timeout=60)], "/h.json")
    assert end.value == {"hooks": [{"type": "command", "command": end.value["hooks"][0]["command"], "timeout": 3}]}


def catches(matcher, tool):
    """As seen: words and `|` compare whole names, anything else is a regex that is looked for anywhere."""
    if matcher in ("*", ""):
        return True
    return tool in matcher.split("|") if re.fullmatch(r"[\w|]+", matcher) else bool(re.search(matcher, tool))


@pytest.mark.parametrize(
    ("compiled", "caught", "passed"),
    [
        ({"side": "own", "names": ["echo-all"]}, "mcp__acme_db__echo_all", "mcp__acme_db__echo_all2"),
        ({"side": "own", "prefix": "echo-"}, "mcp__acme_db__echo_all", "mcp__acme_db__add"),
        ({"side": "own", "regex": "echo-.*"}, "mcp__acme_db__echo_all", "Bash"),
        ({"side": "server", "server": "git-hub", "prefix": ""}, "mcp__git_hub__x", "mcp__acme_db__x"),
        ({"side": "host", "names": ["Edit"]}, "apply_patch", "Bash"),
        ({"side": "host", "regex": "B.*h"}, "Bash", "apply_patch"),
    ],
)
def test_it_catches_what_was_asked_for_and_not_its_neighbours(compiled, caught, passed):
    [node] = hooks.wire([hook_use("PreToolUse", "PreToolUse", matchers=(compiled,))], "/h.json")
    assert catches(node.value["matcher"], caught)
    assert not catches(node.value["matcher"], passed)


def test_all_of_its_own_tools_are_caught_by_catching_everything():
    """Its regexes know no look-ahead, so "no MCP tool" cannot be said."""
    [node] = hooks.wire([hook_use("PreToolUse", matchers=({"side": "host", "prefix": ""},))], "/h.json")
    assert node.value["matcher"] == "*"


# ---- what comes in


def test_every_recorded_payload_is_understood(payloads):
    for name, raw in payloads.items():
        event = hooks.parse(raw["hook_event_name"], raw, ["acme-db"])
        assert event.name == event.host_event == name.partition(".")[0]
        assert (event.session_id, event.cwd) == (raw["session_id"], "/home/user/project")


def test_a_call_of_an_mcp_tool(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.mcp__lab__echo"], [])
    assert (event.server, event.tool_name, event.model) == ("lab", "echo", "fake-model")
    after = hooks.parse("PostToolUse", payloads["PostToolUse.mcp__lab__echo"], [])
    assert after.tool_output == {"content": [{"type": "text", "text": "ECHO:hello-lab"}], "isError": False}


def test_its_own_tools(payloads):
    patch = hooks.parse("PreToolUse", payloads["PreToolUse.apply_patch"], [])
    assert (patch.tool_name, patch.host_tool_name, patch.server) == ("Edit", "apply_patch", None)
    assert hooks.parse("PreToolUse", payloads["PreToolUse.spawn_agent"], []).tool_name == "Agent"
    assert hooks.parse("PostToolUse", payloads["PostToolUse.Bash"], []).tool_output == "bash-lab\n"


def test_events_without_a_tool(payloads):
    assert hooks.parse("UserPromptSubmit", payloads["UserPromptSubmit"], []).prompt == "say hi"
    assert hooks.parse("SessionStart", payloads["SessionStart"], []).source == "startup"
    assert hooks.parse("SessionEnd", payloads["SessionEnd"], []).reason == "other"
    assert hooks.parse("Stop", payloads["Stop"], []).last_message == "FINAL-TEXT"
    assert hooks.parse("SubagentStop", payloads["SubagentStop"], []).agent_type == "default"


def test_a_folded_name_is_given_back(payloads):
    """Codex told `mcp__acme_db__echo_all` for the tool `echo-all` of the server `acme-db`."""
    raw = payloads["PreToolUse.mcp__acme_db__echo_all"]
    own = {"side": "own", "names": ["add", "echo-all"]}
    event = hooks.parse("PreToolUse", raw, ["acme-db"])
    assert (event.server, event.tool_name) == ("acme-db", "echo_all")
    assert not matches(own, event, "acme-db")
    hooks.restore(event, [own], "acme-db")
    assert event.tool_name == "echo-all"
    assert matches(own, event, "acme-db")
    assert event.host_tool_name == "mcp__acme_db__echo_all"


@pytest.mark.parametrize(
    ("matcher", "server", "tool"),
    [
        ({"side": "own", "prefix": "echo-"}, "acme-db", "echo-all"),
        ({"side": "own", "names": ["add"]}, "acme-db", "echo_all"),
        ({"side": "server", "server": "acme.db", "names": ["x"]}, "acme-db", "echo_all"),
        ({"side": "host", "names": ["echo-all"]}, "acme-db", "echo_all"),
        ({"side": "any"}, "acme-db", "echo_all"),
    ],
)
def test_only_a_matcher_that_means_this_tool_names_it(payloads, matcher, server, tool):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.mcp__acme_db__echo_all"], ["acme-db"])
    hooks.restore(event, [matcher], "acme-db")
    assert (event.server, event.tool_name) == (server, tool)


def test_another_servers_name_is_given_back_too(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.mcp__acme_db__echo_all"], ["other"])
    assert event.server == "acme_db"
    hooks.restore(event, [{"side": "server", "server": "acme-db", "names": ["echo-all"]}], "other")
    assert (event.server, event.tool_name) == ("acme-db", "echo-all")


# ---- what goes out: (event, decision, reply, what the real program did with it)

REPLIES = [
    ("PreToolUse", light.allow(), None, "grants nothing, alone or not"),
    (
        "PreToolUse",
        light.deny("no"),
        hso("PreToolUse", permissionDecision="deny", permissionDecisionReason="no"),
        "blocked, reason to the model",
    ),
    (
        "PreToolUse",
        light.ask("sure?"),
        hso("PreToolUse", permissionDecision="deny", permissionDecisionReason="sure?"),
        "`ask` was ignored and the tool ran, so a denial is sent",
    ),
    (
        "PreToolUse",
        light.modify({"a": 1}),
        hso("PreToolUse", permissionDecision="allow", updatedInput={"a": 1}),
        "reached the server; without `allow` it was ignored",
    ),
    ("PreToolUse", light.context("t"), hso("PreToolUse", additionalContext="t"), "a message in the next request"),
    ("PermissionRequest", light.allow(), hso("PermissionRequest", decision={"behavior": "allow"}), "ran, in exec"),
    (
        "PermissionRequest",
        light.deny("no"),
        hso("PermissionRequest", decision={"behavior": "deny", "message": "no"}),
        "not run, the model read the message",
    ),
    ("PermissionRequest", light.ask("?"), None, "exec: approval policy is never, so not run"),
    ("PermissionRequest", light.modify({"a": 1}), None, "documented to fail closed"),
    ("PostToolUse", light.deny("no"), {"decision": "block", "reason": "no"}, "the reason replaced the result"),
    ("PostToolUse", light.context("t"), hso("PostToolUse", additionalContext="t"), "a message in the next request"),
    (
        "PostToolUse",
        light.replace_output("t"),
        {"decision": "block", "reason": "t"},
        "the output of the call was `t`, word for word; updatedMCPToolOutput had no effect",
    ),
    ("UserPromptSubmit", light.deny("no"), {"decision": "block", "reason": "no"}, "no model request"),
    ("UserPromptSubmit", light.context("t"), hso("UserPromptSubmit", additionalContext="t"), "beside the prompt"),
    ("SessionStart", light.deny("no"), {"continue": False, "stopReason": "no"}, "no model request"),
    ("SessionStart", light.context("t"), hso("SessionStart", additionalContext="t"), "before the prompt"),
    ("SubagentStart", light.context("t"), hso("SubagentStart", additionalContext="t"), "reached the subagent"),
    ("SubagentStart", light.deny("no"), None, "not blockable"),
    ("Stop", light.deny("more"), {"decision": "block", "reason": "more"}, "went on"),
    ("Stop", light.context("t"), None, "its schema has no place for it"),
    ("SubagentStop", light.deny("more"), {"decision": "block", "reason": "more"}, "the subagent went on"),
    ("PreCompact", light.deny("no"), {"continue": False, "stopReason": "no"}, "documented"),
    ("SessionEnd", light.deny("no"), None, "watched only"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "codex", event, {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, ""), seen


# Keys that Codex' closed reply schemas know; one more voids the whole reply.
COMMON = {"continue", "stopReason", "suppressOutput", "systemMessage"}
BLOCKING = {"PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"}
SPECIFIC = {
    "PreToolUse": {"permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"},
    "PermissionRequest": {"decision"},
    "PostToolUse": {"additionalContext", "updatedMCPToolOutput"},
    "UserPromptSubmit": {"additionalContext"},
    "SessionStart": {"additionalContext"},
    "SubagentStart": {"additionalContext"},
}
DECISIONS = [
    light.allow(),
    light.deny(""),
    light.ask(""),
    light.modify({}),
    light.context("t"),
    light.replace_output("t"),
]


@pytest.mark.parametrize("event", hooks.EVENTS)
@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: decision.kind)
def test_no_reply_has_a_key_that_the_closed_schema_lacks(event, decision):
    output = hooks.reply(Event(event, "codex", event, {}), decision).output
    if output is None:
        return
    allowed = COMMON | ({"decision", "reason"} if event in BLOCKING else set())
    assert set(output) <= allowed | ({"hookSpecificOutput"} if event in SPECIFIC else set())
    if inner := output.get("hookSpecificOutput"):
        assert inner["hookEventName"] == event
        assert set(inner) <= SPECIFIC[event] | {"hookEventName"}
    if output.get("decision") == "block":
        assert output["reason"], "a block without a reason is void"


def test_all_thirteen_events_and_six_decisions_have_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind) for event in EVENTS for kind in query.DECISIONS}
    assert len(rows) == 78
    assert {key for key, (verdict, _, _) in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    assert "notify" in rows["Notification", "context"][2]
    assert rows["PreToolUse", "ask"][0] == "degraded"


def test_what_was_never_seen_is_not_called_proven():
    unseen = {"PreCompact", "PostCompact"}
    assert all(sure != "proven" for (event, _), (_, sure, _) in verdicts.TABLE.items() if event in unseen)


# ---- trust


def test_hashes_are_those_of_codex_itself():
    """As the real program's own list of hooks reported them for these definitions."""
    one = {"type": "command", "command": "echo hi", "timeout": 10}
    assert trust.definition_hash("PreToolUse", "^(?:mcp__a__b)$", one) == (
        "sha256:208dbd19c3533cf9695113647662a5169c85eda9afbce9e9149d99d35748f2e2"
    )
    two = {"type": "command", "command": "echo two", "timeout": 10}
    assert trust.definition_hash("PreToolUse", None, two) == (
        "sha256:f3247944eb6c7140c9980c28dd92c1c7c706d0123668516811f6637874f28665"
    )
    unicode = {"type": "command", "command": 'echo é "q"', "timeout": 3}
    assert trust.definition_hash("SessionEnd", None, unicode) == (
        "sha256:47cbfe978028c13a7f81a16690d029b12c82a593c7194f2d2ae206fa127d9b68"
    )
    assert trust.definition_hash("Stop", "*", {"type": "command", "command": "x"}) == (
        "sha256:6f14477468be127a92604ce05b51030268ccd6077fa7a807515589cfcfc7fd17"
    )


def test_only_our_own_hooks_are_trusted_at_the_place_where_they_stand():
    ours = {"type": "command", "command": " ".join(MARKS), "timeout": 10}
    theirs = {"type": "command", "command": "rm -rf /"}
    others = {"type": "command", "command": f"{MARKS[0]} hook codex Stop --connector another"}
    table = {"PreToolUse": [{"hooks": [theirs]}, {"matcher": "*", "hooks": [others, ours]}], "Stop": [{"hooks": []}]}
    states = trust.states("/h/hooks.json", table, MARKS)
    assert list(states) == ["/h/hooks.json:pre_tool_use:1:1"]
    assert states["/h/hooks.json:pre_tool_use:1:1"]["trusted_hash"] == trust.definition_hash("PreToolUse", "*", ours)


def test_a_new_command_or_timeout_is_no_longer_trusted():
    base = trust.definition_hash("Stop", None, {"command": "c", "timeout": 10})
    assert base != trust.definition_hash("Stop", None, {"command": "c2", "timeout": 10})
    assert base != trust.definition_hash("Stop", None, {"command": "c", "timeout": 11})
