"""The log of Kilo's backend of what it used. The editor extension since 7 writes to the same database: it counts here."""

from collections.abc import Sequence

from agent_connector.hosts.dialects import opencode_usage
from agent_connector.hosts.dialects.usage_places import xdg_data
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place

SURE = "proven"
MERGE = "last"
FAMILY = opencode_usage.FAMILY
READERS = {"database": opencode_usage.DATABASE}
NOTE = "Holds what the Kilo extension (7 and later) used too: both write to one database"
SOURCES = (
    ("Kilo CLI 7.7.7, run against a scripted model", "2026-11-30"),
    ("Kilo's move of older tasks: it gives them no counts", "2026-11-30"),
)


def logs(machine: Machine) -> Sequence[Place]:
    """One database on every system."""
    return (Place(xdg_data(machine, "kilo"), "kilo.db", "database"),)
