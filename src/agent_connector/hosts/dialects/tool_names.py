"""Tools whose names a host cannot take as they are: it writes them otherwise, and the matchers' names come back.

On the hook path.
"""

import sys

from agent_connector.hosts.dialects.claude_hooks import MCP, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from agent_connector.connector.light import Event


LONGEST, SURE = 64, 55


def unfolded(matcher: "Mapping[str, Any]", tool: str, fold: "Callable[[str], str]") -> str:
    """The name by which `matcher` knows `tool`, which the host has told as `fold` writes it; `tool` when it does not."""
    stem = matcher.get("prefix")
    if stem is not None:
        return stem + tool[len(stem) :] if tool.startswith(fold(stem)) else tool
    return next((name for name in matcher.get("names", ()) if fold(name) == tool), tool)


def hashed(name: str) -> str:
    """`name` as several hosts write it: letters, digits, `_` and `-`, at most 64, of which a hash takes the last nine."""
    plain = normal(name)
    if len(plain) <= LONGEST:
        return plain
    built_in: Any = __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256")  # hashlib would load OpenSSL
    digest: str = built_in.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain[:SURE]}_{digest[:8]}"


def unhashed(
    event: "Event",
    matchers: "Iterable[Mapping[str, Any]]",
    own: str,
    written: "Callable[[str], str]",
    stem_of: "Callable[[str], str]" = lambda server: f"{MCP}{server}__",
) -> None:
    """Give the tool of `event` the name that one of `matchers` lists, when `written` makes the host's own one of it.

    For hosts that put a hash of the whole name at its end. `own` is what `event.server` says for this connector's own
    tools; another server gets its name back as well. `stem_of` is what the names of a server's tools begin with.
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
            event.server, stem = server, stem_of(server)
        for name in matcher.get("names", ()):
            if written(stem + name) == whole:
                event.tool_name = name
                return
