"""Where Amp reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("amp-mcp-client",)


def installed(machine: "Machine") -> "Evidence | None":
    home = machine.join(machine.home, ".config", "amp")
    data = machine.join(machine.home, ".local", "share", "amp")
    return evidence(machine, ("amp",), ((machine.join(home, "settings.json"), 0.9), (data, 0.7), (home, 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """The same below the home on every system."""
    if scope == "user":
        home = machine.join(machine.home, ".config", "amp")
        settings = machine.variables.get("AMP_SETTINGS_FILE")
        own = {"commands": machine.join(home, "skills")}  # as skills, and not where other hosts would read them too
        return {**_surfaces(machine, home, machine.home, settings, machine.join(home, "AGENTS.md")), **own}
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".amp")
        return _surfaces(machine, home, machine.project, None, machine.join(machine.project, "AGENTS.md"))
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """The thread that it works on; whether every process of it is told is not documented."""
    return bool(variables.get("AMP_CURRENT_THREAD_ID"))


def _surfaces(machine: "Machine", home: str, top: str, settings: "str | None", memory: str) -> "dict[str, str]":
    file, skills = settings or machine.join(home, "settings.json"), machine.join(top, ".agents", "skills")
    return {
        "home": home,
        "server": file,
        "config_patch": file,
        "hooks": machine.join(home, "plugins"),
        "commands": skills,
        "skills": skills,
        "memory": memory,
    }
