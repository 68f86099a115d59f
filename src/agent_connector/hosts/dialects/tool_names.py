"""Tools whose names a host cannot take as they are: it writes them otherwise, and the matchers' names come back.

On the hook path.
"""

from agent_connector.hosts.dialects.claude_hooks import MCP, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from agent_connector.connector.light import Event


def unfolded(matcher: "Mapping[str, Any]", tool: str, fold: "Callable[[str], str]") -> str:
    """The name by which `matcher` knows `tool`, which the host has told as `fold` writes it; `tool` when it does not."""
    stem = matcher.get("prefix")
    if stem is not None:
        return stem + tool[len(stem) :] if tool.startswith(fold(stem)) else tool
    return next((name for name in matcher.get("names", ()) if fold(name) == tool), tool)


def unhashed(
    event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str, written: "Callable[[str], str]"
) -> None:
    """Give the tool of `event` the name that one of `matchers` lists, when `written` makes the host's own one of it.

    For hosts that put a hash of the whole name at its end. `own` is what `event.server` says for this connector's own
    tools; another server gets its name back as well.
    """
    whole, tool = event.host_tool_name, event.tool_name
    if not whole or not tool or event.server is None:
        return
    for matcher in matchers:
        stem = whole[: len(whole) - len(tool)]
        if matcher["side"] == "own" and event.server != own:
            continue
        if matcher["side"] != "own":
            server = matcher.get("server")
            if server is None or event.server not in (server, normal(server)):
                continue
            event.server, stem = server, f"{MCP}{server}__"
        for name in matcher.get("names", ()):
            if written(stem + name) == whole:
                event.tool_name = name
                return
