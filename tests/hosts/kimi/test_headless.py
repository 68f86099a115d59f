"""Kimi without a person: its command line and its stream."""

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, Said
from agent_connector.hosts.kimi import headless


def test_a_plain_job():
    assert headless.argv(Job("-x is a flag?", "/p", model="k")) == [
        *("kimi", "--output-format", "stream-json", "--model", "k", "--prompt=-x is a flag?")
    ]
    assert headless.environment(Job("x", "/p")) == {"KIMI_CODE_NO_AUTO_UPDATE": "1"}


def test_a_job_against_a_stand_in_model():
    job = Job("x", "/p", endpoint="http://127.0.0.1:9", approvals="all", model="m", resume="s", extra=("--plan",))
    assert headless.argv(job)[3:] == ["--session", "s", "--plan", "--prompt=x"]
    told = headless.environment(job)
    assert (told["KIMI_MODEL_BASE_URL"], told["KIMI_MODEL_API_KEY"]) == ("http://127.0.0.1:9/v1", "stand-in")
    assert (told["KIMI_MODEL_NAME"], told["KIMI_MODEL_PROVIDER_TYPE"]) == ("m", "openai")


def test_a_recorded_run(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert events == [
        Noticed("system.version", "2.1.0"),
        Called("call_lab28", "mcp__labmcp__echo", {"text": "hi"}, "labmcp", "echo"),
        Returned("call_lab28", "LAB-ECHO:hi"),
        Called("call_lab29", "Bash", {"command": "echo orig"}),
        Returned("call_lab29", "orig\n"),
        Said("FAKE-FINAL"),
        Finished(True, "ended", session="session_cfa2d2af"),
    ]


def test_what_a_hook_added_is_not_the_models(blocked):
    events = [event for line in blocked for event in headless.read(line)]
    assert events[1] == Noticed("UserPromptSubmit hook", "PROMPT-CONTEXT-MARK")
    assert [event for event in events if isinstance(event, Said)] == [Said("FAKE-FINAL")]
    assert Returned("call_lab31", "no way") in events


def test_errors_and_noise():
    retry = '{"role":"meta","type":"turn.step.retrying","error_message":"429"}'
    assert headless.read(retry) == (Noticed("turn.step.retrying", "429"),)
    both = (
        '{"role":"assistant","content":"Calling.","tool_calls":[{"id":"c","function":{"name":"Bash","arguments":"{"}}]}'
    )
    assert headless.read(both) == [Said("Calling."), Called("c", "Bash", "{")]
    assert headless.read('{"role":"assistant","content":"A small hook\\n\\nis a hook"}') == [
        Said("A small hook\n\nis a hook")
    ]
    for noise in ("", "text", "[]", "{}", '{"role":"assistant"}', '{"role":"user","content":"x"}'):
        assert list(headless.read(noise)) == []
