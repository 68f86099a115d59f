"""Tools whose names a host cannot take as they are: it writes them otherwise, and the matchers' names come back.

On the hook path.
"""

import sys

from agent_connector.hosts.dialects.claude_hooks import normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Event


LONGEST, SURE = 64, 55


def unfolded(matcher: "Mapping[str, Any]", tool: str, fold: "Callable[[str], str]") -> str:
    """The name by which `matcher` knows `tool`, which the host has told as `fold` writes it; `tool` when it does not."""
    stem = matcher.get("prefix")
    if stem is not None:
        return stem + tool[len(stem) :] if tool.startswith(fold(stem)) else tool
    return next((name for name in matcher.get("names", ()) if fold(name) == tool), tool)


def restore(
    event: "Event",
    matchers: "Iterable[Mapping[str, Any]]",
    own: str,
    stem_of: "Callable[[str], str]",
    written: "Callable[[str, str, str], str]",
) -> None:
    """Give the tool of `event` the name by which one of `matchers` knows it, and another's server its own name.

    `own` is what `event.server` says for this connector's tools. `stem_of(server)` is what the host's names of a server's
    tools begin with; `written(stem, server, name)` is the host's whole name of a tool (`server` is "" for our own).
    """
    whole, told = event.host_tool_name, event.tool_name
    if not whole or not told or event.server is None:
        return
    for matcher in matchers:
        server, tool = "", told
        stem = whole[: len(whole) - len(told)]
        if matcher["side"] == "own" and event.server != own:
            continue
        if matcher["side"] != "own":
            server = matcher.get("server") or ""
            stem = stem_of(server)
            if not server or event.server == own or not whole.startswith(stem):
                continue
            event.server, tool = server, whole[len(stem) :]
        event.tool_name = unfolded(matcher, tool, _told(stem, server, written))
        if event.tool_name != tool:
            return


def _told(stem: str, server: str, written: "Callable[[str, str, str], str]") -> "Callable[[str], str]":
    return lambda name: written(stem, server, name)[len(stem) :]


def underscored(tool: str, servers: "Sequence[str]") -> "tuple[str | None, str]":
    """`mcp_<server>_<tool>` as (server, tool), by the names in `servers`, else at the first `_`; any other as (None, name)."""
    if tool[:4] != "mcp_":
        return None, tool
    rest = tool[4:]
    known = (name for name in sorted(servers, key=len, reverse=True) if rest.startswith(name + "_"))
    server = next(known, rest.partition("_")[0])
    return server, rest[len(server) + 1 :]


def fnv(text: str) -> int:
    """The 32-bit FNV-1a hash over UTF-16 units, as JavaScript programs take it."""
    code, units = 2166136261, text.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(units), 2):
        code = (code ^ (units[at] | units[at + 1] << 8)) * 16777619 & 0xFFFFFFFF
    return code


def sha_ended(name: str) -> str:
    """`name` with letters, digits, `_` and `-` alone, at most 64, of which a SHA-256 of it all takes the last nine."""
    plain = normal(name)
    if len(plain) <= LONGEST:
        return plain
    built_in: Any = __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256")  # hashlib would load OpenSSL
    digest: str = built_in.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain[:SURE]}_{digest[:8]}"
