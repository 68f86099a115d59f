"""OpenCode without a person: its command line and its stream."""

import json

from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Spent, Started, Thought, Usage
from agent_connector.hosts.opencode import headless

FIXED = ["opencode", "run", "--format", "json", "--thinking"]


def test_the_prompt_goes_in_words_because_a_blank_brings_quotes():
    line = headless.argv(Job('say "two  words"\n-- now', "/p"))
    assert line == [*FIXED, "--", "say", '"two', "", 'words"\n--', "now"]
    assert " ".join(line[6:]) == 'say "two  words"\n-- now'


def test_a_job_against_a_stand_in_model():
    job = Job("x", "/p", endpoint="http://127.0.0.1:9", approvals="all", resume="ses_1", extra=("--pure",))
    assert headless.argv(job)[5:] == [
        "--auto",
        "--model",
        "stand-in/stand-in",
        "--session",
        "ses_1",
        "--pure",
        "--",
        "x",
    ]
    variables = headless.environment(job)
    provider = json.loads(variables["OPENCODE_CONFIG_CONTENT"])["provider"]["stand-in"]
    assert provider["options"] == {"baseURL": "http://127.0.0.1:9/v1", "apiKey": "stand-in"}
    assert list(provider["models"]) == ["stand-in"]


def test_servers_are_approved_by_permission():
    job = Job("x", "/p", model="anthropic/claude", approved_servers=("acme-db",))
    assert headless.argv(job)[5:7] == ["--model", "anthropic/claude"]
    assert headless.environment(job) == {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_PERMISSION": '{"acme-db_*": "allow"}',
    }


def events(lines):
    return [event for line in lines for event in headless.read(line)]


def test_a_recorded_run(streams):
    told = events(streams["stream"])
    assert Started("ses_dd2d122bcffeQvtj2BL8YdGN8R") in told
    assert (
        Called("call_lab3", "bash", told[told.index(Returned("call_lab3", "bash-changed-yes\n")) - 1].arguments) in told
    )
    assert Said("FAKE-FINAL PLUGIN-TEXT") in told
    assert told[-2:] == [
        Spent(Usage(input=304, cache_read=700, output=54, reasoning=7), 0.000482),
        Finished(True, session="ses_dd2d122bcffeQvtj2BL8YdGN8R"),
    ]
    assert sum(isinstance(event, Finished) for event in told) == 1
    assert sum(event.usage.input for event in told if isinstance(event, Spent)) == 302 + 303 + 304


def test_a_blocked_call(streams):
    told = events(streams["stream-blocked"])
    assert Returned("call_lab6", "LAB-BLOCKED: no way\n", True) in told
    assert told[-1] == Finished(True, session="ses_dd2d064b8ffeqkbwAsX1OwiayO")


def test_errors_thoughts_and_noise():
    error = '{"type":"error","sessionID":"s","error":{"name":"APIError","data":{"message":"no such model"}}}'
    assert headless.read(error) == (Finished(False, "no such model", session="s"),)
    assert headless.read('{"type":"reasoning","part":{"text":"hm"}}') == (Thought("hm"),)
    for noise in ("", "! permission requested: bash; auto-rejecting", "[]", "{}", '{"type":"new"}'):
        assert headless.read(noise) == ()
