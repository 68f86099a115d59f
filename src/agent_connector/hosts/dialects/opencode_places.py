"""Where OpenCode and its forks read: a config folder, a hidden folder in projects, the same names in both. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_connector.hosts.machine import Machine


def config(machine: "Machine", name: str) -> str:
    """The same below home on every system, on Windows too."""
    return machine.join(machine.variables.get("XDG_CONFIG_HOME") or machine.join(machine.home, ".config"), name)


def data(machine: "Machine", name: str) -> str:
    top = machine.variables.get("XDG_DATA_HOME") or machine.join(machine.home, ".local", "share")
    return machine.join(top, name)


def first(machine: "Machine", paths: "Sequence[str]", default: str) -> str:
    return next((path for path in paths if machine.exists(path)), default)


def surfaces(machine: "Machine", folder: str, server: str, memory: str) -> "Mapping[str, str]":
    """Surface -> file or folder, of the scope whose folder is `folder`."""
    return {
        "home": folder,
        "server": server,
        "config_patch": server,
        "hooks": machine.join(folder, "plugins"),
        "native_hooks": machine.join(folder, "plugins"),
        "commands": machine.join(folder, "commands"),
        "skills": machine.join(folder, "skills"),
        "subagents": machine.join(folder, "agents"),
        "memory": memory,
    }
