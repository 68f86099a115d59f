"""Where Copilot's plugin for JetBrains IDEs reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # not known


def installed(machine: "Machine") -> "Evidence | None":
    """The folder above is that of Copilot in every editor."""
    return evidence(machine, (), ((_home(machine), 0.8),))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Its servers are a person's alone."""
    if scope == "user":
        home = _home(machine)
        return {
            "home": home,
            "server": machine.join(home, "mcp.json"),
            "skills": machine.join(machine.config("COPILOT_HOME", ".copilot"), "skills"),
            "memory": machine.join(home, "global-copilot-instructions.md"),
        }
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".github")
        return {
            "home": home,
            "commands": machine.join(home, "prompts"),
            "skills": machine.join(home, "skills"),
            "subagents": machine.join(home, "agents"),
            "memory": machine.join(machine.project, "AGENTS.md"),
        }
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """What is known is set in every terminal of the IDE."""
    return False


def _home(machine: "Machine") -> str:
    if machine.platform == "win32":
        top = machine.config("LOCALAPPDATA", "AppData", "Local")
    else:
        top = machine.config("XDG_CONFIG_HOME", ".config")
    return machine.join(top, "github-copilot", "intellij")
