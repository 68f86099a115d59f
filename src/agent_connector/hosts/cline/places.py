"""Where Cline reads, and how it is recognised. On the hook path.

Hooks, workflows and rules lie where both the terminal program and the editors' extensions read them.
"""

from agent_connector.hosts.dialects import vscode
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("@cline/core", "Cline")
EXTENSION = "saoudrizwan.claude-dev"


def installed(machine: "Machine") -> "Evidence | None":
    storage = machine.join(vscode.user_folder(machine), "globalStorage", EXTENSION)
    return evidence(
        machine,
        ("cline",),
        ((machine.join(_data(machine), "settings"), 0.9), (storage, 0.9), (_home(machine), 0.7)),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """No project has a file of servers."""
    if scope == "user":
        documents = machine.join(machine.config("XDG_DOCUMENTS_DIR", "Documents"), "Cline")
        return {
            "home": _home(machine),
            "server": machine.variables.get("CLINE_MCP_SETTINGS_PATH")
            or machine.join(_data(machine), "settings", "cline_mcp_settings.json"),
            **_hooks(machine.join(documents, "Hooks")),
            "commands": machine.join(documents, "Workflows"),
            "skills": machine.join(machine.home, ".agents", "skills"),
            "subagents": machine.join(_home(machine), "agents"),
            "memory": machine.join(machine.home, ".agents", "AGENTS.md"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        rules, own = machine.join(top, ".clinerules"), machine.join(top, ".cline")
        shared = own if _is_file(machine, rules) else rules  # a single file of rules leaves no room for a folder
        return {
            "home": own,
            **_hooks(machine.join(shared, "hooks")),
            "commands": machine.join(shared, "workflows"),
            "skills": machine.join(top, ".agents", "skills"),
            "subagents": machine.join(own, "agents"),
            "memory": machine.join(top, "AGENTS.md"),
        }
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """CLINE_ACTIVE says only that a terminal was opened by the extension."""
    return bool(variables.get("CLINE_CONNECTOR_CLI_LAUNCH"))


def _hooks(folder: str) -> "dict[str, str]":
    return {"hooks": folder, "native_hooks": folder}


def _is_file(machine: "Machine", path: str) -> bool:
    return machine.exists(path) and not machine.exists(machine.join(path, "."))


def _home(machine: "Machine") -> str:
    return machine.config("CLINE_DIR", ".cline")


def _data(machine: "Machine") -> str:
    return machine.variables.get("CLINE_DATA_DIR") or machine.join(_home(machine), "data")
