"""Where the Antigravity CLI reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects import antigravity_files
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # not known


def installed(machine: "Machine") -> "Evidence | None":
    """~/.gemini and its `config` prove nothing: Gemini CLI and the app have them too."""
    return evidence(machine, ("agy",), ((_program(machine), 0.9), (_home(machine), 0.8)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Its own settings are a person's alone."""
    found = antigravity_files.files(scope, machine, "antigravity-cli")
    if scope == "user":
        settings = machine.join(_home(machine), "settings.json")
        found |= {"statusline": settings, "config_patch": settings}
    return found


def running(variables: "Mapping[str, str]") -> bool:
    """It is not known to leave a mark."""
    return False


def _home(machine: "Machine") -> str:
    return machine.join(machine.home, ".gemini", "antigravity-cli")


def _program(machine: "Machine") -> str:
    if machine.platform == "win32":
        return machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), "agy", "bin", "agy.exe")
    return machine.join(machine.home, ".local", "bin", "agy")
