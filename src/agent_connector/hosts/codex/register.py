"""How Codex is told of an MCP server: `[mcp_servers.<name>]` of config.toml.

Codex puts no variable's value into its file and gives servers a bare environment, so names are passed through.
"""

from typing import TYPE_CHECKING, Any

from agent_connector.hosts.dialects import server_map
from agent_connector.hosts.dialects.interpolation import has_reference, only
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.contract import ServerUse

FORMAT = "toml"
PATH = ("mcp_servers",)
REFERENCE = "pass-through"
NAME = "Codex"
TRUSTED = {"default_tools_approval_mode": "approve"}  # what `--trust` adds: the server's tools run unasked


def reference(name: str, default: str | None) -> str | None:
    return None


def entry(server: "ServerUse") -> dict[str, Any] | Refusal:
    if refused := server_map.name_refused(server.name, NAME):
        return refused
    if server.transport in ("sse", "ws"):
        return Refusal(f"Codex has no {server.transport} transport", "offer the server over http or stdio")
    told = _stdio(server) if server.transport == "stdio" else _http(server)
    if isinstance(told, Refusal):
        return told
    if not server.enabled:
        told["enabled"] = False
    if server.startup_timeout is not None:
        told["startup_timeout_sec"] = _number(server.startup_timeout)
    if server.timeout is not None:
        told["tool_timeout_sec"] = _number(server.timeout)
    if server.include_tools:
        told["enabled_tools"] = list(server.include_tools)
    if server.exclude_tools:
        told["disabled_tools"] = list(server.exclude_tools)
    return server_map.merged(told, server.extra)


def _stdio(server: "ServerUse") -> dict[str, Any] | Refusal:
    """References stay as they are for the launcher, and their names go into `env_vars`.

    A variable that is set to itself is passed through alone: in Codex `env` wins over `env_vars`, and the launcher
    would read its own reference. It takes the default from the manifest.
    """
    env = server_map.inherited(server.env)
    for name in server.env_names:
        if name in env:
            return Refusal(
                f"Codex cannot give a server both its own value of {name} and that of the person's environment",
                f"read ${{env:{name}}} into a variable of another name",
            )
    told: dict[str, Any] = {"command": server.command, "args": list(server.args)}
    if env:
        told["env"] = env
    if server.env_names:
        told["env_vars"] = list(server.env_names)
    if server.cwd:
        told["cwd"] = server.cwd
    return told


def _http(server: "ServerUse") -> dict[str, Any] | Refusal:
    if has_reference(server.url):
        return Refusal("Codex puts no variable's value into an address", "write the address out for this host")
    told: dict[str, Any] = {"url": server.url}
    bearer, literal, named = server.bearer, dict[str, str](), dict[str, str]()
    for header, text in server.headers.items():
        found = only(text)
        token = only(text[7:]) if text.lower().startswith("bearer ") and header.lower() == "authorization" else None
        if not has_reference(text):
            literal[header] = text
        elif token and token.default is None:
            bearer = token.name
        elif found and found.default is None:
            named[header] = found.name
        else:
            return Refusal(
                f"Codex takes a header's value from one variable as a whole, which `{header}` is not",
                "put the whole value into a variable, or name the token's variable in `bearer`",
            )
    if bearer:
        told["bearer_token_env_var"] = bearer
    if literal:
        told["http_headers"] = literal
    if named:
        told["env_http_headers"] = named
    return told


def _number(seconds: float) -> int | float:
    return int(seconds) if seconds == int(seconds) else seconds
