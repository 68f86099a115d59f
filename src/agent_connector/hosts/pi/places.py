"""Where Pi reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("pi",)


def installed(machine: "Machine") -> "Evidence | None":
    home = _home(machine)
    traces = [(machine.join(home, name), 0.8) for name in ("settings.json", "mcp.json", "sessions")]
    return evidence(machine, ("pi",), (*traces, (home, 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Surface -> file or folder. What lies in a project's .pi is read once the person trusts the project."""
    if scope == "user":
        home = _home(machine)
        return {**_surfaces(machine, home), "memory": machine.join(home, "AGENTS.md")}
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".pi")
        return {**_surfaces(machine, home), "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    return variables.get("AI_AGENT") == "pi" or variables.get("PI_CODING_AGENT") == "true"


def _surfaces(machine: "Machine", home: str) -> "dict[str, str]":
    return {
        "home": home,
        "server": machine.join(home, "mcp.json"),
        "config_patch": machine.join(home, "settings.json"),
        "hooks": machine.join(home, "extensions"),
        "native_hooks": machine.join(home, "extensions"),
        "actions": machine.join(home, "extensions"),
        "commands": machine.join(home, "prompts"),
        "skills": machine.join(home, "skills"),
    }


def _home(machine: "Machine") -> str:
    return machine.config("PI_CODING_AGENT_DIR", ".pi", "agent")
