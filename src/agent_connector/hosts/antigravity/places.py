"""Where the Antigravity app and editor read, and how they are recognised. On the hook path."""

from agent_connector.hosts.dialects import antigravity_files, vscode
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # not known


def installed(machine: "Machine") -> "Evidence | None":
    """~/.gemini and its `config` prove nothing: Gemini CLI and the CLI of Antigravity have them too."""
    gemini = machine.join(machine.home, ".gemini")
    traces = [(machine.join(gemini, name), 0.8) for name in ("antigravity", "antigravity-ide")]
    traces += [(vscode.user_folder(machine, name), 0.8) for name in ("Antigravity", "Antigravity IDE")]
    if machine.platform == "darwin":
        traces += [(f"/Applications/{name}.app", 0.9) for name in ("Antigravity", "Antigravity IDE")]
    return evidence(machine, ("antigravity",), traces)


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    return antigravity_files.files(scope, machine, "antigravity")


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark of its own; VS Code's are every editor's."""
    return False
