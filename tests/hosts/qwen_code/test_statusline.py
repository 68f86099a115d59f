"""Qwen Code's status line, with the input of its documentation."""

from agent_connector.connector.contexts import StatusContext
from agent_connector.hosts.nodes import Default
from agent_connector.hosts.qwen_code import statusline

DOCUMENTED = {
    "session_id": "abc-123",
    "version": "0.24.4",
    "model": {"display_name": "qwen-3-235b"},
    "context_window": {"context_window_size": 131072, "used_percentage": 34.3, "current_usage": 45000},
    "workspace": {"current_dir": "/home/user/project"},
    "git": {"branch": "main"},
    "metrics": {"files": {"total_lines_added": 120, "total_lines_removed": 30}},
}


def test_it_is_set_only_where_there_is_none():
    [node] = statusline.wire("/s.json", "c", {"refresh_interval": 5, "padding": 1})
    assert isinstance(node, Default)
    assert (node.format, node.path) == ("jsonc", ("ui", "statusLine"))
    assert node.value == {"type": "command", "command": "c", "refreshInterval": 5}


def test_the_input_in_our_words():
    context = StatusContext(statusline.context(DOCUMENTED), DOCUMENTED)
    assert (context.model.display_name, context.app.version, context.session.id) == ("qwen-3-235b", "0.24.4", "abc-123")
    assert (context.context.used_tokens, context.context.size_tokens, context.context.used_percent) == (
        *(45000, 131072, 34.3),
    )
    assert (context.workspace.folder, context.workspace.branch) == ("/home/user/project", "main")
    assert (context.cost.lines_added, context.cost.lines_removed, context.cost.total_usd) == (120, 30, None)
    assert StatusContext(statusline.context({})).context.used_tokens is None
