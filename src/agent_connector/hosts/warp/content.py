"""Skills and memory of Warp, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.nodes import Node, Refusal
from agent_connector.hosts.warp import places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """A skill; Warp fills in `$ARGUMENTS`, and has no word that keeps the model from calling it."""
    return skill_md.for_person(command, folder, {}, arguments="$ARGUMENTS")


def memory(scope: str, machine: "Machine") -> str | Refusal:
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal(f"Warp has no memory file in scope {scope}")
    if scope != "project" or machine.project is None:
        return target
    return agents_md.first_existing(machine, machine.project, ("WARP.md",)) or target
