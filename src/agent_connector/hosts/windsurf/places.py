"""Where Devin Local reads, or Cascade where Devin is not there, and how they are recognised. On the hook path."""

from agent_connector.hosts.dialects import vscode
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("windsurf-client", "devin*")


def installed(machine: "Machine") -> "Evidence | None":
    traces = [(_devin(machine), 0.8), (_cascade(machine), 0.8), (vscode.user_folder(machine, "Windsurf"), 0.9)]
    if machine.platform == "darwin":
        traces.append(("/Applications/Windsurf.app", 0.9))
    return evidence(machine, ("devin", "windsurf"), traces)


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where both agents, and other hosts, read them."""
    if scope not in SCOPES or (scope == "project" and not machine.project):
        return {}
    cascade = _is_cascade(machine)
    top = machine.project or "" if scope == "project" else machine.home
    skills = machine.join(top, ".agents", "skills")
    if scope == "project":
        found = _in_cascade(machine, machine.join(top, ".windsurf")) if cascade else _in_devin(machine, top)
        return {**found, "skills": skills, "memory": machine.join(top, "AGENTS.md")}
    found = _of_cascade(machine) if cascade else _of_devin(machine)
    return {**found, "skills": skills}


def running(variables: "Mapping[str, str]") -> bool:
    """What Devin's hooks get; Cascade leaves no mark."""
    return bool(variables.get("DEVIN_PROJECT_DIR"))


def _of_devin(machine: "Machine") -> "dict[str, str]":
    home = _devin(machine)
    config = machine.join(home, "config.json")
    return {
        "home": home,
        "server": machine.join(home, "mcp_config.json"),
        "hooks": config,
        "config_patch": config,
        "commands": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
        "memory": machine.join(home, "AGENTS.md"),
    }


def _in_devin(machine: "Machine", top: str) -> "dict[str, str]":
    home = machine.join(top, ".devin")
    return {
        "home": home,
        "server": machine.join(home, "mcp_config.json"),
        "hooks": machine.join(home, "hooks.v1.json"),
        "config_patch": machine.join(home, "config.json"),
        "commands": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
    }


def _of_cascade(machine: "Machine") -> "dict[str, str]":
    home = _cascade(machine)
    return {
        "home": home,
        "server": machine.join(home, "mcp_config.json"),
        "hooks": machine.join(home, "hooks.json"),
        "commands": machine.join(home, "global_workflows"),
        "memory": machine.join(home, "memories", "global_rules.md"),
    }


def _in_cascade(machine: "Machine", home: str) -> "dict[str, str]":
    return {
        "home": home,
        "hooks": machine.join(home, "hooks.json"),
        "commands": machine.join(home, "workflows"),
    }


def _is_cascade(machine: "Machine") -> bool:
    """True where there is Cascade's folder and nothing of Devin, which took its place."""
    devin = machine.exists(_devin(machine)) or machine.which("devin")
    return machine.exists(_cascade(machine)) and not devin


def _devin(machine: "Machine") -> str:
    if machine.platform == "win32":
        return machine.join(machine.config("APPDATA", "AppData", "Roaming"), "devin")
    return machine.join(machine.home, ".config", "devin")


def _cascade(machine: "Machine") -> str:
    return machine.join(machine.home, ".codeium", "windsurf")
