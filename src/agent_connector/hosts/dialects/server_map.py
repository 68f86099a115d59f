"""Server entries of the `mcpServers` family: one map from names to objects, in each host's spelling."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects.interpolation import Spelling, parse, spelled, spelled_list, spelled_map
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

_NAME = re.compile(r"[A-Za-z0-9_-]+")


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


def expanded_refused(server: "ServerUse", host: str) -> Refusal | None:
    """Refuses a `${...}` that is no reference of ours: the host would put a variable's value there, without escape."""
    texts = (server.command, *server.args, *server.env.values(), server.cwd or "", server.url, *server.headers.values())
    for piece in (piece for text in texts for piece in parse(text)):
        if isinstance(piece, str) and "${" in piece:
            start = piece.index("${")
            return Refusal(
                f"{host} would put a variable's value in the place of `{piece[start : start + 30]}`",
                "write ${env:NAME} where a variable is meant, else pass the text in a variable",
            )
    return None


def refused(server: "ServerUse", host: str) -> Refusal | None:
    """What no host of this family can take."""
    return name_refused(server.name, host) or off_refused(server, host) or expanded_refused(server, host)


def stdio(server: "ServerUse", say: Spelling) -> dict[str, Any]:
    """`command`, `args`, `env` with references in the host's words; empty parts are left out."""
    entry: dict[str, Any] = {"command": spelled(server.command, say)}
    if server.args:
        entry["args"] = spelled_list(server.args, say)
    if server.env:
        entry["env"] = spelled_map(server.env, say)
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


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def merged(entry: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """`extra` over `entry`, verbatim and last."""
    return {**entry, **extra}
