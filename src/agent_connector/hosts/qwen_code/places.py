"""Where Qwen Code reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("qwen-cli-mcp-client-*",)  # it adds the name of the server


def installed(machine: "Machine") -> "Evidence | None":
    folder = _home(machine)
    return evidence(machine, ("qwen",), ((machine.join(folder, "settings.json"), 0.8), (folder, 0.5)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """In a project AGENTS.md takes the memory: it is read beside QWEN.md, and other hosts read it too."""
    if scope == "user":
        return _surfaces(machine, _home(machine), machine.join(_home(machine), "QWEN.md"))
    if scope == "project" and machine.project:
        folder = machine.join(machine.project, ".qwen")
        return _surfaces(machine, folder, machine.join(machine.project, "AGENTS.md"))
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Hooks get the project, servers the session; a shell of its own has QWEN_CODE, and so has what starts there."""
    if variables.get("QWEN_PROJECT_DIR"):
        return True
    return bool(variables.get("QWEN_CODE_SESSION_ID")) and not variables.get("QWEN_CODE")


def _surfaces(machine: "Machine", folder: str, memory: str) -> "dict[str, str]":
    settings = machine.join(folder, "settings.json")
    return {
        "home": folder,
        "server": settings,
        "hooks": settings,
        "native_hooks": settings,
        "statusline": settings,
        "config_patch": settings,
        "commands": machine.join(folder, "commands"),
        "skills": machine.join(folder, "skills"),
        "subagents": machine.join(folder, "agents"),
        "memory": memory,
    }


def _home(machine: "Machine") -> str:
    return machine.config("QWEN_HOME", ".qwen")
