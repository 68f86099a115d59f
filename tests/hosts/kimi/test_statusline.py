"""Kimi's status line, with the input that its code builds."""

from agent_connector.connector.contexts import StatusContext
from agent_connector.hosts.kimi import statusline
from agent_connector.hosts.nodes import Default

BUILT = {
    "model": "Kimi K3",
    "cwd": "/home/user/project",
    "gitBranch": "main",
    "permissionMode": "manual",
    "planMode": False,
    "contextUsage": 0.25,
    "contextTokens": 50000,
    "maxContextTokens": 200000,
    "sessionId": "session_1",
    "version": "2.1.0",
}


def test_it_is_set_only_where_there_is_none():
    [node] = statusline.wire("/tui.toml", "c", {"padding": 1})
    assert isinstance(node, Default)
    assert (node.format, node.path, node.value) == ("toml", ("status_line", "command"), "c")


def test_the_input_in_our_words():
    context = StatusContext(statusline.context(BUILT), BUILT)
    assert (context.model.display_name, context.app.version, context.session.id) == ("Kimi K3", "2.1.0", "session_1")
    assert (context.context.used_tokens, context.context.size_tokens, context.context.used_percent) == (
        *(50000, 200000, 25.0),
    )
    assert (context.workspace.folder, context.workspace.branch) == ("/home/user/project", "main")


def test_an_input_that_tells_nothing():
    context = StatusContext(statusline.context({"maxContextTokens": 0, "contextTokens": 3}))
    assert (context.context.used_percent, context.model.id, context.cost.total_usd) == (None, None, None)
    assert context.app.name == "Kimi Code CLI"
