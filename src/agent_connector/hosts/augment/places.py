"""Where Auggie reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # not known


def installed(machine: "Machine") -> "Evidence | None":
    home = machine.join(machine.home, ".augment")
    return evidence(machine, ("auggie",), ((machine.join(home, "settings.json"), 0.8), (home, 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where other hosts read too."""
    if scope == "user":
        home = machine.join(machine.home, ".augment")
        return {
            **_shared(machine, home, machine.home),
            "memory": machine.join(home, "rules", "agent-connector.md"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        return {**_shared(machine, machine.join(top, ".augment"), top), "memory": machine.join(top, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """What hooks get; servers get no mark."""
    return bool(variables.get("AUGMENT_PROJECT_DIR") or variables.get("AUGMENT_HOOK_EVENT"))


def _shared(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    settings = machine.join(home, "settings.json")
    return {
        "home": home,
        "server": settings,
        "hooks": settings,
        "config_patch": settings,
        "commands": machine.join(home, "commands"),
        "skills": machine.join(top, ".agents", "skills"),
        "subagents": machine.join(home, "agents"),
    }
