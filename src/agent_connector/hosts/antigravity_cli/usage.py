"""What the Antigravity CLI wrote down of its model calls: a database for each conversation.

Sums in the status line and in a headless result are of the same calls. A subagent's conversation is its own.
"""

from collections.abc import Sequence

from agent_connector.hosts.dialects import antigravity_store
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place

SURE = "uncertain"
MERGE = "last"
NOTE = "Conversations in older `.pb` files cannot be read"
SOURCES = (("fields that two readers of others found in databases of agy 1.1 to 1.3", "2026-11-30"),)
FAMILY = antigravity_store.FAMILY
READERS = {"conversation": antigravity_store.CONVERSATION}


def logs(machine: Machine) -> Sequence[Place]:
    """The CLI's own data folder."""
    return antigravity_store.stores(machine.join(machine.home, ".gemini", "antigravity-cli"))
