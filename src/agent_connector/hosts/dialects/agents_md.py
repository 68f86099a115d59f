"""Which memory file a host reads: its one file, or the first that is there, of the host's own order."""

from collections.abc import Mapping, Sequence

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Refusal


def first_existing(machine: Machine, folder: str, names: Sequence[str]) -> str | None:
    """The first of `names` that is in `folder`."""
    return next((path for name in names if machine.exists(path := machine.join(folder, name))), None)


def target(files: Mapping[str, str], host: str, scope: str, remedy: str = "") -> str | Refusal:
    """The file for memory among `files`, the places of `scope`."""
    return files.get("memory") or Refusal(f"{host} has no memory file in scope {scope}", remedy)
