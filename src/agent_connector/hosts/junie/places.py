"""Where Junie reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # not known


def installed(machine: "Machine") -> "Evidence | None":
    home = machine.join(machine.home, ".junie")
    return evidence(machine, ("junie",), ((machine.join(home, "config.json"), 0.8), (home, 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Hooks and settings of a project are not read."""
    if scope == "user":
        home = machine.join(machine.home, ".junie")
        config = machine.join(home, "config.json")
        return {
            **_shared(machine, home),
            "hooks": config,
            "native_hooks": config,
            "config_patch": config,
            "memory": machine.join(home, "AGENTS.md"),
        }
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".junie")
        return {**_shared(machine, home), "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """It is not known to leave a mark of its own."""
    return False


def _shared(machine: "Machine", home: str) -> "dict[str, str]":
    return {
        "home": home,
        "server": machine.join(home, "mcp", "mcp.json"),
        "commands": machine.join(home, "commands"),
        "skills": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
    }
