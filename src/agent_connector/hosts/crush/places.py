"""Where Crush reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("crush",)


def installed(machine: "Machine") -> "Evidence | None":
    home, data = _home(machine), _data(machine)
    names = ("crushrc", "crush.json")
    traces = (
        *((machine.join(home, name), 0.9) for name in names),
        (machine.join(data, "crush.json"), 0.8),
        (home, 0.6),
    )
    return evidence(machine, ("crush",), traces)


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """A crush.json is what a program can edit; what Crush itself writes down lies elsewhere."""
    if scope == "user":
        home = _home(machine)
        return {
            **_surfaces(home, machine.join(home, "crush.json")),
            "commands": machine.join(home, "commands"),
            "skills": machine.join(machine.home, ".agents", "skills"),
            "memory": machine.join(home, "CRUSH.md"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        hidden = machine.join(top, ".crush.json")
        config = hidden if machine.exists(hidden) else machine.join(top, "crush.json")
        return {
            **_surfaces(machine.join(top, ".crush"), config),
            "commands": machine.join(top, ".crush", "commands"),
            "skills": machine.join(top, ".agents", "skills"),
            "memory": machine.join(top, "AGENTS.md"),
        }
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Set for hooks and its shell; servers inherit it where Crush itself was started out of such a shell."""
    return variables.get("CRUSH") == "1"


def _surfaces(home: str, config: str) -> "dict[str, str]":
    return {"home": home, **dict.fromkeys(("server", "hooks", "config_patch"), config)}


def _home(machine: "Machine") -> str:
    """The same below the home on every system."""
    own = machine.variables.get("CRUSH_GLOBAL_CONFIG")
    return own or machine.join(machine.config("XDG_CONFIG_HOME", ".config"), "crush")


def _data(machine: "Machine") -> str:
    if own := machine.variables.get("CRUSH_GLOBAL_DATA"):
        return own
    if machine.platform == "win32":
        return machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), "crush")
    return machine.join(machine.config("XDG_DATA_HOME", ".local", "share"), "crush")
