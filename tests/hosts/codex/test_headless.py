"""Codex without a person: its command line and its stream, as run with the real 0.171.0."""

import json
import tomllib

import pytest

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, Said, Started, Thought, Usage
from agent_connector.hosts.codex import headless


def test_a_plain_job():
    assert headless.argv(Job("- is no flag", "/p")) == [
        *("codex", "exec", "--json", "--skip-git-repo-check", "--", "- is no flag")
    ]
    assert headless.environment(Job("x", "/p")) == {}


def test_a_job_against_a_stand_in_model():
    job = Job("x", "/p", endpoint="http://127.0.0.1:9", approved_servers=("a-b",), trust=True, approvals="edits")
    fields = (
        'name="stand-in",base_url="http://127.0.0.1:9/v1",env_key="AGENT_CONNECTOR_STANDIN_KEY",wire_api="responses"'
    )
    assert headless.argv(job)[4:] == [
        *("-c", 'sandbox_mode="workspace-write"'),
        *("-c", 'mcp_servers.a-b.default_tools_approval_mode="approve"'),
        "--dangerously-bypass-hook-trust",
        *("-c", 'projects={"/p"={trust_level="trusted"}}'),
        *("-c", 'model_provider="standin"'),
        *("-c", f"model_providers.standin={{{fields}}}"),
        *("--", "x"),
    ]
    assert headless.environment(job) == {"AGENT_CONNECTOR_STANDIN_KEY": "stand-in"}


def test_a_resumed_job():
    job = Job("x", "/p", resume="s", approvals="all", model="m", extra=("--ephemeral",))
    assert headless.argv(job) == [
        *("codex", "exec", "resume", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
        *("-m", "m", "--ephemeral", "s", "--", "x"),
    ]


def test_a_recorded_run(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert [type(event) for event in events] == [
        *(Started, Noticed, Noticed, Noticed, Said, Called, Returned, Said, Finished)
    ]
    assert events[0].session == "01a22d32-0000"
    assert events[5] == Called("item_6", "mcp__lab__echo", {"text": "hello-lab"}, "lab", "echo")
    assert events[6].output["content"] == [{"type": "text", "text": "ECHO:hello-lab"}]
    assert not events[6].failed


def test_the_recorded_usage_is_that_of_the_stand_in(stream):
    """It answered twice: 1000 + 1100 tokens of input, 630 of them cached, and 41 of output, 11 for reasoning."""
    [finished] = headless.read(stream[-1])
    assert finished.usage == Usage(input=2100 - 630, cache_read=630, output=41, reasoning=11)
    assert finished.cumulative  # a resumed run told the first one's tokens again


def test_what_went_into_the_cache_is_a_class_of_its_own():
    usage = {"input_tokens": 3000, "cached_input_tokens": 900, "cache_write_input_tokens": 120, "output_tokens": 60}
    [finished] = headless.read(json.dumps({"type": "turn.completed", "usage": usage}))
    assert finished.usage == Usage(input=1980, cache_read=900, cache_write_5m=120, output=60)


def item(kind, **fields):
    return list(headless.read(json.dumps({"type": f"item.{kind}", "item": {"id": "i", **fields}})))


def test_a_command_that_failed():
    [called] = item("started", type="command_execution", command="/bin/bash -lc 'exit 3'")
    [returned] = item("completed", type="command_execution", aggregated_output="", exit_code=3, status="failed")
    assert (called.tool, called.arguments) == ("Bash", {"command": "/bin/bash -lc 'exit 3'"})
    assert returned == Returned("i", "", failed=True)


def test_a_refused_mcp_call():
    error = {"message": "MCP tool call requires approval, but approval policy is never"}
    [returned] = item("completed", type="mcp_tool_call", result=None, error=error, status="failed")
    assert (returned.output, returned.failed) == (error, True)


@pytest.mark.parametrize("kind", ["file_change", "web_search"])
def test_what_is_told_only_when_it_is_done_is_a_call_and_its_return(kind):
    assert item("started", type=kind) == []
    assert [type(event) for event in item("completed", type=kind, status="completed")] == [Called, Returned]


def test_other_lines():
    assert item("completed", type="reasoning", text="hm") == [Thought("hm")]
    assert item("completed", type="todo_list") == [Noticed("todo_list")]
    [failed] = headless.read('{"type": "turn.failed", "error": {"message": "no model"}}')
    assert (failed.ok, failed.reason) == (False, "no model")
    assert list(headless.read('{"type": "error", "message": "Reconnecting... 1/5"}')) == [
        Noticed("error", "Reconnecting... 1/5")
    ]
    for line in ("", "2026 ERROR codex_core: x", "null", '{"type": "turn.started"}'):
        assert list(headless.read(line)) == []


def test_a_system_text_is_one_string_of_toml_whatever_stands_in_it():
    text = 'Say "yes".\n\tC:\\path \x1b \x7f \u2028 \U0001f600 """ = [x]'
    line = headless.argv(Job("x", "/p", system=text))
    setting = line[line.index("-c") + 1]
    assert tomllib.loads(setting) == {"developer_instructions": text}
