"""Copilot CLI's status line, with the input that its documentation describes."""

from agent_connector.connector.contexts import StatusContext
from agent_connector.hosts.copilot_cli import statusline
from agent_connector.hosts.nodes import Default

DOCUMENTED = {
    "cwd": "/home/user/project",
    "session_id": "s",
    "session_name": "a task",
    "transcript_path": "/t.jsonl",
    "model": {"id": "gpt-5.2", "display_name": "GPT-5.2"},
    "workspace": {"current_dir": "/home/user/project"},
    "version": "1.0.102",
    "cost": {
        "total_api_duration_ms": 350,
        "total_duration_ms": 4465,
        "total_lines_added": 3,
        "total_premium_requests": 1,
    },
    "context_window": {"context_window_size": 128000, "used_percentage": 8},
}


def test_it_is_set_only_where_there_is_none():
    [node] = statusline.wire("/s.json", "c", {"refresh_interval": 5, "padding": 1, "unknown": 2})
    assert isinstance(node, Default)
    assert (node.format, node.path) == ("jsonc", ("statusLine",))
    assert node.value == {"type": "command", "command": "c", "padding": 1, "refreshInterval": 5}


def test_the_input_in_our_words():
    context = StatusContext(statusline.context(DOCUMENTED), DOCUMENTED)
    assert (context.model.id, context.session.name, context.app.name) == ("gpt-5.2", "a task", "GitHub Copilot CLI")
    assert (context.cost.api_duration_ms, context.cost.lines_added, context.cost.total_usd) == (350, 3, None)
    assert (context.context.size_tokens, context.context.used_percent) == (128000, 8)
    assert context.workspace.folder == "/home/user/project"
