"""The generated bridge under Node, in the sequences that the real host was recorded with."""

import subprocess
from pathlib import Path

import pytest

from agent_connector.connector.matchers import compile as matcher

BEFORE, AFTER = "tool.execute.before", "tool.execute.after"


def first(driven):
    return driven["results"][0]


# ---- before a tool


def test_a_denial_is_thrown_with_its_reason(bridge, recorded):
    bridge.install({BEFORE: {"deny": "not on a Friday"}})
    assert first(bridge.drive((BEFORE, recorded["tool.execute.before mcp"])))["error"] == "not on a Friday"


def test_changed_arguments_are_changed_in_place(bridge, recorded):
    bridge.install({BEFORE: {"args": {"sql": "select 1"}}})
    result = first(bridge.drive((BEFORE, recorded["tool.execute.before mcp"])))
    assert result["held"] == {"sql": "select 1"}  # the host's own reference: the old key is gone
    assert "error" not in result


def test_the_program_is_told_what_the_host_told(bridge, recorded):
    bridge.install({BEFORE: {}})
    bridge.drive(("config", recorded["config"]), (BEFORE, recorded["tool.execute.before mcp"]))
    [asked] = bridge.asked()
    assert asked["input"] == {"tool": "labmcp_echo", "sessionID": "ses_one", "callID": "call_lab2"}
    assert asked["output"] == {"args": {"text": "orig"}}
    assert (asked["sessionID"], asked["directory"], asked["servers"]) == ("ses_one", "/home/user/project", ["labmcp"])


def test_only_the_tools_that_are_asked_for_start_the_program(bridge, recorded):
    bridge.install({BEFORE: {"deny": "no"}}, matchers=[matcher("echo")])
    driven = bridge.drive((BEFORE, recorded["tool.execute.before bash"]), (BEFORE, recorded["tool.execute.before mcp"]))
    assert [result.get("error") for result in driven["results"]] == [None, "no", None]
    assert len(bridge.asked()) == 1


def test_a_context_before_a_tool_comes_with_its_result(bridge, recorded):
    bridge.install({BEFORE: {"context": "mind the limits"}})
    driven = bridge.drive(
        (BEFORE, [{"tool": "bash", "sessionID": "s", "callID": "call_lab3"}, {"args": {}}]),
        (AFTER, recorded["tool.execute.after bash"]),
    )
    assert driven["results"][1]["output"]["output"] == "bash-changed-yes\n\n\nmind the limits"


# ---- after a tool


def test_an_mcp_result_is_replaced_in_its_content(bridge, recorded):
    bridge.install({AFTER: {"output": "hidden"}})
    output = first(bridge.drive((AFTER, recorded["tool.execute.after mcp"])))["output"]
    assert output == {"content": [{"type": "text", "text": "hidden"}]}


def test_a_built_in_result_is_replaced_in_its_output(bridge, recorded):
    bridge.install({AFTER: {"output": "hidden"}})
    arguments = recorded["tool.execute.after bash"]
    arguments[1]["attachments"] = [{"type": "file", "url": "data:image/png;base64,AA=="}]
    output = first(bridge.drive((AFTER, arguments)))["output"]
    assert (output["output"], output["attachments"]) == ("hidden", [])
    assert output["title"] == "echo bash-changed-$LAB_SHELL_ENV"


def test_a_context_after_a_tool_is_added(bridge, recorded):
    bridge.install({AFTER: {"context": "more"}})
    driven = bridge.drive((AFTER, recorded["tool.execute.after mcp"]), (AFTER, recorded["tool.execute.after bash"]))
    assert [part["text"] for part in driven["results"][0]["output"]["content"]] == ["LAB-ECHO:orig", "more"]
    assert driven["results"][1]["output"]["output"] == "bash-changed-yes\n\n\nmore"


def test_a_failed_call_is_told_once_and_a_denied_one_is_not(bridge, recorded):
    error = recorded["event message.part.updated error"]
    bridge.install({"message.part.updated": {}})
    bridge.drive(("event", recorded["event message.part.updated"]), ("event", error), ("event", error))
    [asked] = bridge.asked()
    assert asked["event"]["properties"]["part"]["state"]["error"] == "LAB-BLOCKED: no way\n"

    bridge.install({"message.part.updated": {}, BEFORE: {"deny": "no"}})
    bridge.drive(
        (BEFORE, [{"tool": "labmcp_echo", "sessionID": "ses_one", "callID": "call_lab6"}, {"args": {}}]),
        ("event", error),
    )
    assert [one["host_event"] for one in bridge.asked()[1:]] == [BEFORE]


# ---- prompts and sessions


def test_a_context_for_a_prompt_is_a_further_part_of_it(bridge, recorded):
    bridge.install({"chat.message": {"context": "the schema is frozen"}})
    parts = first(bridge.drive(("chat.message", recorded["chat.message"])))["output"]["parts"]
    assert [part["text"] for part in parts] == ['"say hi"', "the schema is frozen"]
    assert parts[1]["messageID"] == parts[0]["messageID"]
    assert parts[1]["id"] > parts[0]["id"]
    assert parts[1]["synthetic"] is True


def test_a_denied_prompt_is_thrown(bridge, recorded):
    bridge.install({"chat.message": {"deny": "closed"}})
    assert first(bridge.drive(("chat.message", recorded["chat.message"])))["error"] == "closed"


def test_the_session_s_context_is_in_every_request_but_the_title_s(bridge, recorded):
    bridge.install({"session.created": {"context": "Acme rules"}})
    title = recorded["system.transform title"]
    model = [title[0], {"system": ["You are OpenCode."]}]
    transform = "experimental.chat.system.transform"
    driven = bridge.drive(
        ("event", recorded["event session.created"]), (transform, title), (transform, model), (transform, model)
    )
    systems = [result["output"]["system"] for result in driven["results"][1:4]]
    assert systems[0] == ["You are a title generator. (cut)"]
    assert systems[1] == ["You are OpenCode.", "Acme rules"]
    assert len(bridge.asked()) == 1
    assert bridge.asked()[0]["source"] == "startup"


def test_a_session_that_goes_on_is_told_at_its_first_prompt(bridge, recorded):
    bridge.install({"session.created": {}}, "session.created", "dispose")
    bridge.drive(("chat.message", recorded["chat.message"]), ("chat.message", recorded["chat.message"]))
    begun, ended = bridge.asked()
    assert (begun["sessionID"], begun["source"]) == ("ses_one", "resume")
    assert (ended["host_event"], ended["sessionID"], ended["reason"]) == ("dispose", "ses_one", "exit")


def test_a_subagent_s_session_names_its_parent(bridge, recorded):
    child = recorded["event session.created"]
    child[0]["event"]["properties"]["info"]["parentID"] = "ses_parent"
    bridge.install({"session.created": {}, "session.idle": {"deny": "go on"}})
    driven = bridge.drive(("event", child), ("event", recorded["event session.idle"]))
    assert [one["parentID"] for one in bridge.asked()] == ["ses_parent", "ses_parent"]
    assert driven["calls"] == []  # a subagent is not sent on


def test_an_agent_that_stops_is_sent_on_with_the_reason(bridge, recorded):
    bridge.install({"session.idle": {"deny": "run the tests"}, "chat.message": {}})
    idle = recorded["event session.idle"]
    message = recorded["chat.message"]
    message[1]["parts"][0]["text"] = "run the tests"
    driven = bridge.drive(("event", idle), 1, ("chat.message", message), ("event", idle), 2)
    [call, again] = driven["calls"]
    assert call == again
    assert call["path"] == {"id": "ses_one"}
    assert call["body"] == {"parts": [{"type": "text", "text": "run the tests"}]}
    assert [one["stopHookActive"] for one in bridge.asked()] == [False, True]  # and no prompt of the person's


def test_an_agent_that_may_never_stop_stops_in_the_end(bridge, recorded):
    bridge.install({"session.idle": {"deny": "go on"}})
    idle = ("event", recorded["event session.idle"])
    driven = bridge.drive(*[step for count in range(1, 11) for step in (idle, count)], idle)
    assert (len(driven["calls"]), len(bridge.asked())) == (10, 11)


@pytest.mark.parametrize("answer", ["once", "reject"])
def test_a_permission_is_answered(bridge, recorded, answer):
    bridge.install({"permission.asked": {"permission": answer}})
    driven = bridge.drive(
        (BEFORE, [{"tool": "labmcp_echo", "sessionID": "ses_one", "callID": "call_lab19"}, {"args": {"text": "x"}}]),
        ("event", recorded["event permission.asked"]),
    )
    [call] = driven["calls"]
    assert call["path"] == {"id": "ses_one", "permissionID": "per_22d33edcf001DOyvPumbVbFvOX"}
    assert call["body"] == {"response": answer}
    assert (bridge.asked()[0]["tool"], bridge.asked()[0]["args"]) == ("labmcp_echo", {"text": "x"})


def test_a_permission_without_an_answer_is_left_to_the_host(bridge, recorded):
    bridge.install({"permission.asked": {}})
    assert bridge.drive(("event", recorded["event permission.asked"]))["calls"] == []


def test_a_compaction_gets_more_context(bridge):
    bridge.install({"experimental.session.compacting": {"context": "keep the ids"}, "session.compacted": {}})
    driven = bridge.drive(
        ("experimental.session.compacting", [{"sessionID": "ses_one"}, {"context": []}]),
        ("event", [{"event": {"type": "session.compacted", "properties": {"sessionID": "ses_one"}}}]),
    )
    assert first(driven)["output"]["context"] == ["keep the ids"]
    assert [one["host_event"] for one in bridge.asked()] == ["experimental.session.compacting", "session.compacted"]


def test_native_hooks_change_what_their_answer_names(bridge, recorded):
    bridge.install(
        {"shell.env": {"env": {"ACME": "1"}}, "experimental.text.complete": {"text ": "x"}, "session.error": {}}
    )
    driven = bridge.drive(("shell.env", recorded["shell.env"]), ("event", recorded["event session.error"]))
    assert first(driven)["output"] == {"env": {"ACME": "1"}}
    assert bridge.asked()[1]["event"]["properties"]["error"]["name"] == "MessageAbortedError"
    assert "session.error" not in driven["hooks"]


# ---- never in the host's way


def everything(recorded):
    return [
        ("event", recorded["event session.created"]),
        ("chat.message", recorded["chat.message"]),
        (BEFORE, recorded["tool.execute.before mcp"]),
        (AFTER, recorded["tool.execute.after mcp"]),
        ("event", recorded["event permission.asked"]),
        ("event", recorded["event session.idle"]),
    ]


WIRED = ("session.created", "chat.message", BEFORE, AFTER, "permission.asked", "session.idle", "dispose")


def untouched(driven, recorded):
    assert [result.get("error") for result in driven["results"]] == [None] * 7
    outputs = [result["output"] for result in driven["results"][1:4]]
    assert outputs == [
        recorded[name][1] for name in ("chat.message", "tool.execute.before mcp", "tool.execute.after mcp")
    ]
    assert driven["calls"] == []


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"text": "no JSON at all"},
        {"text": ""},
        {"text": '"deny"'},
        {"text": "[1]"},
        {"text": '{"deny": 1, "args": "x", "output": {}, "context": [], "permission": true}'},
    ],
)
def test_garbage_says_nothing(bridge, recorded, answer):
    bridge.install(dict.fromkeys(WIRED, answer))
    untouched(bridge.drive(*everything(recorded)), recorded)


def test_a_program_that_is_gone_says_nothing(bridge, recorded):
    bridge.command = lambda event: "/nowhere/agent-connector hook"
    bridge.install({event: {"deny": "no"} for event in WIRED})
    untouched(bridge.drive(*everything(recorded)), recorded)


def test_a_program_that_hangs_is_ended(bridge, recorded):
    bridge.install({event: {"hang": True} for event in WIRED}, timeout=0.3)
    untouched(bridge.drive(*everything(recorded)), recorded)


def test_nothing_of_a_program_that_hangs_is_left(bridge, recorded):
    bridge.install({BEFORE: {"hang": True}}, timeout=6)
    bridge.drive((BEFORE, recorded["tool.execute.before mcp"]))
    [pid] = (bridge.folder / "hanging").read_text().split()
    assert not runs(pid)


def runs(pid):
    """Is there such a process, and is it more than an entry that nobody has asked after?"""
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, timeout=30, check=False)
    return state.stdout.strip()[:1] not in ("", "Z")


def test_a_child_that_holds_the_output_open_does_not_hold_the_answer_back(bridge, recorded):
    bridge.install({BEFORE: {"child that holds the output": True, "text": '{"deny": "no"}'}}, timeout=30)
    assert first(bridge.drive((BEFORE, recorded["tool.execute.before mcp"])))["error"] == "no"


def test_arguments_that_cannot_be_told_do_no_harm(bridge):
    bridge.install({BEFORE: {"deny": "no"}, "chat.message": {"deny": "no"}})
    driven = bridge.drive((BEFORE, [{}]), (BEFORE, []), ("chat.message", [{"sessionID": "s"}]), ("event", [{}]))
    assert driven["results"][1].get("error") is None
    assert driven["results"][3].get("error") is None


def test_of_two_copies_one_speaks(bridge, recorded):
    for within in ("user", "project"):
        bridge.install({BEFORE: {"args": {"text": "changed"}}}, within=within)
    result = first(bridge.drive((BEFORE, recorded["tool.execute.before mcp"])))
    assert result["held"] == {"text": "changed"}
    assert len(bridge.asked()) == 1


def test_the_module_exports_a_default_with_an_id_and_needs_no_package(bridge):
    bridge.install({BEFORE: {}})
    text = Path(bridge.files[0]).read_text(encoding="utf-8")
    assert text.count("import ") == 1
    assert 'from "node:child_process"' in text
    assert "export default { id: `agent-connector-${CONFIG.id}`, server }" in text
    assert bridge.files[0].endswith("plugins/agent-connector-acme-db.js")
