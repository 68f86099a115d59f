"""Amazon Q Developer CLI's conversations: one for each folder, with sizes in bytes; tokens are estimated from these."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects import q_conversations
from agent_connector.hosts.dialects.usage_places import local_data
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "documented"
MERGE = "last"
NOTE = "It counts no tokens: these are a quarter of the bytes of prompts and answers, without what goes along with a prompt"
SOURCES = (("Amazon Q Developer CLI's source, 1.19", "2026-11-30"),)


FAMILY = q_conversations.FAMILY


def read(connection: sqlite3.Connection, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A record for each turn. A new conversation in a folder takes the old one's place; what was read stays known."""
    return q_conversations.estimates(connection, "conversations", state, source)


READERS = {"database": Reader("database", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """In the system's folder for local data."""
    return (Place(local_data(machine, "amazon-q"), "data.sqlite3", "database"),)
