"""Cursor's CLI without a person, as documented."""

import json

from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Started, Thought, Usage
from agent_connector.hosts.cursor import headless


def test_a_job():
    assert headless.argv(Job("- x", "/p")) == ["cursor-agent", "-p", "--output-format", "stream-json", "--", "- x"]
    job = Job("x", "/p", model="m", resume="s", approvals="all", approved_servers=("a",), trust=True, extra=("-b",))
    assert headless.argv(job)[4:] == [
        *("--force", "--approve-mcps", "--trust", "--model", "m", "--resume", "s", "-b", "--", "x")
    ]


def test_a_stream(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert [type(event) for event in events] == [
        *(Started, Thought, Said, Called, Returned, Called, Returned, Said, Finished)
    ]
    assert (events[3].tool, events[3].server, events[3].name) == ("MCP:echo", "acme-db", "echo")
    assert events[3].arguments == {"text": "hi"}
    assert not events[4].failed
    assert (events[5].tool, events[5].arguments) == ("shell", {"command": "ls"})
    assert events[6] == Returned("c2", {"rejected": {"reason": "needs approval"}}, failed=True)
    assert (events[8].ok, events[8].session, events[8].usage) == (True, "5b0d6c1e-0000", None)


def test_newer_builds_tell_their_usage():
    usage = {"inputTokens": 10, "outputTokens": 4, "cacheReadTokens": 3, "cacheWriteTokens": 2}
    [finished] = headless.read(json.dumps({"type": "result", "subtype": "success", "usage": usage}))
    assert finished.usage == Usage(input=10, cache_read=3, cache_write_5m=2, output=4)


def test_lines_that_are_no_records():
    for line in ("", "Error: not logged in", "[]", '{"type": "user"}'):
        assert list(headless.read(line)) == []
