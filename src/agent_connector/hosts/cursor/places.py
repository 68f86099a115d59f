"""Where Cursor reads, and how it is recognised: the IDE and its CLI share all but `cli-config.json`. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("cursor-vscode", "cursor")


def installed(machine: "Machine") -> "Evidence | None":
    """The CLI's newer name `agent` is anybody's, so it is not asked for."""
    home = _home(machine)
    return evidence(
        machine,
        ("cursor-agent", "cursor"),
        (
            (machine.join(machine.home, ".local", "bin", "cursor-agent"), 0.9),
            (_state(machine), 0.8),
            (machine.join(home, "cli-config.json"), 0.8),
            (home, 0.5),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """There is no memory file for a person: their rules are kept by the IDE. Skills lie where other hosts read too."""
    if scope == "user":
        return {
            **_shared(machine, _home(machine), machine.home),
            "statusline": _cli_config(machine),
            "config_patch": _cli_config(machine),
        }
    if scope == "project" and machine.project:
        top = machine.project
        return {**_shared(machine, machine.join(top, ".cursor"), top), "memory": machine.join(top, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """What hooks get. CURSOR_TRACE_ID is no sign: every program in the IDE's terminal has it."""
    return bool(variables.get("CURSOR_VERSION") and variables.get("CURSOR_PROJECT_DIR"))


def _shared(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    return {
        "home": home,
        "server": machine.join(home, "mcp.json"),
        "hooks": machine.join(home, "hooks.json"),
        "native_hooks": machine.join(home, "hooks.json"),
        "commands": machine.join(home, "commands"),
        "skills": machine.join(top, ".agents", "skills"),
        "subagents": machine.join(home, "agents"),
    }


def _home(machine: "Machine") -> str:
    return machine.join(machine.home, ".cursor")


def _cli_config(machine: "Machine") -> str:
    """The one file that CURSOR_CONFIG_DIR moves."""
    return machine.join(machine.config("CURSOR_CONFIG_DIR", ".cursor"), "cli-config.json")


def _state(machine: "Machine") -> str:
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", "Cursor")
    if machine.platform == "win32":
        return machine.join(machine.config("APPDATA", "AppData", "Roaming"), "Cursor")
    return machine.join(machine.config("XDG_CONFIG_HOME", ".config"), "Cursor")
