"""Gemini CLI without a person: its command line and its stream."""

from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Started, Usage
from agent_connector.hosts.gemini_cli import headless


def test_a_plain_job():
    assert headless.argv(Job("-x is a flag?", "/p")) == [
        *("gemini", "--prompt=-x is a flag?", "--output-format", "stream-json", "--approval-mode", "default")
    ]
    assert headless.environment(Job("x", "/p")) == {}


def test_a_job_against_a_stand_in_model():
    job = Job("x", "/p", endpoint="http://127.0.0.1:9", approvals="all", trust=True, resume="latest", extra=("-d",))
    line = headless.argv(job)
    assert line[5:] == ["yolo", "--model", "gemini-2.5-flash", "--resume", "latest", "--skip-trust", "-d"]
    assert headless.environment(job) == {
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9",
        "GEMINI_API_KEY": "stand-in",
        "GEMINI_TELEMETRY_ENABLED": "false",
    }


def test_a_recorded_run(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert events == [
        Started("148b0ae8-3582-4b4d-b046-46a33a9a6a66", "gemini-2.5-flash"),
        Said("Calling.", piece=True),
        Called("mcp_lab_echo__call_lab_1_0", "mcp_lab_echo", {"text": "hello-lab"}, "lab", "echo"),
        Returned("mcp_lab_echo__call_lab_1_0", "ECHO:hello-lab"),
        Said("FINAL-TEXT", piece=True),
        Finished(
            True,
            usage=Usage(input=1470, cache_read=630, output=41, reasoning=11),
            by_model={"gemini-2.5-flash": Usage(input=1470, cache_read=630, output=41, reasoning=11)},
        ),
    ]


def test_errors_and_noise():
    failed = '{"type":"tool_result","tool_id":"t","status":"error","error":{"type":"X","message":"no"}}'
    assert headless.read(failed) == (Returned("t", "no", True),)
    [finished] = headless.read('{"type":"result","status":"error","error":{"type":"FatalError","message":"m"}}')
    assert (finished.ok, finished.reason) == (False, "m")
    for noise in ("", "Loaded cached credentials.", "[]", "{}", '{"type":"new"}', '{"type":["x"]}'):
        assert headless.read(noise) == ()
