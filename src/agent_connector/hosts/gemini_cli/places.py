"""Where Gemini CLI reads, and how it is recognised."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("gemini-cli-mcp-client",)


def installed(machine: "Machine") -> "Evidence | None":
    """The program and its settings; the folder alone proves little, Antigravity lives in it too."""
    folder = _home(machine)
    return evidence(machine, ("gemini",), ((machine.join(folder, "settings.json"), 0.6), (folder, 0.2)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Surface -> file or folder in `scope`."""
    if scope == "user":
        folder = _home(machine)
        memory = machine.join(folder, "GEMINI.md")
    elif scope == "project" and machine.project:
        folder = machine.join(machine.project, ".gemini")
        memory = machine.join(machine.project, "GEMINI.md")
    else:
        return {}
    settings = machine.join(folder, "settings.json")
    return {
        "home": folder,
        "server": settings,
        "hooks": settings,
        "native_hooks": settings,
        "config_patch": settings,
        "commands": machine.join(folder, "commands"),
        "skills": machine.join(folder, "skills"),
        "subagents": machine.join(folder, "agents"),
        "memory": memory,
    }


def running(variables: "Mapping[str, str]") -> bool:
    """Servers see GEMINI_CLI, hooks the session and the project; Qwen Code, its fork, sets the project's too."""
    if "QWEN_PROJECT_DIR" in variables or "QWEN_CODE_CLI" in variables:
        return False
    return variables.get("GEMINI_CLI") == "1" or ("GEMINI_SESSION_ID" in variables and "GEMINI_CWD" in variables)


def _home(machine: "Machine") -> str:
    return machine.join(machine.variables.get("GEMINI_CLI_HOME") or machine.home, ".gemini")
