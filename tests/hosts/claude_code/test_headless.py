"""Claude Code without a person: its command line and its stream, as run with the real 2.1.332."""

import json

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, Said, Started, Usage
from agent_connector.hosts.claude_code import headless


def test_a_plain_job():
    assert headless.argv(Job("- is no flag", "/p")) == [
        *("claude", "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "manual"),
        *("--", "- is no flag"),
    ]
    assert "ANTHROPIC_BASE_URL" not in headless.environment(Job("x", "/p"))


def test_a_job_against_a_stand_in_model():
    job = Job(
        "x",
        "/p",
        program="/bin/claude",
        model="opus",
        resume="s",
        endpoint="http://127.0.0.1:9",
        approvals="all",
        approved_servers=("a", "b-c"),
        extra=("--max-turns", "3"),
    )
    assert headless.argv(job)[5:] == [
        *("--permission-mode", "bypassPermissions", "--allowedTools", "mcp__a,mcp__b-c", "--model", "opus"),
        *("--resume", "s", "--max-turns", "3", "--", "x"),
    ]
    assert headless.environment(job)["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"
    assert headless.environment(job)["ANTHROPIC_API_KEY"] == "stand-in"


def test_a_recorded_run(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert [type(event) for event in events] == [Noticed, Noticed, Started, Said, Called, Returned, Said, Finished]
    started, called, returned, finished = events[2], events[4], events[5], events[7]
    assert (started.session, started.servers) == ("9ce89351-0000", {"lab": "connected"})
    assert (called.server, called.name, called.arguments) == ("lab", "echo", {"text": "hello-lab"})
    assert returned == Returned("toolu_lab_1_0", [{"type": "text", "text": "ECHO:hello-lab"}])
    assert (finished.ok, finished.text, finished.turns, finished.reason) == (True, "FINAL-TEXT", 2, "completed")


def test_the_recorded_usage_is_that_of_the_stand_in(stream):
    """It answered twice: 1000 + 1100 tokens of input, 630 of them cached and 84 written to the cache, 41 of output."""
    [finished] = headless.read(stream[-1])
    whole = Usage(input=2100 - 630 - 84, cache_read=630, cache_write_5m=84, output=41)
    assert finished.usage == whole
    assert finished.by_model == {"claude-opus-5-5": whole}
    assert finished.cost_usd == 0.00691


def test_writes_to_the_cache_are_told_by_their_age():
    usage = {"cache_creation_input_tokens": 100, "cache_creation": {"ephemeral_1h_input_tokens": 30}}
    models = {"m": {"cacheCreationInputTokens": 100, "cacheCreationEphemeral1hInputTokens": 30}}
    [finished] = headless.read(json.dumps({"type": "result", "usage": usage, "modelUsage": models}))
    assert finished.usage == finished.by_model["m"] == Usage(cache_write_5m=70, cache_write_1h=30)


def test_a_resumed_session_tells_its_own_run_only():
    """Seen: `modelUsage` and `total_cost_usd` were 10 tokens, $0.00044, then 20 and $0.00088, for equal runs."""
    record = {
        "type": "result",
        "subtype": "success",
        "total_cost_usd": 0.00088,
        "usage": {"input_tokens": 10, "output_tokens": 20},
        "modelUsage": {"m": {"inputTokens": 20, "costUSD": 0.00088}},
        "model_usage_since_last_result": {"m": {"inputTokens": 10, "costUSD": 0.00044}},
    }
    [finished] = headless.read(json.dumps(record))
    assert (finished.usage.input, finished.by_model["m"].input, finished.cost_usd) == (10, 10, 0.00044)


def test_a_run_that_failed():
    line = json.dumps(
        {
            "type": "result",
            "subtype": "error_max_turns",
            "is_error": True,
            "permission_denials": [{"tool_name": "Bash"}],
        }
    )
    [finished] = headless.read(line)
    assert (finished.ok, finished.reason, finished.denied) == (False, "error_max_turns", ("Bash",))


def test_lines_that_are_no_records():
    for line in ("", "warning: something", "[1]", '{"type": "stream_event"}', '{"type": "assistant", "message": 1}'):
        assert list(headless.read(line)) == []
