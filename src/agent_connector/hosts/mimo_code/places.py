"""Where MiMoCode reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects import opencode_places as places
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("mimocode",)

_CONFIGS = ("mimocode.jsonc", "mimocode.json")  # the last one read, which wins, comes first


def installed(machine: "Machine") -> "Evidence | None":
    folder = _config(machine)
    return evidence(
        machine,
        ("mimo",),
        (*((machine.join(folder, name), 0.8) for name in _CONFIGS), (folder, 0.6), (_data(machine), 0.6)),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Surface -> file or folder. MIMOCODE_HOME moves all of the person's."""
    if scope == "user":
        folder, top = _config(machine), None
    elif scope == "project" and machine.project:
        folder, top = machine.join(machine.project, ".mimocode"), machine.project
    else:
        return {}
    names = [machine.join(folder, name) for name in _CONFIGS]
    server = places.first(machine, names, names[0])
    found = places.surfaces(machine, folder, server, machine.join(top or folder, "AGENTS.md"))
    return {**found, "subagents": machine.join(folder, "agent")}


def running(variables: "Mapping[str, str]") -> bool:
    return variables.get("MIMOCODE") == "1"


def _config(machine: "Machine") -> str:
    """Below the local app data on Windows, below home elsewhere."""
    if moved := machine.variables.get("MIMOCODE_HOME"):
        return machine.join(moved, "config")
    if machine.platform == "win32" and not machine.variables.get("XDG_CONFIG_HOME"):
        return machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), "mimocode")
    return places.config(machine, "mimocode")


def _data(machine: "Machine") -> str:
    moved = machine.variables.get("MIMOCODE_HOME")
    return machine.join(moved, "data") if moved else places.data(machine, "mimocode")
