"""Roo Code's tasks: a row for each request, in the storage of each editor that has the extension, and of its CLI."""

from collections.abc import Sequence
from typing import Any

from agent_connector.hosts.dialects import vscode_tasks
from agent_connector.hosts.dialects.usage_places import LIST
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place

SURE = "documented"
MERGE = "last"
NOTE = ""
SOURCES = (
    ("Roo Code's source, 3.52 and 3.53", "2026-11-30"),
    ("what the prompt's count holds, and since when: RooCodeInc/Roo-Code#8954", "2026-11-30"),
)

EXTENSION = "rooveterinaryinc.roo-cline"
TOTAL_SINCE = 1_761_955_200_000  # 2025-11-01, Roo Code 3.29.5: the count of every prompt has the cached tokens within


def within(used: dict[str, Any], time: int, provider: str) -> bool:
    """Before that only where the provider speaks OpenAI's protocol."""
    del provider
    return used.get("apiProtocol") != "anthropic" or time >= TOTAL_SINCE


READERS = {"task": vscode_tasks.reader(within), "settings": LIST}
LISTS = {"settings": vscode_tasks.moved("roo-cline.customStoragePath", "task")}


def logs(machine: Machine) -> Sequence[Place]:
    """Every editor's storage and the CLI's; editors' settings may name a further one."""
    return (
        *vscode_tasks.places(machine, EXTENSION, "task"),
        Place(machine.join(machine.home, ".vscode-mock", "global-storage"), vscode_tasks.PATTERN, "task"),
        *vscode_tasks.settings(machine, "settings"),
    )
