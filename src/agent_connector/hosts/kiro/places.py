"""Where Kiro and its CLI read, and how they are recognised. On the hook path."""

from agent_connector.hosts.dialects import vscode
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # not known; Amazon Q's was `Q DEV CLI`

_HOOKS = "agent-connector.json"  # every file of the folder is read


def installed(machine: "Machine") -> "Evidence | None":
    """Its folder in the home is the editor's and the CLI's."""
    return evidence(machine, ("kiro-cli", "kiro"), ((vscode.user_folder(machine, "Kiro"), 0.9), (_home(machine), 0.7)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    if scope == "user":
        home = _home(machine)
        return {
            **_shared(machine, home),
            "memory": machine.join(home, "steering", "agent-connector.md"),
            "config_patch": machine.join(home, "settings", "cli.json"),
        }
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".kiro")
        return {**_shared(machine, home), "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """What the shells of its agent get; hooks and servers get no mark of their own."""
    return bool(variables.get("KIRO_SESSION_ID"))


def _shared(machine: "Machine", home: str) -> "dict[str, str]":
    hooks = machine.join(home, "hooks", _HOOKS)
    return {
        "home": home,
        "server": machine.join(home, "settings", "mcp.json"),
        "hooks": hooks,
        "native_hooks": hooks,
        "actions": hooks,
        "commands": machine.join(home, "prompts"),
        "skills": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
    }


def _home(machine: "Machine") -> str:
    return machine.config("KIRO_HOME", ".kiro")
