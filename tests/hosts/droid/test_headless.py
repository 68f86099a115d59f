"""Droid without a person: its command line and its stream."""

import json

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, Said, Started, Usage
from agent_connector.hosts.droid import headless

TOOLS = ("Read", "Execute", "ToolSearch")


def test_a_plain_job():
    assert headless.argv(Job("-x is a flag?", "/p")) == [
        *("droid", "exec", "--output-format", "stream-json", "--", "-x is a flag?")
    ]
    assert "FACTORY_API_KEY" not in headless.environment(Job("x", "/p"))


def test_a_job_against_a_stand_in_model():
    job = Job("x", "/p", endpoint="http://127.0.0.1:9", approvals="all", resume="s", extra=("--tag", "t"))
    assert headless.argv(job)[4:] == [
        *("--auto", "high", "--model", "custom:stand-in", "--fork", "s", "--tag", "t", "--", "x")
    ]
    assert headless.environment(job)["FACTORY_API_KEY"] == "stand-in"
    [settings] = headless.HOME_FILES.values()
    assert json.loads(settings)["customModels"][0]["baseUrl"] == "@MODEL@/v1"


def test_a_recorded_run(stream):
    """The stand-in answered four times: 4258 tokens of input, 2800 of them cached; the output holds the reasoning."""
    events = [event for line in stream for event in headless.read(line)]
    assert events[:1] == [Started("98241522-0000", "custom:Fake-0", "/home/user/project", tools=TOOLS)]
    assert events[3:5] == [
        Called("call_lab64", "labmcp___echo", {"text": "hi"}, "labmcp", "echo"),
        Returned("call_lab64", "LAB-ECHO:hi"),
    ]
    assert events[-2:] == [
        Said("FAKE-FINAL"),
        Finished(
            True,
            "completion",
            "FAKE-FINAL",
            "98241522-0000",
            usage=Usage(input=1458, cache_read=2800, output=458),
            turns=4,
        ),
    ]


def test_a_call_that_was_refused(blocked):
    events = [event for line in blocked for event in headless.read(line)]
    assert Returned("call_lab67", "Error: no way\n", True) in events
    assert events[-1].ok


def test_errors_and_noise():
    [ended] = headless.read('{"type":"error","source":"cli","message":"insufficient permission","session_id":"s"}')
    assert ended == Finished(False, "insufficient permission", session="s")
    assert headless.read('{"type":"error","message":"m"}') == (Noticed("error", "m"),)
    for noise in ("", "text", "[]", "{}", '{"type":"message","role":"user","text":"x"}', '{"type":"new"}'):
        assert headless.read(noise) == ()
