"""Where Zed reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("Zed", "zed")


def installed(machine: "Machine") -> "Evidence | None":
    """Its folders, and the app where systems have apps."""
    return evidence(
        machine,
        ("zed", "zeditor"),
        (
            (machine.join(_home(machine), "settings.json"), 0.9),
            (_home(machine), 0.6),
            (_data(machine), 0.8),
            *((("/Applications/Zed.app", 0.9),) if machine.platform == "darwin" else ()),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where other hosts read too; which file takes the memory block of a project is probed in `content`."""
    if scope == "user":
        home = _home(machine)
        return {**_shared(machine, home, machine.home), "memory": machine.join(home, "AGENTS.md")}
    if scope == "project" and machine.project:
        top = machine.project
        return {**_shared(machine, machine.join(top, ".zed"), top), "memory": machine.join(top, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """ZED_TERM says that a terminal of Zed is around, in which any other agent may run: it is no sign of Zed's own."""
    return False


def _shared(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    skills = machine.join(top, ".agents", "skills")
    return {
        "home": home,
        "server": machine.join(home, "settings.json"),
        "config_patch": machine.join(home, "settings.json"),
        "actions": machine.join(home, "tasks.json"),
        "commands": skills,
        "skills": skills,
    }


def _home(machine: "Machine") -> str:
    if machine.platform == "win32":
        return machine.join(machine.config("APPDATA", "AppData", "Roaming"), "Zed")
    if machine.platform == "darwin":
        return machine.join(machine.home, ".config", "zed")
    return machine.join(machine.config("XDG_CONFIG_HOME", ".config"), "zed")


def _data(machine: "Machine") -> str:
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", "Zed")
    if machine.platform == "win32":
        return machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), "Zed")
    return machine.join(machine.config("XDG_DATA_HOME", ".local", "share"), "zed")
