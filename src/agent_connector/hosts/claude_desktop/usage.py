"""Claude Desktop writes no counts."""

from collections.abc import Mapping, Sequence

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader

SURE = "uncertain"
MERGE = "last"
NOTE = "Claude Desktop keeps no counts of tokens on this machine"
SOURCES = (("files of Claude Desktop as others describe them", "2026-11-30"),)
READERS: Mapping[str, Reader] = {}


def logs(machine: Machine) -> Sequence[Place]:
    """None."""
    return ()
