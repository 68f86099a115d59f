"""How goose is told of an MCP server: `extensions` of config.yaml. Times are seconds.

It fills in variables only in a remote server's address and headers, and only those that `env_keys` names. A program
inherits its environment, where our launcher finds what it needs.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.connector.interpolation import references
from agent_connector.hosts.dialects import server_map, server_shape
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "yaml"
PATH = ("extensions",)
REFERENCE = "pass-through"
NAME = "goose"

reference = server_shape.nothing

_PROGRAM = server_shape.Shape(NAME, remote={"http": None}, cwd=True, off="disabled")
_REMOTE = server_shape.Shape(
    NAME, remote={"http": None}, say=server_shape.braces, filled="everywhere", address="uri", off="disabled"
)
_WORDS = {"command": "cmd", "env": "envs"}
_KEPT_OUT = ("PATH", "PYTHONPATH", "PYTHONHOME", "NODE_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH", "TMP", "TEMP")


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value below `extensions`; its key there is its name, which goose writes in small letters."""
    if server.name != server.name.lower():
        return Refusal(f"{NAME} writes a server's name in small letters, not {server.name!r}", "set `alias` to one")
    told = server_shape.entry(_PROGRAM if server.transport == "stdio" else _REMOTE, server)
    if isinstance(told, Refusal):
        return told
    enabled = not told.pop("disabled", False)
    kind = "stdio" if server.transport == "stdio" else "streamable_http"
    told = {
        "type": kind,
        "name": server.name,
        "enabled": enabled,
        **{_WORDS.get(key, key): value for key, value in told.items()},
    }
    if kind != "stdio":
        named = references([server.url, *server_map.with_bearer(server).values()])
        if names := list(dict.fromkeys(name for name, _ in named)):
            told["env_keys"] = names
    if server.timeout is not None:
        told["timeout"] = max(1, round(server.timeout))
    if server.include_tools:
        told["available_tools"] = list(server.include_tools)
    return server_map.merged(told, server.extra)


def lost(server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines: list[str] = []
    if server.exclude_tools:
        lines.append(f"{NAME} can only name the tools that are offered: list those in `include_tools`")
    if server.startup_timeout is not None:
        lines.append(f"{NAME} has no time limit for a server's start")
    if kept := [name for name in server.env if name in _KEPT_OUT]:
        lines.append(f"{NAME} does not set {', '.join(kept)} for a server")
    return tuple(lines)
