"""Claude Code's status line, with the input of a real terminal session."""

from agent_connector.connector.contexts import StatusContext
from agent_connector.hosts.claude_code import statusline
from agent_connector.hosts.nodes import Default


def test_it_is_set_only_where_there_is_none():
    [node] = statusline.wire("/s.json", "c", {"padding": 1, "refresh_interval": 5, "unknown": 2})
    assert isinstance(node, Default)
    assert (node.path, node.value) == (
        ("statusLine",),
        {"type": "command", "command": "c", "padding": 1, "refreshInterval": 5},
    )


def test_a_recorded_input_in_our_words(status):
    context = StatusContext(statusline.context(status), status)
    assert (context.model.id, context.model.display_name) == ("claude-opus-5-5", "Opus 5.5")
    assert (context.cost.total_usd, context.cost.duration_ms, context.cost.lines_added) == (0.00691, 14637, 0)
    assert (context.context.size_tokens, context.context.used_percent) == (1_000_000, 0)
    assert context.context.used_tokens == 726 + 21 + 44 + 330
    assert context.workspace.folder == context.workspace.project == "/home/user/project"
    assert context.session.id == status["session_id"]
    assert (context.app.id, context.app.version) == ("claude-code", "2.1.332")
    assert context.workspace.branch is None


def test_an_input_that_tells_nothing():
    context = StatusContext(statusline.context({"model": None, "cost": 3}))
    assert (context.model.id, context.cost.total_usd, context.context.used_tokens) == (None, None, None)
    assert context.app.name == "Claude Code"
