"""Where Roo Code reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects import vscode
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("Roo Code",)
EXTENSION = "rooveterinaryinc.roo-cline"


def installed(machine: "Machine") -> "Evidence | None":
    """What the extension stores; its own folder in the home is shared with nobody."""
    return evidence(machine, ("roo",), ((_storage(machine), 0.9), (machine.join(machine.home, ".roo"), 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where other hosts read too."""
    if scope == "user":
        home = machine.join(machine.home, ".roo")
        return {
            **_shared(machine, home, machine.home),
            "server": machine.join(_storage(machine), "settings", "mcp_settings.json"),
            "memory": machine.join(home, "rules", "agent-connector.md"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        home = machine.join(top, ".roo")
        return {
            **_shared(machine, home, top),
            "server": machine.join(home, "mcp.json"),
            "memory": machine.join(top, "AGENTS.md"),
        }
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Its command-line program; ROO_ACTIVE says only that a terminal was opened by the extension."""
    return variables.get("ROO_CLI_RUNTIME") == "1"


def _shared(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    return {
        "home": home,
        "commands": machine.join(home, "commands"),
        "skills": machine.join(top, ".agents", "skills"),
    }


def _storage(machine: "Machine") -> str:
    return machine.join(vscode.user_folder(machine), "globalStorage", EXTENSION)
