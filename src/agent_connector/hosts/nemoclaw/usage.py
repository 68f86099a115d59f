"""NemoClaw runs OpenClaw in a sandbox, whose files the machine does not see."""

from collections.abc import Mapping, Sequence

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader

SURE = "uncertain"
MERGE = "last"
NOTE = "The counts are in OpenClaw's store inside the sandbox: /sandbox/.openclaw/agents"
SOURCES = (("documentation of NVIDIA NemoClaw", "2026-11-30"),)
READERS: Mapping[str, Reader] = {}


def logs(machine: Machine) -> Sequence[Place]:
    """None."""
    return ()
