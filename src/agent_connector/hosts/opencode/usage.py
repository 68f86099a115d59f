"""OpenCode's own log of what it used: the messages in its SQLite database, and the files of versions before 1.2."""

from collections.abc import Sequence

from agent_connector.hosts.dialects import opencode_usage
from agent_connector.hosts.dialects.usage_places import xdg_data
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place

SURE = "proven"
MERGE = "last"
FAMILY = opencode_usage.FAMILY
READERS = {"database": opencode_usage.DATABASE, "message": opencode_usage.FILES}
NOTE = "The requests by which it names a session are in no log"
SOURCES = (
    ("opencode 1.18.33, run against a scripted model", "2026-11-30"),
    ("the tree of message files: its versions before 1.2", "2026-11-30"),
)


def logs(machine: Machine) -> Sequence[Place]:
    """Each release channel has a database of its own; OPENCODE_DB takes the place of all of them."""
    data = xdg_data(machine, "opencode")
    named = opencode_usage.named_database(machine, "OPENCODE_DB", data)
    return (named or Place(data, "opencode*.db", "database"), Place(data, "storage/message/*/*.json", "message"))
