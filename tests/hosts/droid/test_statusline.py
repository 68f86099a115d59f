"""Droid's status line; what its command is told is not documented."""

from agent_connector.connector.contexts import StatusContext
from agent_connector.hosts import query
from agent_connector.hosts.droid import statusline
from agent_connector.hosts.nodes import Default


def test_it_is_set_only_where_there_is_none():
    [node] = statusline.wire("/s.json", "c", {"padding": 1, "max_rows": 2, "unknown": 2})
    assert isinstance(node, Default)
    assert (node.path, node.value) == (("statusLine",), {"command": "c", "padding": 1, "maxRows": 2})


def test_any_input_gives_a_context_and_the_mark_says_how_sure_that_is():
    context = StatusContext(statusline.context({"cwd": "/p"}))
    assert (context.workspace.folder, context.model.id, context.app.name) == ("/p", None, "Factory Droid")
    assert query.surface_support("droid", "statusline").sure == "uncertain"
