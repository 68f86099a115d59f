"""Kilo CLI without a person: its command line and its stream."""

import json

from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Spent
from agent_connector.hosts.kilo_cli import headless


def test_a_job_against_a_stand_in_model():
    job = Job("say hi", "/p", endpoint="http://127.0.0.1:9", approvals="all", resume="ses_1")
    assert headless.argv(job) == [
        *("kilo", "run", "--format", "json", "--thinking", "--auto", "--model", "stand-in/stand-in"),
        *("--session", "ses_1", "--", "say", "hi"),
    ]
    told = headless.environment(job)
    provider = json.loads(told["KILO_CONFIG_CONTENT"])["provider"]["stand-in"]
    assert provider["options"]["baseURL"] == "http://127.0.0.1:9/v1"
    assert told["KILO_DISABLE_AUTOUPDATE"] == told["KILO_DISABLE_MODELS_FETCH"] == "1"
    assert headless.environment(Job("x", "/p", approved_servers=("a",)))["KILO_PERMISSION"] == '{"a_*": "allow"}'


def test_a_recorded_run(stream):
    told = [event for line in stream for event in headless.read(line)]
    calls = [(event.call_id, event.tool) for event in told if isinstance(event, Called)]
    assert calls == [("call_lab20", "labmcp_echo"), ("call_lab21", "bash")]
    assert Returned("call_lab20", "LAB-ECHO:CHANGED-BY-HOOK") in told
    assert Said("FAKE-FINAL PLUGIN-TEXT") in told
    assert told[-1] == Finished(True, session="ses_dd2c903c8ffeM6ssiG7HdsPA68")
    spent = [event.usage for event in told if isinstance(event, Spent)]
    assert sum(usage.input for usage in spent) == 320 + 321 + 323
    assert sum(usage.output for usage in spent) == 63 + 64 + 66 + 3 * 7


def test_a_refused_permission_ends_the_run_in_plain_words():
    line = '{"type":"error","sessionID":"s","error":"run ended with an auto-rejected permission"}'
    assert headless.read(line) == (Finished(False, "run ended with an auto-rejected permission", session="s"),)
