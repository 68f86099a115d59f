"""Where Hermes Agent reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # it leaves the name of its MCP library: `mcp`


def installed(machine: "Machine") -> "Evidence | None":
    home = _home(machine)
    traces = ((machine.join(home, "config.yaml"), 0.9), (machine.join(home, "state.db"), 0.8), (home, 0.6))
    return evidence(machine, ("hermes",), traces)


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """All is the person's own, in one file; a project has a memory file. HERMES_HOME names a profile's home too."""
    if scope == "user":
        home = _home(machine)
        config, skills = machine.join(home, "config.yaml"), machine.join(home, "skills")
        return {
            "home": home,
            **dict.fromkeys(("server", "hooks", "native_hooks", "actions", "config_patch"), config),
            "commands": skills,
            "skills": skills,
        }
    if scope == "project" and machine.project:
        return {"home": machine.project, "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Hooks and shells get a session's id."""
    return bool(variables.get("HERMES_SESSION_ID"))


def _home(machine: "Machine") -> str:
    if machine.platform == "win32":
        local = machine.config("LOCALAPPDATA", "AppData", "Local")
        return machine.variables.get("HERMES_HOME") or machine.join(local, "hermes")
    return machine.config("HERMES_HOME", ".hermes")
