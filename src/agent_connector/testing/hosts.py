"""Walk a host through the whole facet contract: for this package's hosts, and for those that others add.

    @pytest.mark.parametrize("check", hosts.CHECKS, ids=hosts.name_of)
    def test_contract(check):
        hosts.run("gemini-cli", check)

`walk(host_id)` runs them all and returns what is broken, one line each. A check reads nothing but the facet modules;
it raises `AssertionError` with a sentence that names the host, the facet and what is wrong.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from agent_connector.hosts.contract import HookUse, ServerUse

LAUNCHER = "/home/user/.agent-connector/bin/agent-connector"
Use = TypeVar("Use")
MARKS = (".agent-connector/bin/agent-connector", "--connector acme-db")


def server_use(**fields: Any) -> ServerUse:
    """A server as deploy hands it to a `register` facet; what is not named has its usual value."""
    use = ServerUse()
    usual: dict[str, Any] = {
        "name": "acme-db",
        "transport": "stdio",
        "command": LAUNCHER,
        "args": ("serve", "--connector", "acme-db", "--host", "some-host", "--", "npx", "-y", "@acme/db-mcp"),
        "env": {},
        "cwd": None,
        "url": "",
        "headers": {},
        "bearer": None,
        "timeout": None,
        "startup_timeout": None,
        "include_tools": (),
        "exclude_tools": (),
        "enabled": True,
        "env_names": (),
        "extra": {},
    }
    if fields.get("transport", "stdio") != "stdio":
        usual |= {"command": "", "args": (), "url": "https://mcp.acme.example/mcp"}
    return _filled(use, usual, fields)


def hook_use(event: str, name: str | None = None, **fields: Any) -> HookUse:
    """A hook as deploy hands it to a `hooks` facet: by default every tool, one command."""
    usual: dict[str, Any] = {
        "event": event,
        "name": name,
        "matchers": ({"side": "any"},),
        "server": "acme-db",
        "command": f"{LAUNCHER} hook some-host {event} --connector acme-db",
        "timeout": 10.0,
        "marks": MARKS,
    }
    return _filled(HookUse(), usual, fields)


def _filled(use: Use, usual: Mapping[str, Any], fields: Mapping[str, Any]) -> Use:
    if unknown := set(fields) - set(usual):
        raise TypeError(f"{type(use).__name__} has no field {sorted(unknown)[0]!r}")
    for name, value in {**usual, **fields}.items():
        setattr(use, name, value)
    return use
