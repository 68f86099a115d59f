"""Claude Code's hooks: what is registered, what comes in, and replies as the real 2.1.332 honoured them."""

import re

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.hosts import query
from agent_connector.hosts.claude_code import hooks, verdicts
from agent_connector.testing.host_samples import MARKS, hook_use


def hso(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


# ---- what is registered


def test_a_hook_in_the_settings_file():
    use = hook_use("PreToolUse", "PreToolUse", command="c", timeout=9.1, matchers=({"side": "own", "names": ["q"]},))
    [node] = hooks.wire([use], "/s.json")
    assert (node.file, node.format, node.path, node.marks) == ("/s.json", "json", ("hooks", "PreToolUse"), MARKS)
    assert node.value == {
        "matcher": "^(?:mcp__acme-db__q)$",
        "hooks": [{"type": "command", "command": "c", "timeout": 10}],
    }


def test_an_event_without_a_tool_has_no_matcher():
    [node] = hooks.wire([hook_use("Stop", "Stop", matchers=({"side": "own", "names": ["q"]},))], "/s.json")
    assert "matcher" not in node.value


OWN = {"side": "own"}
HOST = {"side": "host"}
# Each form was registered in the real program, which had a server `acme-db` with the tools echo, add and echo-all.
MATCHERS = [
    ([{"side": "any"}], "*"),
    ([{**OWN, "names": ["echo", "add"]}], "^(?:mcp__acme-db__echo|mcp__acme-db__add)$"),
    ([{**OWN, "prefix": "e"}], "^(?:mcp__acme-db__e.*)$"),
    ([{**OWN, "prefix": ""}], "^(?:mcp__acme-db__.*)$"),
    ([{**OWN, "regex": "e.*o"}], "^(?:mcp__acme-db__(?:e.*o))$"),
    ([{**OWN, "regex": r"(?i)e\w+"}], "^(?:mcp__acme-db__.*)$"),
    ([{**HOST, "names": ["Bash"]}], "Bash"),
    ([{**HOST, "names": ["Fetch", "Read"]}], "WebFetch|Fetch|Read"),
    ([{**HOST, "prefix": ""}], "^(?:(?!mcp__).*)$"),
    ([{**HOST, "names": ["Bash"]}, {"side": "server", "server": "git", "prefix": ""}], "^(?:Bash|mcp__git__.*)$"),
    ([{**HOST, "names": ["Bash"]}, {"side": "any"}], "*"),
]


@pytest.mark.parametrize(("matchers", "native"), MATCHERS)
def test_the_narrowest_matcher(matchers, native):
    [node] = hooks.wire([hook_use("PreToolUse", "PreToolUse", matchers=matchers)], "/s.json")
    assert node.value["matcher"] == native


def catches(matcher, tool):
    """As seen: words and `|` compare whole names, anything else is a regex that is looked for anywhere."""
    if matcher in ("*", ""):
        return True
    return tool in matcher.split("|") if re.fullmatch(r"[\w|-]+", matcher) else bool(re.search(matcher, tool))


@pytest.mark.parametrize(
    ("compiled", "caught", "passed"),
    [
        ({**OWN, "names": ["echo"]}, "mcp__acme-db__echo", "mcp__acme-db__echo-all"),
        ({**OWN, "prefix": "echo"}, "mcp__acme-db__echo-all", "mcp__acme-db2__echo"),
        ({**OWN, "prefix": ""}, "mcp__acme-db__add", "Bash"),
        ({**HOST, "names": ["Agent"]}, "Task", "mcp__Task__x"),
        ({**HOST, "prefix": ""}, "SomeNewTool", "mcp__acme-db__echo"),
        ({**HOST, "regex": "Fe.*|Read"}, "WebFetch", "Write"),
    ],
)
def test_it_catches_what_was_asked_for_and_not_its_neighbours(compiled, caught, passed):
    [node] = hooks.wire([hook_use("PreToolUse", "PreToolUse", matchers=(compiled,))], "/s.json")
    assert catches(node.value["matcher"], caught)
    assert not catches(node.value["matcher"], passed)


# ---- what comes in


def test_every_recorded_payload_is_understood(payloads):
    for name, raw in payloads.items():
        event = hooks.parse(raw["hook_event_name"], raw, ["acme-db"])
        assert event.name == event.host_event == name.partition(".")[0]
        assert event.session_id == raw["session_id"]
        assert (event.cwd, event.raw) == ("/home/user/project", raw)
        assert event.transcript_path.startswith("/home/user/.claude/projects/")


def test_a_call_of_an_mcp_tool(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.mcp__lab__echo"], ["acme-db"])
    assert (event.server, event.tool_name, event.host_tool_name) == ("lab", "echo", "mcp__lab__echo")
    assert event.tool_input == {"text": "hello-lab"}
    assert (event.call_id, event.permission_mode) == ("toolu_lab_1_0", "default")


def test_a_tool_with_a_hyphen_keeps_it(payloads):
    event = hooks.parse("PreToolUse", payloads["PreToolUse.mcp__acme-db__echo-all"], ["acme-db"])
    assert (event.server, event.tool_name) == ("acme-db", "echo-all")


def test_its_own_tools_have_the_names_that_all_hosts_share(payloads):
    names = {name: hooks.parse("PreToolUse", raw, []) for name, raw in payloads.items() if "PreToolUse." in name}
    assert names["PreToolUse.Agent"].tool_name == "Agent"
    assert names["PreToolUse.Bash"].tool_input == {"command": "echo bash-lab", "description": "say"}
    assert names["PreToolUse.Bash"].server is None
    assert hooks.parse("PreToolUse", {"tool_name": "WebFetch"}, []).tool_name == "Fetch"
    assert hooks.parse("PreToolUse", {"tool_name": "Unheard"}, []).tool_name == "Unheard"


def test_results_come_as_the_host_gives_them(payloads):
    assert hooks.parse("PostToolUse", payloads["PostToolUse.mcp__lab__echo"], []).tool_output == [
        {"type": "text", "text": "ECHO:hello-lab"}
    ]
    assert hooks.parse("PostToolUse", payloads["PostToolUse.Bash"], []).tool_output["stdout"] == "bash-lab"
    failure = hooks.parse("PostToolUseFailure", payloads["PostToolUseFailure.Read"], [])
    assert failure.error.startswith("File does not exist.")


def test_events_without_a_tool(payloads):
    assert hooks.parse("UserPromptSubmit", payloads["UserPromptSubmit"], []).prompt == "say hi"
    assert hooks.parse("SessionStart", payloads["SessionStart"], []).source == "startup"
    assert hooks.parse("SessionEnd", payloads["SessionEnd"], []).reason == "other"
    assert hooks.parse("PreCompact", payloads["PreCompact"], []).trigger == "manual"
    stop = hooks.parse("Stop", payloads["Stop"], [])
    assert (stop.stop_hook_active, stop.last_message, stop.tool_name) == (False, "FINAL-TEXT", None)
    sub = hooks.parse("SubagentStop", payloads["SubagentStop"], [])
    assert (sub.agent_id, sub.agent_type, sub.last_message) == ("abd50ffe89a975cc6", "general-purpose", "SUB-FINAL")


def test_a_payload_that_makes_no_sense_is_an_event_all_the_same():
    event = hooks.parse("PreToolUse", {"tool_name": 7, "tool_input": "x", "mcp_server": None}, [])
    assert (event.tool_name, event.tool_input) == (None, None)
    assert hooks.parse("PreToolUse", {"tool_name": "Bash", "tool_input": "x"}, []).tool_input is None


# ---- what goes out: (event, decision, reply, what the real program did with it)

REPLIES = [
    ("PreToolUse", light.allow(), hso("PreToolUse", permissionDecision="allow"), "granted the call, headless too"),
    (
        "PreToolUse",
        light.deny("no"),
        hso("PreToolUse", permissionDecision="deny", permissionDecisionReason="no"),
        "blocked, reason to the model",
    ),
    (
        "PreToolUse",
        light.ask("sure?"),
        hso("PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?"),
        "not run headless, reason to the model",
    ),
    ("PreToolUse", light.modify({"a": 1}), hso("PreToolUse", updatedInput={"a": 1}), "reached the server, no grant"),
    ("PreToolUse", light.context("t"), hso("PreToolUse", additionalContext="t"), "stood in the next request"),
    ("PreToolUse", light.replace_output("t"), None, "no such thing"),
    ("PermissionRequest", light.allow(), hso("PermissionRequest", decision={"behavior": "allow"}), "ran"),
    (
        "PermissionRequest",
        light.deny("no"),
        hso("PermissionRequest", decision={"behavior": "deny", "message": "no"}),
        "not run, message to the model",
    ),
    ("PermissionRequest", light.ask("?"), None, "the host's own question"),
    ("PermissionRequest", light.modify({"a": 1}), None, "would be a grant"),
    ("PostToolUse", light.deny("no"), {"decision": "block", "reason": "no"}, "result stayed, reason added"),
    ("PostToolUse", light.context("t"), hso("PostToolUse", additionalContext="t"), "stood in the next request"),
    ("PostToolUseFailure", light.deny("no"), hso("PostToolUseFailure", additionalContext="no"), "added"),
    ("PostToolUseFailure", light.context("t"), hso("PostToolUseFailure", additionalContext="t"), "added"),
    ("UserPromptSubmit", light.deny("no"), {"decision": "block", "reason": "no"}, "no model request"),
    ("UserPromptSubmit", light.context("t"), hso("UserPromptSubmit", additionalContext="t"), "a system message"),
    ("UserPromptSubmit", light.allow(), None, "nothing to grant"),
    ("Stop", light.deny("more"), {"decision": "block", "reason": "more"}, "went on, stop_hook_active next time"),
    ("Stop", light.context("t"), hso("Stop", additionalContext="t"), "went on, nine requests, then the host ended it"),
    ("SubagentStop", light.deny("more"), {"decision": "block", "reason": "more"}, "the subagent went on"),
    ("SubagentStop", light.context("t"), hso("SubagentStop", additionalContext="t"), "the subagent went on"),
    ("SessionStart", light.context("t"), hso("SessionStart", additionalContext="t"), "stood in the first request"),
    ("SessionStart", light.deny("no"), None, "not blockable"),
    ("SubagentStart", light.context("t"), hso("SubagentStart", additionalContext="t"), "reached the subagent"),
    ("PreCompact", light.deny("no"), {"decision": "block", "reason": "no"}, "not compacted: compact_error"),
    ("PreCompact", light.context("t"), "t", "an instruction of the summary; as JSON it is invalid there"),
    ("SessionEnd", light.deny("no"), None, "watched only"),
    ("PostCompact", light.context("t"), None, "watched only"),
]


@pytest.mark.parametrize(("event", "decision", "output", "seen"), REPLIES)
def test_replies_are_those_that_were_honoured(event, decision, output, seen):
    said = hooks.reply(Event(event, "claude-code", event, {}), decision)
    assert (said.output, said.exit_code, said.stderr) == (output, 0, ""), seen


def test_an_mcp_result_is_replaced_by_content_parts():
    event = Event("PostToolUse", "claude-code", "PostToolUse", {}, server="lab", tool_output=[{"type": "text"}])
    parts = [{"type": "text", "text": "t"}]
    assert hooks.reply(event, light.replace_output("t")).output == hso("PostToolUse", updatedMCPToolOutput=parts)


@pytest.mark.parametrize(
    ("output", "replaced"),
    [
        ({"stdout": "o", "stderr": "e", "isImage": False}, {"stdout": "t", "stderr": "", "isImage": False}),
        ({"mode": "content", "content": "o"}, {"mode": "content", "content": "t"}),
        ({"type": "text", "file": {"filePath": "f", "content": "o"}}, None),
    ],
    ids=["Bash", "Grep", "Read"],
)
def test_a_built_in_result_keeps_its_shape_or_the_host_ignores_the_new_one(output, replaced):
    event = Event("PostToolUse", "claude-code", "PostToolUse", {}, tool_output=output)
    replaced = replaced or {"type": "text", "file": {"filePath": "f", "content": "t"}}
    assert hooks.reply(event, light.replace_output("t")).output == hso("PostToolUse", updatedToolOutput=replaced)


def test_a_result_without_a_place_for_text_gets_it_beside(payloads):
    event = hooks.parse("PostToolUse", payloads["PostToolUse.Skill"], [])
    assert hooks.reply(event, light.replace_output("t")).output == {"decision": "block", "reason": "t"}


def test_a_denial_always_has_a_reason():
    said = hooks.reply(Event("PreToolUse", "claude-code", "PreToolUse", {}), light.deny(""))
    assert said.output["hookSpecificOutput"]["permissionDecisionReason"]


# ---- what is promised


def test_all_thirteen_events_and_six_decisions_have_a_verdict():
    rows = {(event, kind): hooks.honours(event, kind) for event in EVENTS for kind in query.DECISIONS}
    assert len(rows) == 78
    assert {key for key, (verdict, _, _) in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)


def test_what_was_never_seen_is_not_called_proven():
    proven = {event for event, decision, output, _ in REPLIES if output}
    proven |= {"PostToolUse"}
    for (event, kind), (verdict, sure, _) in verdicts.TABLE.items():
        assert sure != "proven" or verdict == "dropped" or event in proven, f"{kind} at {event}"


def test_a_hook_that_another_host_loads_knows_it():
    assert hooks.loaded_by({"cursor_version": "3.1"}, {}) == "cursor"
    assert hooks.loaded_by({}, {"CURSOR_VERSION": "3.1"}) == "cursor"
    assert hooks.loaded_by({"session_id": "x"}, {"CLAUDECODE": "1"}) is None
