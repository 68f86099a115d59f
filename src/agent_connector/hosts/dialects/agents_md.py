"""Which memory file of a project a host reads: the first that is there, of the host's own order."""

from collections.abc import Sequence

from agent_connector.hosts.machine import Machine


def first_existing(machine: Machine, folder: str, names: Sequence[str]) -> str | None:
    """The first of `names` that is in `folder`."""
    return next((path for name in names if machine.exists(path := machine.join(folder, name))), None)
