"""Where Factory Droid reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("factory-cli",)


def installed(machine: "Machine") -> "Evidence | None":
    home = machine.join(machine.home, ".factory")
    return evidence(machine, ("droid",), ((machine.join(home, "settings.json"), 0.8), (home, 0.5)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where other hosts read them too: one file serves all."""
    if scope == "user":
        home = machine.join(machine.home, ".factory")
        return {**_surfaces(machine, machine.home), "memory": machine.join(home, "AGENTS.md")}
    if scope == "project" and machine.project:
        return {**_surfaces(machine, machine.project), "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """What hooks get; servers get no mark."""
    return bool(variables.get("FACTORY_PROJECT_DIR") and variables.get("DROID_PROJECT_DIR"))


def _surfaces(machine: "Machine", top: str) -> "dict[str, str]":
    home = machine.join(top, ".factory")
    settings = machine.join(home, "settings.json")
    return {
        "home": home,
        "server": machine.join(home, "mcp.json"),
        "hooks": _hooks(machine, home, settings),
        "commands": machine.join(home, "commands"),
        "actions": machine.join(home, "commands"),
        "skills": machine.join(top, ".agents", "skills"),
        "subagents": machine.join(home, "droids"),
        "statusline": settings,
        "config_patch": settings,
    }


def _hooks(machine: "Machine", home: str, settings: str) -> str:
    """A new hooks.json would hide the person's hooks in settings.json: those are only read where there is none."""
    own = machine.join(home, "hooks.json")
    return settings if machine.exists(settings) and not machine.exists(own) else own
