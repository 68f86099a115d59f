"""Where Kilo CLI reads, and how it is recognised. On the hook path. Kilo Code, whose backend it is, reads the same."""

from agent_connector.hosts.dialects import opencode_places as places
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("kilo",)

_CONFIGS = ("kilo.jsonc", "kilo.json")  # the last one read, which wins, comes first


def installed(machine: "Machine") -> "Evidence | None":
    """Its config folder is Kilo Code's too, so that alone says little."""
    folder = places.config(machine, "kilo")
    return evidence(
        machine,
        ("kilo", "kilocode"),
        (
            *((machine.join(folder, name), 0.5) for name in _CONFIGS),
            (machine.join(places.data(machine, "kilo"), "kilo.db"), 0.5),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Surface -> file or folder. KILO_CONFIG and KILO_CONFIG_DIR add to these places and take none away."""
    if scope == "user":
        folder = places.config(machine, "kilo")
        names = [machine.join(folder, name) for name in _CONFIGS]
        server = places.first(machine, names, machine.join(folder, "kilo.json"))
        return places.surfaces(machine, folder, server, machine.join(folder, "AGENTS.md"))
    if scope == "project" and machine.project:
        top = machine.project
        folder = machine.join(top, ".kilo")
        tops = [machine.join(where, name) for where in (folder, top) for name in _CONFIGS]
        server = places.first(machine, tops, machine.join(top, "kilo.json"))
        return places.surfaces(machine, folder, server, machine.join(top, "AGENTS.md"))
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """It sets OPENCODE too. Kilo Code starts it with KILO_PLATFORM."""
    return _kilo(variables) and not in_editor(variables)


def in_editor(variables: "Mapping[str, str]") -> bool:
    """True in a backend that Kilo Code has started."""
    return _kilo(variables) and variables.get("KILO_PLATFORM") == "vscode"


def _kilo(variables: "Mapping[str, str]") -> bool:
    return variables.get("KILO") == "1" or "KILO_PID" in variables
