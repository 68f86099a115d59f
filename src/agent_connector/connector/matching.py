"""Does this event concern this handler? The run-time half of matchers: a manifest's dict against an event.

On the hook path; `re` is imported only for a matcher that is neither names nor a prefix.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.connector.light import Event


def matches(compiled: "Mapping[str, Any]", event: "Event", own_server: str) -> bool:
    """True when `compiled` (see `connector/matchers.py`) catches the event's tool.

    `own_server` is what `event.server` says for this connector's own tools. An event without a tool
    is caught by `*` alone.
    """
    side = compiled["side"]
    if side == "any":
        return True
    tool, server = event.tool_name, event.server
    if tool is None:
        return False
    wanted = None if side == "host" else own_server if side == "own" else compiled["server"]
    return server == wanted and _names(compiled, tool)


def _names(compiled: "Mapping[str, Any]", tool: str) -> bool:
    if "names" in compiled:
        return tool in compiled["names"]
    if "prefix" in compiled:
        return tool.startswith(compiled["prefix"])
    import re

    return re.fullmatch(compiled["regex"], tool) is not None
