"""Values as `deploy` hands them to the facets of a host, for checks and tests: machines, servers, hooks, content."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.uses import HookUse, ServerUse

LAUNCHER = "/home/user/.agent-connector/bin/agent-connector"
MARKS = (".agent-connector/bin/agent-connector", "--connector acme-db")
HOMES = {"linux": "/home/user", "darwin": "/Users/user", "win32": r"C:\Users\user"}
PROJECTS = {"linux": "/code/app", "darwin": "/code/app", "win32": r"C:\work\app"}

COMMAND = Command("migrate", "Plan the migration: $ARGUMENTS", "Plan a migration")
SKILL = Skill("acme-schema", "How the Acme schema is laid out", "Tables ...", {"references/tables.md": "# Tables\n"})
SUBAGENT = Subagent("dba", "Reviews SQL", "You review SQL.", allow=(Tool("acme-db", "acme_query"), Tool(None, "Read")))


def machine(
    platform: str = "linux",
    *,
    project: bool = True,
    variables: Mapping[str, str] | None = None,
    exists: Callable[[str], bool] = lambda path: False,
    which: Callable[[str], str | None] = lambda program: None,
) -> Machine:
    """An empty machine of `platform`."""
    return Machine(HOMES[platform], platform, variables or {}, PROJECTS[platform] if project else None, exists, which)


def server_use(**fields: Any) -> ServerUse:
    """A server as a `register` facet takes it; what is not named has its usual value."""
    args = ("serve", "--connector", "acme-db", "--host", "some-host", "--", "npx", "-y", "@acme/db-mcp")
    stdio = ServerUse("acme-db", "stdio", LAUNCHER, args)
    remote = ServerUse("acme-db", "http", url="https://mcp.acme.example/mcp")
    base = stdio if fields.get("transport", "stdio") == "stdio" else remote
    return replace(base, **fields)


def hook_use(event: str, name: str | None = None, **fields: Any) -> HookUse:
    """A hook as a `hooks` facet takes it: by default every tool, and a command that carries our marks."""
    command = f"{LAUNCHER} hook some-host {event} --connector acme-db"
    base = HookUse(event, name, ({"side": "any"},), "acme-db", command, 10.0, MARKS)
    return replace(base, **fields)
