"""The ready status line of the examples, drawn for every host from what the host tells it."""

import json
from pathlib import Path

import pytest

from agent_connector.home import paths, private
from agent_connector.hosts import query

RECIPE = str(Path(__file__).parents[2] / "examples" / "status-line" / "connector.py")
USED = {"total_usd": 1.234, "host_usd": None, "requests": 3, "output_tokens": 6140, "updated_ms": 1_796_000_000_000}
CLAUDE = {
    "session_id": "s-1",
    "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
    "cost": {"total_cost_usd": 0.4211},
    "context_window": {"context_window_size": 1_000_000, "used_percentage": 23},
}
# What each host tells its status line's command (recorded or documented), and the line without and with a log.
TOLD = {
    "claude-code": (CLAUDE, "Opus 5.5  $0.42  ▰▰▱▱▱▱▱▱ 23%", "Opus 5.5  $0.42  ▰▰▱▱▱▱▱▱ 23%  6.1k out"),
    "cursor": (
        {"session_id": "s-1", "model": {"display_name": "Composer"}, "context_window": {"used_percentage": 50.4}},
        "Composer  ▰▰▰▰▱▱▱▱ 50%",
        "Composer  ~$1.23  ▰▰▰▰▱▱▱▱ 50%  6.1k out",
    ),
    "qwen-code": (
        {
            "session_id": "s-1",
            "model": {"display_name": "qwen-3-235b"},
            "context_window": {"context_window_size": 131072, "used_percentage": 34.3, "current_usage": 45000},
        },
        "qwen-3-235b  ▰▰▰▱▱▱▱▱ 34%",
        "qwen-3-235b  ~$1.23  ▰▰▰▱▱▱▱▱ 34%  6.1k out",
    ),
    "droid": ({"session_id": "s-1", "cwd": "/home/ada/shop"}, "", "~$1.23  6.1k out"),
    "kimi": (
        {"model": "Kimi K3", "contextTokens": 50000, "maxContextTokens": 200000, "sessionId": "s-1"},
        "Kimi K3  ▰▰▱▱▱▱▱▱ 25%",
        "Kimi K3  ~$1.23  ▰▰▱▱▱▱▱▱ 25%  6.1k out",
    ),
    "antigravity-cli": (
        {"conversation_id": "s-1", "model": {"display_name": "Gemini 3"}, "context_window": {"used_percentage": 8}},
        "Gemini 3  ▰▱▱▱▱▱▱▱ 8%",
        "Gemini 3  ~$1.23  ▰▱▱▱▱▱▱▱ 8%  6.1k out",
    ),
    "copilot-cli": (
        {"session_id": "s-1", "model": {"display_name": "GPT-5.2"}, "context_window": {"used_percentage": 8}},
        "GPT-5.2  ▰▱▱▱▱▱▱▱ 8%",
        "GPT-5.2  ~$1.23  ▰▱▱▱▱▱▱▱ 8%  6.1k out",
    ),
}


@pytest.fixture
def drawn(home):
    """Draw the recipe's line as a host does."""
    home.install(RECIPE)

    def draw(host, payload):
        ended = home.run(["statusline", host, "--connector", "status-line"], json.dumps(payload).encode())
        assert (ended.code, ended.err, home.logged()) == (0, b"", [])
        return ended.out.decode()

    draw.root = home.root
    return draw


def test_every_host_with_a_status_line_has_its_payload_here():
    assert set(TOLD) == set(query.hosts_supporting("statusline"))


@pytest.mark.parametrize("host", TOLD)
def test_the_line_in_every_host_before_and_after_its_log_was_read(drawn, host):
    payload, before, after = TOLD[host]
    assert drawn(host, payload) == before
    private.write(paths.usage_session(drawn.root, host, "s-1"), json.dumps(USED))
    assert drawn(host, payload) == after
    assert drawn(host, payload | {"session_id": "s-2", "sessionId": "s-2", "conversation_id": "s-2"}) == before, (
        "another session's log"
    )


def test_the_host_s_own_cost_in_its_log_stands_in_for_a_price_that_nobody_knows(drawn):
    private.write(paths.usage_session(drawn.root, "kimi", "s-1"), json.dumps(USED | {"total_usd": None, "host_usd": 2}))
    assert "~$2.00" in drawn("kimi", TOLD["kimi"][0])


@pytest.mark.parametrize("data", ["", "{", "[]", "\x00"])
def test_a_file_that_cannot_be_read_is_no_file(drawn, data):
    private.write(paths.usage_session(drawn.root, "kimi", "s-1"), data)
    assert drawn("kimi", TOLD["kimi"][0]) == TOLD["kimi"][1]


@pytest.mark.parametrize("share", [0, 100, 140])
def test_the_bar_never_grows_beyond_its_cells(drawn, share):
    line = drawn("claude-code", {"context_window": {"used_percentage": share}})
    assert line.count("▰") + line.count("▱") == 8 and line.endswith(f"{share}%")
