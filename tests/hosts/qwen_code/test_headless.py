"""Qwen Code without a person: its command line and its stream."""

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, Said, Started, Usage
from agent_connector.hosts.qwen_code import headless


def test_a_plain_job():
    assert headless.argv(Job("-x is a flag?", "/p")) == [
        *("qwen", "--output-format", "stream-json", "--approval-mode", "default", "--prompt=-x is a flag?")
    ]
    assert headless.environment(Job("x", "/p")) == {}


def test_a_job_against_a_stand_in_model():
    job = Job("x", "/p", endpoint="http://127.0.0.1:9", approvals="all", model="m", resume="s", extra=("-d",))
    assert headless.argv(job)[4:] == [
        *("yolo", "--auth-type", "openai", "--model", "m", "--resume", "s", "-d", "--prompt=x")
    ]
    told = headless.environment(job)
    assert (told["OPENAI_BASE_URL"], told["OPENAI_API_KEY"], told["OPENAI_MODEL"]) == (
        *("http://127.0.0.1:9/v1", "stand-in", "m"),
    )


def test_a_recorded_run(stream):
    """The stand-in told 1000 + 1100 tokens of input, 630 of them cached, and 41 of output."""
    events = [event for line in stream for event in headless.read(line)]
    tools = ("read_file", "run_shell_command", "mcp__lab__echo")
    assert events == [
        Started("6dd6fcb9-0000", "fake-model", "/home/user/project", {"lab": "connected"}, tools),
        Said("Calling."),
        Called("call_lab_1_0", "mcp__lab__echo", {"text": "hello-lab"}, "lab", "echo"),
        Returned("call_lab_1_0", "ECHO:hello-lab"),
        Said("FINAL-TEXT"),
        Finished(
            True,
            "success",
            "FINAL-TEXT",
            "6dd6fcb9-0000",
            usage=Usage(input=1470, cache_read=630, output=41),
            turns=2,
            cumulative=True,
        ),
    ]


def test_errors_and_noise():
    failed = '{"type":"result","subtype":"error_during_execution","is_error":true,"error":{"message":"no"}}'
    [finished] = headless.read(failed)
    assert (finished.ok, finished.reason) == (False, "no")
    refused = '{"type":"result","subtype":"success","permission_denials":[{"tool_name":"mcp__lab__echo"}]}'
    assert headless.read(refused)[0].denied == ("mcp__lab__echo",)
    assert headless.read('{"type":"system","subtype":"session_start"}') == (Noticed("session_start"),)
    for noise in ("", "Warning: x", "[]", "{}", '{"type":"stream_event","event":{"type":"goal_state"}}'):
        assert headless.read(noise) == ()
