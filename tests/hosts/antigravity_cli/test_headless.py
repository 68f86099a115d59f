"""A headless run of the Antigravity CLI and its status line, by its documentation: nothing of it was run."""

import json

import pytest

from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Started, Usage
from agent_connector.hosts.antigravity_cli import headless, statusline
from agent_connector.hosts.nodes import Default

STREAM = [
    {"event": "init", "conversation_id": "c-1", "init": {"model": "flash", "cwd": "/p", "tools": ["run_command"]}},
    {"event": "step_update", "step_update": {"step_index": 0, "step_type": "user_input", "state": "DONE"}},
    {
        "event": "step_update",
        "step_update": {
            "step_index": 1,
            "step_type": "tool",
            "tool_name": "mcp_acme_query",
            "tool_info": {"name": "mcp_acme_query", "parameters": {"sql": "x"}},
        },
    },
    {
        "event": "step_update",
        "step_update": {
            "step_index": 1,
            "step_type": "tool",
            "tool_info": {"name": "mcp_acme_query", "error": {"type": "DENIED", "message": "no"}},
        },
    },
    {"event": "step_update", "step_update": {"step_index": 2, "step_type": "agent_response", "text_delta": "hello"}},
    {
        "event": "result",
        "result": {
            "conversation_id": "c-1",
            "status": "COMPLETED",
            "response": "hello",
            "usage": {
                "input_tokens": 100,
                "output_tokens": 5,
                "thinking_tokens": 7,
                "cache_read_tokens": 40,
                "total_tokens": 112,
            },
        },
    },
]


def test_the_prompt_comes_last():
    job = Job("say hi", "/p", model="flash", resume="c-1", approvals="all")
    assert headless.argv(job) == [
        *("agy", "--output-format", "stream-json", "--add-dir", "/p", "--dangerously-skip-permissions"),
        *("--model", "flash", "--conversation", "c-1", "-p", "say hi"),
    ]


def test_a_stream():
    events = [event for line in STREAM for event in headless.read(json.dumps(line))]
    started, called, returned, said, finished = events
    assert isinstance(started, Started)
    assert (started.session, started.model, started.tools) == ("c-1", "flash", ("run_command",))
    assert isinstance(called, Called)
    assert (called.server, called.name, called.arguments) == ("acme", "query", {"sql": "x"})
    assert returned == Returned("1", "no", failed=True)
    assert said == Said("hello", piece=True)
    assert isinstance(finished, Finished)
    assert (finished.ok, finished.text, finished.session) == (True, "hello", "c-1")
    assert finished.usage == Usage(input=60, cache_read=40, output=12, reasoning=7)


@pytest.mark.parametrize(
    ("numbers", "usage"),
    [
        ((100, 40, 12, 7, 112), Usage(input=60, cache_read=40, output=12, reasoning=7)),
        ((60, 40, 5, 7, 112), Usage(input=60, cache_read=40, output=12, reasoning=7)),
    ],
)
def test_classes_of_tokens_never_overlap(numbers, usage):
    names = ("input", "cache_read", "output", "thinking", "total")
    told = {f"{name}_tokens": number for name, number in zip(names, numbers, strict=True)}
    [end] = headless.read(json.dumps({"event": "result", "result": {"status": "ERROR", "usage": told}}))
    assert (end.ok, end.usage) == (False, usage)


def test_a_status_line():
    [node] = statusline.wire("/s.json", "c", {"padding": 1})
    assert isinstance(node, Default)
    assert (node.path, node.value) == (("statusLine",), {"type": "command", "command": "c", "padding": 1})
    raw = {
        "conversation_id": "c-1",
        "conversation_title": "Fix it",
        "model": {"id": "flash", "display_name": "Flash"},
        "context_window": {"current_usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 3}},
        "workspace": {"current_dir": "/p"},
    }
    told = statusline.context(raw)
    assert told["session"] == {"name": "Fix it", "id": "c-1"}
    assert told["context"]["used_tokens"] == 18
    assert (told["model"]["display_name"], told["workspace"]["folder"]) == ("Flash", "/p")
