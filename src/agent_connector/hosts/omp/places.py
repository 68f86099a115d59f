"""Where Oh My Pi reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("omp-coding-agent",)


def installed(machine: "Machine") -> "Evidence | None":
    home = _home(machine)
    traces = [(machine.join(home, name), 0.8) for name in ("config.yml", "agent.db", "mcp.json", "sessions")]
    return evidence(machine, ("omp",), (*traces, (machine.join(machine.home, ".omp"), 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    if scope == "user":
        home = _home(machine)
        return {**_surfaces(machine, home), "memory": machine.join(home, "AGENTS.md")}
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".omp")
        return {**_surfaces(machine, home), "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark of its own in what it starts."""
    return False


def _surfaces(machine: "Machine", home: str) -> "dict[str, str]":
    return {
        "home": home,
        "server": machine.join(home, "mcp.json"),
        "config_patch": machine.join(home, "config.yml"),
        "hooks": machine.join(home, "extensions"),
        "native_hooks": machine.join(home, "extensions"),
        "actions": machine.join(home, "extensions"),
        "commands": machine.join(home, "commands"),
        "skills": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
    }


def _home(machine: "Machine") -> str:
    """A named profile has a folder of its own; the variable moves the default one alone."""
    top = machine.join(machine.home, machine.variables.get("PI_CONFIG_DIR") or ".omp")
    profile = machine.variables.get("OMP_PROFILE") or machine.variables.get("PI_PROFILE")
    if profile and profile != "default":
        return machine.join(top, "profiles", profile, "agent")
    return machine.variables.get("PI_CODING_AGENT_DIR") or machine.join(top, "agent")
