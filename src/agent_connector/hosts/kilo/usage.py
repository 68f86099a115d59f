"""The Kilo extension's tasks of versions before 7. Since then it writes to the database of Kilo CLI and counts there."""

from collections.abc import Sequence
from typing import Any

from agent_connector.hosts.dialects import vscode_tasks
from agent_connector.hosts.dialects.usage_places import LIST
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place

SURE = "documented"
MERGE = "last"
NOTE = "Only versions before 7: later ones write to one database with Kilo CLI and are counted under kilo-cli"
SOURCES = (
    ("Kilo Code's source, 5.16 and 7.8", "2026-11-30"),
    ("tasks that 7 brought along have no counts in the database: its migration", "2026-11-30"),
)

EXTENSION = "kilocode.kilo-code"
TOTAL_SINCE = 1_762_905_600_000  # 2025-11-12, Kilo Code 4.119.0 took over what Roo Code had changed


def within(used: dict[str, Any], time: int, provider: str) -> bool:
    """As in Roo Code, which it was forked from, some days later."""
    del provider
    return used.get("apiProtocol") != "anthropic" or time >= TOTAL_SINCE


READERS = {"task": vscode_tasks.reader(within), "settings": LIST}
LISTS = {"settings": vscode_tasks.moved("kilo-code.customStoragePath", "task")}


def logs(machine: Machine) -> Sequence[Place]:
    """Every editor's storage; its settings may name another one."""
    return (*vscode_tasks.places(machine, EXTENSION, "task"), *vscode_tasks.settings(machine, "settings"))
