"""Where OpenCode reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("opencode",)

_CONFIGS = ("opencode.jsonc", "opencode.json")  # the last one read, which wins, comes first


def installed(machine: "Machine") -> "Evidence | None":
    """~/.opencode is only where its installer puts the program."""
    folder = _config(machine)
    extra = machine.variables.get("OPENCODE_CONFIG")
    return evidence(
        machine,
        ("opencode",),
        (
            *((machine.join(folder, name), 0.8) for name in (*_CONFIGS, "config.json")),
            *(((extra, 0.7),) if extra else ()),
            (machine.join(_data(machine), "opencode.db"), 0.7),
            (machine.join(machine.home, ".opencode", "bin"), 0.7),
            (folder, 0.5),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Surface -> file or folder. OPENCODE_CONFIG and OPENCODE_CONFIG_DIR add to these places and take none away."""
    if scope == "user":
        folder = _config(machine)
        names = [machine.join(folder, name) for name in (*_CONFIGS, "config.json")]
        config = _first(machine, names, machine.join(folder, "opencode.json"))
        memory = machine.join(folder, "AGENTS.md")
    elif scope == "project" and machine.project:
        folder = machine.join(machine.project, ".opencode")
        tops = [machine.join(top, name) for top in (folder, machine.project) for name in _CONFIGS]
        config = _first(machine, tops, machine.join(machine.project, "opencode.json"))
        memory = machine.join(machine.project, "AGENTS.md")
    else:
        return {}
    return {
        "home": folder,
        "server": config,
        "config_patch": config,
        "hooks": machine.join(folder, "plugins"),
        "native_hooks": machine.join(folder, "plugins"),
        "commands": machine.join(folder, "commands"),
        "skills": machine.join(folder, "skills"),
        "subagents": machine.join(folder, "agents"),
        "memory": memory,
    }


def running(variables: "Mapping[str, str]") -> bool:
    """Kilo, its fork, sets OPENCODE too."""
    return variables.get("OPENCODE") == "1" and not any(name in variables for name in ("KILO", "KILO_PID"))


def _config(machine: "Machine") -> str:
    """The same below home on every system, on Windows too."""
    return machine.join(machine.variables.get("XDG_CONFIG_HOME") or machine.join(machine.home, ".config"), "opencode")


def _data(machine: "Machine") -> str:
    top = machine.variables.get("XDG_DATA_HOME") or machine.join(machine.home, ".local", "share")
    return machine.join(top, "opencode")


def _first(machine: "Machine", paths: "list[str]", default: str) -> str:
    return next((path for path in paths if machine.exists(path)), default)
