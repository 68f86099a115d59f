"""Where OpenCode reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects import opencode_places as places
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
    folder = places.config(machine, "opencode")
    extra = machine.variables.get("OPENCODE_CONFIG")
    return evidence(
        machine,
        ("opencode",),
        (
            *((machine.join(folder, name), 0.8) for name in (*_CONFIGS, "config.json")),
            *(((extra, 0.7),) if extra else ()),
            (machine.join(places.data(machine, "opencode"), "opencode.db"), 0.7),
            (machine.join(machine.home, ".opencode", "bin"), 0.7),
            (folder, 0.5),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Surface -> file or folder. OPENCODE_CONFIG and OPENCODE_CONFIG_DIR add to these places and take none away."""
    if scope == "user":
        folder = places.config(machine, "opencode")
        names = [machine.join(folder, name) for name in (*_CONFIGS, "config.json")]
        server = places.first(machine, names, machine.join(folder, "opencode.json"))
        return places.surfaces(machine, folder, server, machine.join(folder, "AGENTS.md"))
    if scope == "project" and machine.project:
        folder = machine.join(machine.project, ".opencode")
        tops = [machine.join(top, name) for top in (folder, machine.project) for name in _CONFIGS]
        server = places.first(machine, tops, machine.join(machine.project, "opencode.json"))
        return places.surfaces(machine, folder, server, machine.join(machine.project, "AGENTS.md"))
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Kilo, its fork, sets OPENCODE too."""
    return variables.get("OPENCODE") == "1" and not any(name in variables for name in ("KILO", "KILO_PID"))
