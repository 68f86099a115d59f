"""Server entries of the `mcpServers` family in hosts that differ in values alone: what an entry can say, as a value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import (
    Reference,
    Saying,
    has_reference,
    or_left,
    parse,
    spelled,
    spelled_map,
)
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

BRACED = re.compile(r"\$\{.{0,28}")
_SPOKEN = {"http": "http", "sse": "SSE", "ws": "WebSocket"}


def nothing(name: str, default: str | None) -> str | None:
    """The spelling of a host that puts no variable's value anywhere."""
    return None


def env(name: str, default: str | None) -> str | None:
    """`${env:NAME}`, our own spelling, in hosts that know no default."""
    return "${env:" + name + "}" if default is None else None


def braces(name: str, default: str | None) -> str | None:
    """`${NAME}` in hosts that know no default."""
    return "${" + name + "}" if default is None else None


@dataclass(frozen=True, slots=True)
class Shape:
    """What a host's entry says beside `command`, `args`, `env`, `url` and `headers`."""

    host: str
    remote: Mapping[str, str | None] = field(
        default_factory=dict[str, str | None]
    )  # transport -> its `type`, None: no such key
    program: str | None = None  # the `type` of a program
    say: Saying = nothing
    filled: Literal["nowhere", "values", "everywhere"] = "nowhere"  # "values": in `env` and `headers` alone
    taken: re.Pattern[str] | None = None  # what the host takes for a reference, also where none was meant
    address: str = "url"
    cwd: bool = False
    off: str | None = None  # the key that switches a server off
    denied: str | None = None  # the key with tools that are not offered
    timeout: str | None = None  # the key with a call's limit in milliseconds


def entry(shape: Shape, server: "ServerUse") -> dict[str, Any] | Refusal:
    """The server's value, or why there can be none."""
    if refused := _refused(shape, server):
        return refused
    told = _program(shape, server) if server.transport == "stdio" else _remote(shape, server)
    if isinstance(told, Refusal):
        return told
    if shape.off and not server.enabled:
        told[shape.off] = True
    if shape.denied and server.exclude_tools:
        told[shape.denied] = list(server.exclude_tools)
    if shape.timeout and server.timeout is not None:
        told[shape.timeout] = max(1, server_map.milliseconds(server.timeout))
    return server_map.merged(told, server.extra)


def lost(shape: Shape, server: "ServerUse") -> tuple[str, ...]:
    """What of the declaration has no place in the entry, a line each."""
    lines: list[str] = []
    if server.startup_timeout is not None or (server.timeout is not None and not shape.timeout):
        lines.append(f"{shape.host} has no time limit{' for a start' if shape.timeout else 's'} in a server's entry")
    if server.include_tools and shape.denied:
        lines.append(f"{shape.host} can only name the tools that are off: list those in `exclude_tools`")
    elif server.include_tools or (server.exclude_tools and not shape.denied):
        lines.append(f"{shape.host} cannot be told there which tools are offered")
    if server.cwd and not shape.cwd:
        lines.append(f"{shape.host} starts servers in a folder of its own choice")
    return tuple(lines)


def _refused(shape: Shape, server: "ServerUse") -> Refusal | None:
    if server.transport != "stdio" and server.transport not in shape.remote:
        known = " or ".join(("stdio", *shape.remote))
        return Refusal(f"{shape.host} has no {_SPOKEN[server.transport]} transport", f"offer the server over {known}")
    refused = server_map.name_refused(server.name, shape.host)
    if not refused and not shape.off:
        refused = server_map.off_refused(server, shape.host)
    if not refused and shape.taken:
        refused = server_map.expanded_refused(server, shape.host, shape.taken)
    return refused


def _program(shape: Shape, server: "ServerUse") -> dict[str, Any] | Refusal:
    """What the host does not fill in is left to our launcher, which finds the variables in its environment."""
    say = or_left(shape.say)
    words = (server.command, *server.args)
    if shape.filled == "everywhere":
        if any(piece.default is not None for piece in _references(words)):
            return Refusal(
                f"{shape.host} fills in arguments and knows no default for a variable",
                "leave `:-...` out of the arguments, or set the variable in `env`",
            )
        told = server_map.stdio(server, say, server_map.inherited(server.env, shape.say))
    else:
        values = server_map.inherited(server.env, shape.say)
        if shape.filled == "values":
            named = {
                each.name: "${env:" + each.name + "}" for each in _references(words) if each.name not in server.env
            }
            values = {**named, **values}
        told = server_map.stdio(server, or_left(nothing), {})
        if values:
            told["env"] = spelled_map(values, say)
    if shape.cwd and server.cwd:
        told["cwd"] = spelled(server.cwd, say)
    return {"type": shape.program, **told} if shape.program else told


def _references(texts: tuple[str, ...]) -> list[Reference]:
    return [piece for text in texts for piece in parse(text) if isinstance(piece, Reference)]


def _remote(shape: Shape, server: "ServerUse") -> dict[str, Any] | Refusal:
    headers = server_map.with_bearer(server)
    if shape.filled == "nowhere" and any(has_reference(text) for text in (server.url, *headers.values())):
        return Refusal(
            f"{shape.host} puts no variable's value into an address or a header",
            "install with --measure-remote: our launcher then fills them in",
        )
    if shape.filled == "values" and has_reference(server.url):
        return Refusal(f"{shape.host} puts no variable's value into an address", "write the address out for this host")
    if refused := server_map.default_refused(server, shape.host):
        return refused
    told = server_map.remote(server, or_left(shape.say))
    told = {shape.address if key == "url" else key: value for key, value in told.items()}
    word = shape.remote[server.transport]
    return {"type": word, **told} if word else told
