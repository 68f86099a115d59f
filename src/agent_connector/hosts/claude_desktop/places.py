"""Where Claude Desktop reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user",)
PACKAGE = "Claude_pzs8sxrjxfjjc"  # what Windows calls its installer's package, which reads from a folder of its own
CLIENT_NAMES = ("claude-ai",)


def installed(machine: "Machine") -> "Evidence | None":
    """It puts no program on the PATH."""
    home = _home(machine)
    return evidence(
        machine,
        (),
        (
            (machine.join(home, "claude_desktop_config.json"), 0.9),
            (home, 0.7),
            *((("/Applications/Claude.app", 0.9),) if machine.platform == "darwin" else ()),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """There is one file, and it is the person's."""
    if scope != "user":
        return {}
    home = _home(machine)
    config = machine.join(home, "claude_desktop_config.json")
    return {"home": home, "server": config, "config_patch": config}


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark in the environment of its servers."""
    return False


def _home(machine: "Machine") -> str:
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", "Claude")
    if machine.platform == "win32":
        package = machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), "Packages", PACKAGE)
        if machine.exists(package):
            return machine.join(package, "LocalCache", "Roaming", "Claude")
        return machine.join(machine.config("APPDATA", "AppData", "Roaming"), "Claude")
    return machine.join(machine.config("XDG_CONFIG_HOME", ".config"), "Claude")
