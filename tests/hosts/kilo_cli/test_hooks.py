"""Kilo's hooks: what its backend was recorded to tell, and what the bridge does in it."""

from agent_connector.connector.light import deny, modify
from agent_connector.connector.matchers import compile as matcher
from agent_connector.hosts.kilo import hooks as extension
from agent_connector.hosts.kilo_cli import hooks
from agent_connector.testing.hosts import hook_use

BEFORE, AFTER = "tool.execute.before", "tool.execute.after"


def told(recorded, name, **more):
    """The payload that the bridge makes of a recorded hook."""
    given = recorded[name]
    here = {"sessionID": "ses_one", "directory": "/home/user/project", "servers": ["labmcp"], **more}
    return {**here, "event": given[0]["event"]} if name.startswith("event ") else {**here, **pair(given)}


def pair(given):
    return {"input": given[0], "output": given[1]}


def test_recorded_payloads_become_events(recorded):
    prompt = hooks.parse("chat.message", told(recorded, "chat.message"), [])
    assert (prompt.name, prompt.prompt, prompt.model) == ("UserPromptSubmit", '"say hi"', "fakeprov/fake-model")
    call = hooks.parse(BEFORE, told(recorded, f"{BEFORE} mcp"), [])
    assert (call.name, call.host, call.server, call.tool_name) == ("PreToolUse", "kilo-cli", "labmcp", "echo")
    assert (call.session_id, call.cwd, call.call_id) == ("ses_one", "/home/user/project", "call_lab20")
    assert hooks.parse(BEFORE, told(recorded, f"{BEFORE} bash"), []).tool_name == "Bash"
    result = hooks.parse(AFTER, told(recorded, f"{AFTER} mcp"), [])
    assert result.tool_output == {"content": [{"type": "text", "text": "LAB-ECHO:CHANGED-BY-HOOK"}]}
    asked = hooks.parse("permission.asked", told(recorded, "event permission.asked", tool="labmcp_echo"), [])
    assert (asked.name, asked.server, asked.tool_name) == ("PermissionRequest", "labmcp", "echo")


def test_the_bridge_does_in_kilo_what_it_does_in_opencode(bridge, recorded):
    bridge.install({BEFORE: {"args": {"text": "changed"}}, AFTER: {"output": "hidden"}}, matchers=[matcher("echo")])
    driven = bridge.drive(
        ("config", recorded["config"]),
        ("event", recorded["event session.created"]),
        (BEFORE, recorded[f"{BEFORE} mcp"]),
        (AFTER, recorded[f"{AFTER} mcp"]),
        (AFTER, recorded[f"{AFTER} bash"]),
        ("event", recorded["event session.idle"]),
        ("event", recorded["event session.drained"]),
    )
    assert driven["results"][2]["held"] == {"text": "changed"}
    assert driven["results"][3]["output"] == {"content": [{"type": "text", "text": "hidden"}]}
    assert driven["results"][4]["output"]["output"] == "bash-changed-yes\n"
    assert [one["servers"] for one in bridge.asked()] == [["labmcp"]] * 2


def test_a_denial_is_thrown(bridge, recorded):
    bridge.install({BEFORE: {"deny": "not on a Friday"}})
    assert bridge.drive((BEFORE, recorded[f"{BEFORE} bash"]))["results"][0]["error"] == "not on a Friday"


def test_one_module_serves_the_program_and_the_extension():
    """Both load the folder, so a second module would let every hook run twice."""
    uses = [hook_use(BEFORE, "PreToolUse")]
    [one], [other] = hooks.wire(uses, "/p"), extension.wire(uses, "/p")
    assert (one.file, one.text) == (other.file, other.text)
    assert hooks.FAMILY == extension.FAMILY == ("kilo-cli", "kilo")
    assert hooks.acting({"KILO": "1"}) == "kilo-cli"
    assert hooks.acting({"KILO": "1", "KILO_PLATFORM": "vscode"}) == "kilo"
    assert extension.parse(BEFORE, {}, []).host == "kilo"


def test_replies_and_what_they_are_worth():
    event = hooks.parse(BEFORE, {"input": {"tool": "bash"}}, [])
    assert hooks.reply(event, deny("no")).output == {"deny": "no"}
    assert hooks.reply(event, modify({"command": "ls"})).output == {"args": {"command": "ls"}}
    assert hooks.honours("PreToolUse", "modify")[:2] == ("honoured", "proven")
    assert hooks.honours("Stop", "deny")[:2] == ("degraded", "documented")
    assert hooks.honours("UserPromptSubmit", "context")[1] == "proven"
    assert hooks.honours("UserPromptSubmit", "deny")[1] == "documented"
    assert extension.honours("PreToolUse", "modify")[:2] == ("honoured", "documented")
