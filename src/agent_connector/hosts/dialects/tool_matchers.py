"""The narrowest matcher that a host understands for a set of compiled matchers; the manifest decides in the end.

A native matcher may catch more than was asked for (then our program starts and says nothing), never less: what not
every regex dialect says alike is widened. Imported at install only.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

# A regex of these characters alone, without the sequences below, means the same in Python, JavaScript and Rust.
_PORTABLE = re.compile(r"[A-Za-z0-9_:.*+?|()\[\]^$-]*")
_DIVERGENT = re.compile(r"\(\?(?!:)|[*+?]\+|\[\]|\[\^\]|\[\[|--|\[[^\]]*\[")
_PLAIN = re.compile(r"[A-Za-z0-9_|]+")


class _Everything(Exception):
    """The set has no bound that the host could be told."""


def native(
    matchers: Sequence[Mapping[str, Any]],
    own: str,
    prefix: Callable[[str], str],
    tools: Mapping[str, str],
    any_host_tool: str = "",
) -> str:
    """A matcher over tool names: `*`, an alternation of plain names, or an anchored regex.

    `own` is our server's name in the host, `prefix(server)` what its tools begin with, `tools` the host's own names
    and their canonical ones, `any_host_tool` a regex for "no MCP tool" where the host's dialect can say it. Plain
    names are compared whole by the hosts; a name with another character in it makes the matcher a regex there, which
    is searched anywhere, so those are anchored.
    """
    pieces: dict[str, None] = {}
    try:
        for matcher in matchers:
            pieces.update(dict.fromkeys(_pieces(matcher, own, prefix, tools, any_host_tool)))
    except _Everything:
        return "*"
    if not pieces:
        return "*"
    joined = "|".join(pieces)
    return joined if _PLAIN.fullmatch(joined) else f"^(?:{joined})$"


def anchored(matcher: str) -> str:
    """`matcher` for a host that looks for it anywhere in a name."""
    return matcher if matcher == "*" or matcher[0] == "^" else f"^(?:{matcher})$"


def spelled(
    matcher: Mapping[str, Any], own: str, name: Callable[[str, str], str], start: Callable[[str, str], str]
) -> Mapping[str, Any]:
    """`matcher` over whole names, where a host writes some of them otherwise than they are declared.

    `name(server, tool)` is what the host calls a server's tool, `start(server, text)` what its name surely begins with
    when it is declared to begin with `text`. A regex was not written for such names, so all tools of its side are caught.
    """
    if matcher["side"] in ("any", "host"):
        return matcher
    server = own if matcher["side"] == "own" else matcher["server"]
    if "names" in matcher:
        return {"side": "host", "names": [name(server, tool) for tool in matcher["names"]]}
    return {"side": "host", "prefix": start(server, matcher.get("prefix", ""))}


def _pieces(
    matcher: Mapping[str, Any],
    own: str,
    prefix: Callable[[str], str],
    tools: Mapping[str, str],
    any_host_tool: str,
) -> Iterable[str]:
    if matcher["side"] == "any":
        raise _Everything
    if matcher["side"] == "host":
        return _host_pieces(matcher, tools, any_host_tool)
    stem = _literal(prefix(own if matcher["side"] == "own" else matcher["server"]))
    if "names" in matcher:
        return [stem + name for name in matcher["names"]]
    if "prefix" in matcher:
        return [stem + matcher["prefix"] + ".*"]
    return [f"{stem}(?:{matcher['regex']})" if _portable(matcher["regex"]) else stem + ".*"]


def _host_pieces(matcher: Mapping[str, Any], tools: Mapping[str, str], any_host_tool: str) -> Iterable[str]:
    if "names" in matcher:
        for name in matcher["names"]:
            yield from (native for native, canonical in tools.items() if canonical == name and native != name)
            if tools.get(name, name) == name:
                yield name
    elif matcher.get("prefix"):
        yield from (native for native, canonical in tools.items() if canonical.startswith(matcher["prefix"]))
        yield matcher["prefix"] + ".*"
    elif "regex" in matcher and _portable(matcher["regex"]):
        wanted = re.compile(matcher["regex"])
        yield from (native for native, canonical in tools.items() if wanted.fullmatch(canonical))
        yield f"(?:{matcher['regex']})"
    elif any_host_tool:
        yield any_host_tool
    else:
        raise _Everything


def _literal(text: str) -> str:
    return re.escape(text).replace("\\-", "-")  # Rust's regex refuses to escape what needs no escape


def _portable(regex: str) -> bool:
    return bool(_PORTABLE.fullmatch(regex)) and not _DIVERGENT.search(regex)
