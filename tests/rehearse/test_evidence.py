"""What the witness and the launcher write down in a rehearsal comes back as values."""

import json
import os
import subprocess
import sys

from agent_connector.hosts import query
from agent_connector.rehearse import witness
from agent_connector.rehearse.evidence import SERVER_LOG, hooks_seen, server_seen
from agent_connector.rehearse.install import watch_launcher

ECHO = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    method = request.get("method")
    if method == "tools/list":
        result = {"tools": [{"name": "query", "description": "d"}]}
    elif method == "tools/call":
        result = {"content": [{"type": "text", "text": "rows \\u00e4"}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
sys.exit(7)
"""


def watched(tmp_path, *command: str, say: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run a command behind the witness, as a host would."""
    argv = [sys.executable, "-I", witness.__file__, str(tmp_path / SERVER_LOG), "--", *command]
    return subprocess.run(argv, input=say, capture_output=True, timeout=30, check=False)


def message(id: int | None, method: str, **params: object) -> bytes:
    head = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(head if id is None else {"id": id, **head}).encode() + b"\n"


def test_the_witness_changes_nothing_and_writes_down_everything(tmp_path) -> None:
    say = message(1, "tools/list") + message(2, "tools/call", name="query", arguments={"sql": "ä"})
    done = watched(tmp_path, sys.executable, "-c", ECHO, say=say)
    bare = subprocess.run([sys.executable, "-c", ECHO], input=say, capture_output=True, timeout=30, check=False)

    assert (done.stdout, done.returncode) == (bare.stdout, 7)
    seen = server_seen(str(tmp_path))
    assert (seen.started, seen.failed) == (1, "")
    assert [tool["name"] for tool in seen.tools or ()] == ["query"]
    assert [(run.tool, run.arguments, run.texts) for run in seen.runs] == [("query", {"sql": "ä"}, ("rows ä",))]


def test_who_asked_is_remembered_and_ids_of_two_processes_are_not_mixed(tmp_path) -> None:
    hello = message(0, "initialize", clientInfo={"name": "some-host", "version": "1"})
    watched(tmp_path, sys.executable, "-c", ECHO, say=hello + message(1, "tools/list"))
    watched(tmp_path, sys.executable, "-c", ECHO, say=message(1, "tools/call", name="query", arguments={}))
    seen = server_seen(str(tmp_path))
    assert (seen.started, seen.client) == (2, "some-host")
    assert seen.runs[0].texts == ("rows ä",)


def test_answers_of_two_processes_at_once_go_to_their_own_requests(tmp_path) -> None:
    def note(by: int, to: str, **message: object) -> str:
        return json.dumps({"t": 1, "by": by, "to": to, "text": json.dumps({"id": 1, **message})}) + "\n"

    def request(by: int) -> str:
        return note(by, "server", method="tools/call", params={"name": f"tool-{by}"})

    def answer(by: int) -> str:
        return note(by, "host", result={"content": [{"type": "text", "text": f"of {by}"}]})

    (tmp_path / SERVER_LOG).write_text(request(1) + request(2) + answer(1) + answer(2))
    assert [(run.tool, run.texts) for run in server_seen(str(tmp_path)).runs] == [
        ("tool-1", ("of 1",)),
        ("tool-2", ("of 2",)),
    ]


def test_a_server_that_cannot_start_is_told(tmp_path) -> None:
    done = watched(tmp_path, "/no/such/server", say=b"")
    assert done.returncode == 127
    assert "/no/such/server" in server_seen(str(tmp_path)).failed


def test_a_server_that_ends_before_its_first_word_is_told_with_its_own_last_words(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ACME_TOKEN", "t0p-s3cret")
    code = "import sys; sys.exit('no module fastmcp for t0p-s3cret')"
    done = watched(tmp_path, sys.executable, "-c", code, say=message(1, "initialize"))
    assert b"no module fastmcp for t0p-s3cret" in done.stderr, "passed on as it is"
    seen = server_seen(str(tmp_path))
    assert seen.failed == "it ended before it answered, with exit code 1: no module fastmcp for ***"
    watched(tmp_path, "/bin/cat", say=message(1, "initialize"))  # another start, which spoke
    assert server_seen(str(tmp_path)).failed == ""


def test_a_torn_last_line_and_a_missing_log_are_no_error(tmp_path) -> None:
    assert server_seen(str(tmp_path)).started == 0
    (tmp_path / SERVER_LOG).write_text('{"t": 1, "by": 2, "started": 3}\n{"t": 1, "by')
    assert server_seen(str(tmp_path)).started == 1


def launcher(tmp_path, script: str) -> str:
    path = tmp_path / "agent-connector"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return str(path)


def test_a_watched_launcher_answers_as_before_and_is_written_down(tmp_path) -> None:
    path = launcher(tmp_path, 'cat >/dev/null; echo \'{"decision": "block"}\'; echo oh >&2; exit 2\n')
    watch_launcher(path, str(tmp_path))
    payload = {"hook_event_name": "PreToolUse", "tool_name": "mcp__acme__query", "tool_input": {"sql": "ä"}}
    argv = [path, "hook", "claude-code", "PreToolUse", "--connector", "acme"]
    done = subprocess.run(argv, input=json.dumps(payload).encode(), capture_output=True, timeout=30, check=False)

    assert (done.stdout, done.stderr, done.returncode) == (b'{"decision": "block"}\n', b"oh\n", 2)
    (seen,) = hooks_seen(str(tmp_path), query.hooks("claude-code"), ["acme"])
    assert seen.event
    assert (seen.event.name, seen.event.tool_name, seen.event.tool_input) == ("PreToolUse", "query", {"sql": "ä"})
    assert (json.loads(seen.output), seen.stderr, seen.code) == ({"decision": "block"}, "oh\n", 2)
    assert seen.began <= seen.ended


def test_what_is_no_hook_passes_the_watched_launcher_untouched(tmp_path) -> None:
    path = launcher(tmp_path, 'echo "$1 $2"; cat\n')
    watch_launcher(path, str(tmp_path))
    done = subprocess.run([path, "serve", "a b"], input=b"bytes", capture_output=True, timeout=30, check=False)
    assert done.stdout == b"serve a b\nbytes"
    assert hooks_seen(str(tmp_path), None, []) == ()


def test_a_hook_that_nobody_waited_for_and_one_that_is_no_json_are_told(tmp_path) -> None:
    folder = tmp_path / "launcher" / "call.x"
    folder.mkdir(parents=True)
    (folder / "argv").write_text("hook\nclaude-code\nStop\n--connector\nacme\n")
    (folder / "in").write_text("not json")
    (seen,) = hooks_seen(str(tmp_path), query.hooks("claude-code"), ["acme"])
    assert (seen.event, seen.code, seen.host_event) == (None, None, "Stop")
    assert os.path.isdir(folder)
