"""MiMo Code's own log of what it used. It brings along sessions of other programs, which are theirs and left out."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects import opencode_usage
from agent_connector.hosts.dialects import usage_tables as tables
from agent_connector.hosts.dialects.usage_places import local_data, xdg_data
from agent_connector.hosts.dialects.usage_values import decode, name, sequence
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

IMPORTS = ("external_import", "claude_import")


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """Its messages without those that came from another program's log."""
    yield from opencode_usage.messages(connection, state, source, brought_along(connection))


def brought_along(connection: sqlite3.Connection) -> frozenset[str]:
    """The messages of imports where they are listed one by one, else their whole sessions.

    A session that was imported may be continued here; then only the list tells whose a message is.
    """
    found: set[str] = set()
    for table in IMPORTS:
        if "session_id" in tables.columns(connection, table):
            for row in tables.rows(connection, table, ("session_id", "message_ids")):
                listed = [name(each) for each in sequence(decode(row["message_ids"]))]
                found.update(listed or [name(row["session_id"])])
    return frozenset(found)


SURE = "documented"
MERGE = "last"
FAMILY = opencode_usage.FAMILY
READERS = {"database": Reader("database", 1, read)}
NOTE = "Sessions that it imported from other programs without marking them are counted here too"
SOURCES = (
    ("MiMo Code's documentation and source", "2026-11-30"),
    ("tokscale's reader for the folder `micode`", "2026-11-30"),
)


def logs(machine: Machine) -> Sequence[Place]:
    """MIMOCODE_DB names the file, MIMOCODE_HOME moves all; else several folders were reported, also by system."""
    if home := machine.variables.get("MIMOCODE_HOME"):
        folders = [machine.join(home, "data")]
    else:
        names = ("mimocode", "micode")
        folders = [xdg_data(machine, each) for each in names]
        folders += [found for each in names if (found := local_data(machine, each)) not in folders]
    if named := opencode_usage.named_database(machine, "MIMOCODE_DB", folders[0]):
        return (named,)
    return tuple(Place(each, "mimocode*.db", "database") for each in folders)
