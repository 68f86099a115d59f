"""Copilot in JetBrains IDEs writes no counts of its own."""

from collections.abc import Mapping, Sequence

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader

SURE = "uncertain"
MERGE = "last"
NOTE = "Sessions of its Copilot agent are counted under copilot-cli; the rest is counted on GitHub's server"
SOURCES = (("GitHub's documentation of Copilot in JetBrains IDEs", "2026-11-30"),)
READERS: Mapping[str, Reader] = {}


def logs(machine: Machine) -> Sequence[Place]:
    """None."""
    return ()
