"""Where Warp reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("dev.warp.*",)

_PROGRAMS, _OLD = ("oz", "warp-terminal", "warp-tui"), "warp-cli"


def installed(machine: "Machine") -> "Evidence | None":
    """Its programs under all their names, and what each system's build leaves."""
    return evidence(
        machine,
        (*_PROGRAMS, _OLD),
        (
            (machine.join(machine.home, ".warp"), 0.8),
            (_state(machine), 0.8),
            *((("/Applications/Warp.app", 0.9),) if machine.platform == "darwin" else ()),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where other hosts read too."""
    if scope == "user":
        home = machine.join(machine.home, ".warp")
        return {
            **_shared(machine, home, machine.home),
            "memory": machine.join(machine.home, ".agents", "AGENTS.md"),
            "actions": machine.join(home, "workflows"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        home = machine.join(top, ".warp")
        return {
            **_shared(machine, home, top),
            "memory": machine.join(top, "AGENTS.md"),
            "actions": machine.join(home, "workflows"),
        }
    return {}


def outdated(machine: "Machine") -> "str | None":
    """Its command-line agent had another name."""
    if machine.which(_OLD) is None or any(machine.which(name) for name in _PROGRAMS):
        return None
    return f"`oz`, the new name of `{_OLD}`"


def running(variables: "Mapping[str, str]") -> bool:
    """A run that `oz` started. TERM_PROGRAM says only that the terminal is Warp's, in which any other agent may run."""
    return bool(variables.get("OZ_RUN_ID") or variables.get("WARP_RUN_ID"))


def _shared(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    return {
        "home": home,
        "server": machine.join(home, ".mcp.json"),
        "commands": machine.join(home, "skills"),  # as skills, in words of its own: not where other hosts read too
        "skills": machine.join(top, ".agents", "skills"),
    }


def _state(machine: "Machine") -> str:
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", "dev.warp.Warp-Stable")
    if machine.platform == "win32":
        return machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), "warp", "Warp")
    return machine.join(machine.config("XDG_STATE_HOME", ".local", "state"), "warp-terminal")
