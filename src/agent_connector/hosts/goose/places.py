"""Where goose reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("goose*",)


def installed(machine: "Machine") -> "Evidence | None":
    """A program of that name alone may be another one."""
    home = _home(machine)
    programs = ("goose",) if machine.exists(home) else ()
    return evidence(machine, programs, ((machine.join(home, "config.yaml"), 0.9), (home, 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Hooks are a plugin's; skills, agents and plugins lie in `.agents`, where other hosts read too."""
    if scope == "user":
        config = machine.join(_home(machine), "config.yaml")
        return {
            "home": _home(machine),
            "server": config,
            "config_patch": config,
            **_shared(machine, _home(machine), machine.home),
        }
    if scope == "project" and machine.project:
        top = machine.project
        home = machine.join(top, ".goose")
        return {"home": home, **_shared(machine, home, top), "memory": machine.join(top, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark that is its own: other hosts set PLUGIN_ROOT too."""
    return False


def _shared(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    folder = machine.join(top, ".agents")
    return {
        "hooks": machine.join(folder, "plugins"),
        "native_hooks": machine.join(folder, "plugins"),
        "commands": machine.join(home, "skills"),  # as skills, and not where other hosts would read them too
        "skills": machine.join(folder, "skills"),
        "subagents": machine.join(folder, "agents"),
    }


def _home(machine: "Machine") -> str:
    """On macOS it is the same as on Linux."""
    if root := machine.variables.get("GOOSE_PATH_ROOT"):
        return machine.join(root, "config")
    if machine.platform == "win32":
        return machine.join(machine.config("APPDATA", "AppData", "Roaming"), "Block", "goose", "config")
    if machine.platform == "darwin":
        return machine.join(machine.home, ".config", "goose")
    return machine.join(machine.config("XDG_CONFIG_HOME", ".config"), "goose")
