"""Where Copilot in VS Code reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects import vscode
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("Visual Studio Code*",)

_PRODUCTS = ("Code", "Code - Insiders", "VSCodium")
_HOOKS = "agent-connector-vscode.json"  # beside Copilot CLI's: every file of the folder is read


def installed(machine: "Machine") -> "Evidence | None":
    """The chat is a part of newer builds; in older ones it leaves a folder of its own."""
    traces: list[tuple[str, float]] = []
    for product in _PRODUCTS:
        user = vscode.user_folder(machine, product)
        traces += [(machine.join(user, "globalStorage", "github.copilot-chat"), 0.9), (user, 0.6)]
    return evidence(machine, ("code", "code-insiders"), traces)


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """The editor's own files, and those that it shares with Copilot CLI."""
    if scope == "user":
        user = vscode.user_folder(machine, _product(machine))
        copilot = machine.config("COPILOT_HOME", ".copilot")
        return {
            "home": user,
            "server": machine.join(user, "mcp.json"),
            "hooks": machine.join(copilot, "hooks", _HOOKS),
            "commands": machine.join(user, "prompts"),
            "skills": machine.join(machine.home, ".agents", "skills"),
            "subagents": machine.join(copilot, "agents"),
            "memory": machine.join(copilot, "instructions", "agent-connector.instructions.md"),
            "config_patch": machine.join(user, "settings.json"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        github = machine.join(top, ".github")
        home = machine.join(top, ".vscode")
        return {
            "home": home,
            "server": machine.join(home, "mcp.json"),
            "hooks": machine.join(github, "hooks", _HOOKS),
            "commands": machine.join(github, "prompts"),
            "skills": machine.join(top, ".agents", "skills"),
            "subagents": machine.join(github, "agents"),
            "memory": machine.join(top, "AGENTS.md"),
            "config_patch": machine.join(home, "settings.json"),
        }
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Its variables are set in every fork of it, and in every terminal."""
    return False


def _product(machine: "Machine") -> str:
    there = (each for each in _PRODUCTS if machine.exists(vscode.user_folder(machine, each)))
    return next(there, _PRODUCTS[0])
