"""Every host that has a usage facet goes through its contract, with the driver that is shipped for others' hosts."""

import json

import pytest

from agent_connector.hosts.records import Reader, Record
from agent_connector.testing import usage, usage_garbage


@pytest.mark.parametrize("host", usage.described())
@pytest.mark.parametrize("check", usage.CHECKS, ids=lambda check: check.__name__)
def test_contract(host, check):
    check(usage.facet(host))


def test_a_broken_facet_is_named_with_what_is_wrong(monkeypatch):
    facet = usage.facet("droid")
    monkeypatch.setattr(facet, "MERGE", "sum")
    monkeypatch.setattr(facet, "logs", lambda machine: ())
    assert usage.walk("droid") == [
        "droid: facet_is_whole: MERGE is 'sum'",
        "droid: logs_are_pure: linux: 0 places for 1 readers",
    ]


def leaky(lines, state, source):
    """Tells what was said, counts what is no number, and takes what is no JSON for an object."""
    for line in lines.splitlines():
        yield Record(key="k", session=json.loads(line)["text"], time=source.modified, model="m", input=1)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b'{"text": "planted-7f3a9c"}', "what was said left the log in session"),
        (b'{"text": 7}', "session is 7"),
        (b"nonsense", "JSONDecodeError"),
        (b"[]", "TypeError"),
    ],
)
def test_a_reader_that_leaks_or_breaks_is_seen(monkeypatch, data, what):
    facet = usage.facet("gemini-cli")
    monkeypatch.setattr(facet, "READERS", {"chat": Reader("lines", 1, leaky)})
    monkeypatch.setattr(usage_garbage, "texts", lambda names, lines: iter([data]))
    with pytest.raises(AssertionError, match=what):
        usage.garbage_is_survived(facet)


@pytest.mark.parametrize(
    ("host", "kind", "name"),
    [
        ("gemini-cli", "chat", "session-2026-11-30T16-11-148b0ae8.jsonl"),
        ("qwen-code", "chat", "6dd6fcb9-8ae4-4efe-87e3-b5defd1b4fd0.jsonl"),
        ("copilot-cli", "events", "events.jsonl"),
        ("kimi", "wire", "wire.jsonl"),
    ],
)
def test_a_log_that_is_read_as_it_grows_gives_what_the_whole_gives(golden, host, kind, name):
    facet, log, state = usage.facet(host), golden(host, name), {}
    whole = usage.read(facet.READERS[kind], log)
    grown = []
    for line in log.splitlines(keepends=True):
        grown += usage.read(facet.READERS[kind], line, state)
        state = json.loads(json.dumps(state))  # the index keeps it as JSON
    assert usage.merged(grown, facet.MERGE) == usage.merged(whole, facet.MERGE)
