"""GitHub Copilot in VS Code keeps no counts of its own that could be trusted."""

from collections.abc import Sequence

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader

SURE = "uncertain"
MERGE = "last"
READERS: dict[str, Reader] = {}
NOTE = "Sessions of its Copilot harness are counted under copilot-cli; its local harness writes no counts down"
SOURCES = (("VS Code's documentation of chat sessions and telemetry", "2026-11-30"),)


def logs(machine: Machine) -> Sequence[Place]:
    """None."""
    del machine
    return ()
