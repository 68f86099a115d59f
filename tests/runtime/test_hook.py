"""A hook as a host runs it: what it answers, and that whatever goes wrong the host goes on."""

import json
import os
import subprocess

import pytest

ASKING = """
    from agent_connector import Connector, ask
    connector = Connector(id="acme")

    @connector.hook("PreToolUse", matcher="host:Bash|Write")
    def bash(event):
        return ask(f"{event.name} {event.tool_name} {event.server}")

    @connector.hook("PreToolUse", matcher="other/.*")
    def other(event):
        return ask(f"{event.tool_name} of {event.server}")
"""
WATCHING = """
    from agent_connector import Connector
    connector = Connector(id="acme", server={"transport": "stdio", "command": "true"})

    @connector.hook("PreToolUse", matcher="write")
    def watch(event): pass
"""
GUARD = """
    from agent_connector import Connector
    connector = Connector(id="acme", server={"transport": "stdio", "command": "true"})

    @connector.hook("PreToolUse", matcher="write", on_error="deny")
    def guard(event): pass
"""
DENIED = {
    "hookEventName": "PreToolUse",
    "permissionDecision": "deny",
    "permissionDecisionReason": "acme: the guard guard could not judge this, so it is denied.",
}
BAD = {
    "empty": b"",
    "blanks": b" \n",
    "not json": b"hello",
    "cut short": b'{"tool_name": "mcp__acme__wr',
    "two values": b"{} {}",
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "nested too deeply": b'{"a":' * 200_000,
    "a number too large": b'{"a":' + b"9" * 5000 + b"}",
    "not text": bytes(range(256)),
}


# ---- what it answers


def test_a_handler_is_asked_and_the_host_gets_its_answer(home, call):
    home.connector(ASKING)
    ended = home.hook(call(tool_name="Bash", mcp_server=None))
    assert ended.code == 0 and ended.err == b""
    assert ended.said["permissionDecision"] == "ask"
    assert ended.said["permissionDecisionReason"] == "PreToolUse Bash None"
    assert home.hook(call(tool_name="mcp__other__x", mcp_server=None)).said["permissionDecisionReason"] == "x of other"
    assert home.logged() == []


def test_a_hit_leaves_one_row_of_counts(home, call):
    home.connector(ASKING)
    sent = json.dumps(call(tool_name="Bash", mcp_server=None)).encode()
    out = home.hook(sent).out
    (row,) = home.rows()
    assert (row["scope"], row["surface"], row["connector"], row["host"]) == ("hook", "hooks", "acme", "claude-code")
    assert (row["tool"], row["session"], row["source"]) == ("Bash", call()["session_id"], "heuristic")
    assert (row["in"], row["out"], row["error"]) == ((len(sent) + 3) // 4, (len(out) + 3) // 4, 0)


def test_a_miss_ends_before_the_authors_code_and_leaves_nothing(home, call):
    home.connector(WATCHING)
    home.break_declaration("raise RuntimeError('loaded')")
    ended = home.hook(call(tool_name="mcp__acme__read"))
    assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    assert home.rows() == [] and home.logged() == []


def test_an_event_without_handlers_is_nothing_to_say(home):
    home.connector(WATCHING)
    assert home.hook(event="Stop").out == b"" and home.hook(event="NoSuchEvent").out == b""
    assert home.hook({"tool_name": "Shell"}, host="cursor", event="preToolUse").out == b"{}"
    assert home.logged() == []


def test_each_host_gets_its_own_neutral_answer(home):
    home.connector(WATCHING)
    for host, event, neutral in (
        ("claude-code", "PreToolUse", b""),
        ("codex", "PreToolUse", b""),
        ("gemini-cli", "BeforeTool", b""),
        ("cursor", "preToolUse", b"{}"),
    ):
        ended = home.hook(b"garbage", host=host, event=event)
        assert (ended.code, ended.out, ended.err) == (0, neutral, b"")


def test_our_own_server_goes_by_the_connectors_id_whatever_hosts_call_it(home, call):
    home.connector("""
        from agent_connector import Connector, deny
        connector = Connector(id="acme", alias="db", server={"transport": "stdio", "command": "true"})

        @connector.hook("PreToolUse", matcher="write")
        def own(event):
            return deny(f"{event.server} {event.tool_name} {event.host_tool_name}")
    """)
    ended = home.hook(call(tool_name="mcp__db__write", mcp_server={"name": "db"}))
    assert ended.said["permissionDecisionReason"] == "acme write mcp__db__write"


def test_a_hosts_own_handler_stands_in_for_the_general_one(home, call):
    home.connector("""
        from agent_connector import Connector, deny
        connector = Connector(id="acme")

        @connector.hook("PreToolUse")
        def general(event): return deny("general")

        @connector.hook("PreToolUse", host="codex")
        def codex(event): return deny("codex")
    """)
    assert home.hook().said["permissionDecisionReason"] == "general"
    assert home.hook(host="codex").said["permissionDecisionReason"] == "codex"


def test_a_coroutine_is_waited_for(home):
    home.connector("""
        import asyncio
        from agent_connector import Connector, deny
        connector = Connector(id="acme")

        @connector.hook("PreToolUse")
        async def slowly(event):
            await asyncio.sleep(0.01)
            return deny("after a while")
    """)
    assert home.hook().said["permissionDecisionReason"] == "after a while"


def test_a_native_handler_gets_the_payload_as_it_is_and_its_answer_goes_out_verbatim(home):
    home.connector("""
        from agent_connector import Connector
        from agent_connector.hosts.nodes import Reply
        connector = Connector(id="acme")

        @connector.native_hook("claude-code", "TaskCompleted")
        def done(raw):
            return {"got": raw["x"], "list": [1, None, "ä"]}

        @connector.native_hook("claude-code", "Setup")
        def text(raw):
            return "as it is\\n"

        @connector.native_hook("claude-code", "ConfigChange")
        def stop(raw):
            return Reply(None, 2, "not now")

        @connector.native_hook("claude-code", "TeammateIdle")
        def watch(raw): pass
    """)
    assert home.hook({"x": [7]}, event="TaskCompleted").json == {"got": [7], "list": [1, None, "ä"]}
    assert home.hook({}, event="Setup").out == b"as it is\n"
    stopped = home.hook({}, event="ConfigChange")
    assert (stopped.code, stopped.out, stopped.err) == (2, b"", b"not now")
    assert home.hook({}, event="TeammateIdle").out == b""
    assert [row["surface"] for row in home.rows()] == ["native_hooks"] * 4


def test_numbers_and_letters_survive_the_way_in_and_out(home, call):
    home.connector("""
        from agent_connector import Connector, modify
        connector = Connector(id="acme")

        @connector.hook("PreToolUse")
        def same(event): return modify(event.tool_input)
    """)
    given = {"big": 2**70, "f": 0.1, "e": 1e300, "s": 'ä\u2028\U0001f600 \\ " \x7f', "n": None, "t": [True, {}], "": []}
    assert home.hook(call(tool_input=given)).said["updatedInput"] == given
    lone = json.dumps(call(tool_input={"s": "x"})).replace('"x"', '"\\ud800"').encode()
    assert home.hook(lone).said["updatedInput"] == {"s": "\ud800"}


# ---- payloads that are not as they should be


@pytest.mark.parametrize("payload", BAD.values(), ids=BAD.keys())
def test_a_payload_that_cannot_be_read_is_nothing_to_say(home, payload):
    home.connector(WATCHING)
    ended = home.hook(payload)
    assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    (line,) = home.logged()
    assert (line["verb"], line["connector"], line["host"], line["event"]) == (
        "hook", "acme", "claude-code", "PreToolUse",
    )  # fmt: skip
    assert line["error"]


@pytest.mark.parametrize("payload", BAD.values(), ids=BAD.keys())
def test_a_guard_denies_what_cannot_be_read(home, payload):
    home.connector(GUARD)
    assert home.hook(payload).said == DENIED


def test_odd_payloads_are_read_all_the_same(home, call):
    home.connector(ASKING)
    sent = json.dumps(call(tool_name="Bash", tool_input={"c": "\u00e4"}, mcp_server=None), ensure_ascii=False)
    for data in (
        b"\xef\xbb\xbf" + sent.encode() + b"\r\n\t ",
        sent.encode("latin-1"),  # invalid UTF-8 inside of a text
        sent.replace("\u00e4", "\x01\n").encode(),  # control characters, which strict JSON forbids
    ):
        assert home.hook(data).said["permissionDecision"] == "ask"
    for field in ("tool_input", "tool_use_id", "cwd", "session_id", "prompt_id"):
        assert home.hook(call(**{"tool_name": "Bash", field: [1, 2]})).said["permissionDecision"] == "ask"
    assert home.hook(call(tool_name=7)).out == b""


def test_a_payload_of_50_mb_is_judged(home, call):
    home.connector(ASKING)
    ended = home.hook(call(tool_name="Bash", tool_input={"text": "x" * 50_000_000}, mcp_server=None))
    assert ended.said["permissionDecision"] == "ask"


def test_a_host_that_does_not_end_the_payload_is_answered(home):
    home.connector(WATCHING.replace('matcher="write"', 'matcher="write", timeout=1'))
    reading, writing = os.pipe()
    words = [*home.entry, "hook", "claude-code", "PreToolUse", "--connector", "acme"]
    done = subprocess.run(words, stdin=reading, env=home.variables, capture_output=True, timeout=60, check=False)
    os.close(reading)
    os.close(writing)
    assert (done.returncode, done.stdout) == (0, b"")
    assert "did not end in time" in home.logged()[0]["what"]


# ---- streams that are closed


def test_closed_streams_are_borne(home):
    home.connector(ASKING.replace("host:Bash|Write", "host:Bash"))
    words = "hook claude-code PreToolUse --connector acme"
    payload = json.dumps({"tool_name": "Bash", "hook_event_name": "PreToolUse", "cwd": "/"}).encode()
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        program = ["/bin/sh", "-c", f"exec {' '.join(home.entry)} {words} {closed}"]
        assert home.run([], payload, program).code == 0
    assert len(home.rows()) == 3 and home.logged() == []
    assert home.run([], payload, ["/bin/sh", "-c", f"exec {' '.join(home.entry)} {words} <&-"]).code == 0


def test_a_host_that_has_gone_is_borne(home):
    home.connector(ASKING)
    reading, writing = os.pipe()
    os.close(reading)
    words = [*home.entry, "hook", "claude-code", "PreToolUse", "--connector", "acme"]
    payload = b'{"tool_name": "Bash", "hook_event_name": "PreToolUse", "cwd": "/"}'
    done = subprocess.run(words, input=payload, stdout=writing, env=home.variables, timeout=60, check=False)
    os.close(writing)
    assert done.returncode == 0


# ---- what is not there


def test_an_unknown_host_or_connector_is_answered(home):
    home.connector(WATCHING)
    assert home.hook(host="no-such-host").out == b"{}"
    assert home.hook(host="../x").out == b"{}"
    assert home.hook(connector="gone").out == b""
    assert home.run(["hook"]).out == b"{}"
    assert all(line["error"] for line in home.logged()) and len(home.logged()) == 4


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}", b'{"hooks": 7, "native_hooks": {}}', b"\0" * 4096])
def test_a_damaged_manifest_is_nothing_to_say(home, damage):
    home.connector(WATCHING)
    manifest = os.path.join(home.root, "connectors", "acme", "connector.json")
    with open(manifest, "wb") as stream:
        stream.write(damage)
    ended = home.hook()
    assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    assert len(home.logged()) == 1


def test_nothing_can_be_written_and_the_hook_still_answers(home, call):
    home.connector(ASKING)
    os.mkdir(os.path.join(home.root, "hooks.log"))
    os.symlink("/dev/null/x", os.path.join(home.root, "telemetry"))
    assert home.hook(call(tool_name="Bash", mcp_server=None)).said["permissionDecision"] == "ask"
    assert home.hook(b"garbage").code == 0


# ---- counting


def test_counting_can_be_switched_off(home, call):
    home.connector(ASKING)
    hit = call(tool_name="Bash", mcp_server=None)
    home.hook(hit, AGENT_CONNECTOR_TELEMETRY="0")
    assert home.rows() == []
    os.makedirs(os.path.join(home.root, "telemetry"))
    open(os.path.join(home.root, "telemetry", "off"), "w").close()
    home.hook(hit)
    assert home.rows() == []


def test_a_connector_can_keep_its_counts_in_the_project_or_have_none(home, call, tmp_path):
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    (project / "src").mkdir()
    hit = call(tool_name="Bash", mcp_server=None, cwd=str(project / "src"))
    home.connector(ASKING + '\n    connector.telemetry(store="project")\n')
    home.hook(hit)
    (segment,) = (project / ".agent-connector" / "telemetry" / "segments").iterdir()
    assert json.loads(segment.read_text())["project_name"] == "shop"
    home.connector(ASKING + "\n    connector.telemetry(enabled=False)\n")
    home.hook(hit)
    assert home.rows() == []


# ---- hosts that load each other's hooks


def test_of_two_hosts_that_share_hooks_one_answers(home, call):
    home.connector(ASKING, shares_hooks=("claude-code", "cursor"))
    hit = call(tool_name="Bash", mcp_server=None)
    as_cursor = {"tool_name": "Shell", "tool_use_id": "toolu_1", "session_id": hit["session_id"], "tool_input": {}}
    assert home.hook(hit).said["permissionDecision"] == "ask"
    assert home.hook(as_cursor, host="cursor", event="preToolUse").json == {}
    assert home.hook(hit).said["permissionDecision"] == "ask"  # the same host again, as after a retry
    other = {**as_cursor, "tool_use_id": "toolu_2"}
    assert "permission" in home.hook(other, host="cursor", event="preToolUse").json
    assert home.hook({**hit, "tool_use_id": "toolu_2"}).out == b""
    assert [row["host"] for row in home.rows()] == ["claude-code", "claude-code", "cursor"]


def test_a_host_that_says_who_it_is_leaves_the_event_to_its_own_hook(home, call):
    home.connector(ASKING, shares_hooks=("claude-code", "cursor"))
    hit = call(tool_name="Bash", mcp_server=None)
    assert home.hook(hit, CURSOR_VERSION="2.1").out == b""
    home.connector(ASKING)  # in Cursor it is not installed, so Claude Code's hook is all there is
    assert home.hook(hit, CURSOR_VERSION="2.1").said["permissionDecision"] == "ask"


def test_the_log_keeps_no_content_that_an_error_quotes(home, call):
    home.connector("""
        from agent_connector import Connector
        connector = Connector(id="acme", server={"transport": "stdio", "command": "true"})

        @connector.hook("PreToolUse", matcher="write")
        def watch(event):
            raise ValueError(f"{event.tool_name} cannot take {event.tool_input}")
    """)
    ended = home.hook(call(tool_input={"key": {"inner": ["p4ssw0rd'"]}}))
    assert (ended.code, ended.out) == (0, b"")
    (line,) = home.logged()
    assert "write cannot take" in line["error"] and "p4ssw0rd" not in json.dumps(line)
