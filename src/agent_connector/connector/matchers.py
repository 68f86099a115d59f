"""Matchers as an author writes them, turned at install into what the manifest holds.

A compiled matcher is a dict: `{"side": "any"}`, or a side (`own`: this connector's tools, `host`: the host's
own, `server`: another server's, which is named) with exactly one of `names` (a list), `prefix` or `regex`:

    *                    {"side": "any"}
    acme_query|acme_ddl  {"side": "own", "names": ["acme_query", "acme_ddl"]}
    host:Bash            {"side": "host", "names": ["Bash"]}
    github/list_.*       {"side": "server", "server": "github", "prefix": "list_"}
    .*_write             {"side": "own", "regex": ".*_write"}
"""

import re
from typing import Any

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_SERVER = re.compile(r"([A-Za-z0-9_.-]+)/(.*)", re.DOTALL)


class MatcherError(ValueError):
    """The text is no matcher; the message says what is allowed."""


def compile(pattern: str) -> dict[str, Any]:
    """The manifest's form of `pattern`."""
    if pattern == "*":
        return {"side": "any"}
    side, rest = _side(pattern)
    if not rest:
        raise MatcherError("`*`, or a regex over the tool's name, which is not empty")
    if rest == "*":
        raise MatcherError(f"a regex after the prefix: `{pattern[: -len(rest)]}.*` catches all of that side")
    return {**side, **_rule(rest)}


def _side(pattern: str) -> tuple[dict[str, Any], str]:
    if pattern.startswith("host:"):
        return {"side": "host"}, pattern.removeprefix("host:")
    if found := _SERVER.fullmatch(pattern):
        return {"side": "server", "server": found[1]}, found[2]
    return {"side": "own"}, pattern


def _rule(rest: str) -> dict[str, Any]:
    names = rest.split("|")
    if all(_NAME.fullmatch(name) for name in names):
        return {"names": names}
    stem = rest.removesuffix(".*")
    if stem != rest and (not stem or _NAME.fullmatch(stem)):
        return {"prefix": stem}
    try:
        re.compile(rest)
    except re.error as error:
        raise MatcherError(f"a regex that Python's re compiles ({error})") from error
    return {"regex": rest}


def is_slow(compiled: dict[str, Any]) -> bool:
    """True when the run time has to load `re` for it, which is outside the hook budget."""
    return "regex" in compiled
