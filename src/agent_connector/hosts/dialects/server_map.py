"""Server entries of the `mcpServers` family: one map from names to objects, in each host's spelling."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects.interpolation import (
    Saying,
    Spelling,
    only,
    parse,
    spelled,
    spelled_list,
    spelled_map,
)
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_BRACED = re.compile(r"\$\{.{0,28}")


def name_refused(name: str, host: str) -> Refusal | None:
    """Refuses what is no server name in most hosts: tool names are made of it."""
    if _NAME.fullmatch(name):
        return None
    return Refusal(f"{host} takes letters, digits, _ and - in a server's name, not {name!r}", "set `alias` to one")


def off_refused(server: "ServerUse", host: str) -> Refusal | None:
    """A host without an off switch would run a server that is declared as off: then it is not registered."""
    if server.enabled:
        return None
    return Refusal(f"{host} has no switch for a server in its entry, so one that is off is not written")


def expanded_refused(server: "ServerUse", host: str, expanded: re.Pattern[str] = _BRACED) -> Refusal | None:
    """Refuses what is no reference of ours but one to the host, which would put a variable's value there.

    `expanded` finds what the host takes for a reference of its own; hosts of this family know no escape for it.
    """
    for piece in (piece for text in texts(server) for piece in parse(text)):
        if isinstance(piece, str) and (found := expanded.search(piece)):
            return Refusal(
                f"{host} would put a variable's value in the place of `{found[0]}`, and knows no escape for it",
                "write ${env:NAME} where a variable is meant, else pass the text in a variable",
            )
    return None


def texts(server: "ServerUse") -> Iterator[str]:
    """Every text of the declaration in which a host may find a reference."""
    yield from (server.command, server.cwd or "", server.url)
    yield from server.args
    yield from server.env.values()
    yield from server.headers.values()


def default_refused(server: "ServerUse", host: str) -> Refusal | None:
    """Refuses a default for a variable in a remote entry of a host that knows none: no launcher stands in between."""
    if server.transport == "stdio":
        return None
    for piece in (piece for text in texts(server) for piece in parse(text)):
        if not isinstance(piece, str) and piece.default is not None:
            return Refusal(f"{host} knows no default for a variable", "leave `:-...` out of the url and the headers")
    return None


def inherited(env: Mapping[str, str], say: Saying = lambda name, default: None) -> dict[str, str]:
    """`env` without the variables that are set to themselves, for hosts whose servers inherit the environment.

    Our launcher gives them their defaults; it could not, if the reference itself came to it as the value. Those that
    `say` has the host's own spelling for are kept.
    """

    def kept(name: str, text: str) -> bool:
        found = only(text)
        return found is None or found.name != name or say(found.name, found.default) is not None

    return {name: text for name, text in env.items() if kept(name, text)}


def refused(server: "ServerUse", host: str) -> Refusal | None:
    """What no host of this family can take."""
    return name_refused(server.name, host) or off_refused(server, host) or expanded_refused(server, host)


def stdio(server: "ServerUse", say: Spelling, env: Mapping[str, str] | None = None) -> dict[str, Any]:
    """`command`, `args`, `env` (or another in its place) with references in the host's words; empty parts are left out."""
    entry: dict[str, Any] = {"command": spelled(server.command, say)}
    if server.args:
        entry["args"] = spelled_list(server.args, say)
    if env := server.env if env is None else env:
        entry["env"] = spelled_map(env, say)
    return entry


def remote(server: "ServerUse", say: Spelling) -> dict[str, Any]:
    """`url` and `headers`, the bearer token among them as a reference."""
    entry: dict[str, Any] = {"url": spelled(server.url, say)}
    if headers := with_bearer(server):
        entry["headers"] = spelled_map(headers, say)
    return entry


def with_bearer(server: "ServerUse") -> dict[str, str]:
    """The headers, with `Authorization` for the bearer's variable (a header of that name wins)."""
    headers = dict(server.headers)
    if server.bearer and not any(name.lower() == "authorization" for name in headers):
        headers["Authorization"] = "Bearer ${env:" + server.bearer + "}"
    return headers


def lost(server: "ServerUse", host: str, lacks: Iterable[str]) -> tuple[str, ...]:
    """A line for each thing that is declared and that `host` lacks: "timeout" (of calls and start), "tools", "cwd"."""
    said = {
        "timeout": server.timeout is not None or server.startup_timeout is not None,
        "tools": bool(server.include_tools or server.exclude_tools),
        "cwd": bool(server.cwd),
    }
    lines = {
        "timeout": f"{host} has no time limits in a server's entry",
        "tools": f"{host} cannot be told there which tools are offered",
        "cwd": f"{host} starts servers in a folder of its own choice",
    }
    return tuple(lines[name] for name in lacks if said[name])


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def merged(entry: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """`extra` over `entry`, verbatim and last."""
    return {**entry, **extra}
