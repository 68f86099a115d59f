"""Commands, skills and memory of Crush."""

from typing import TYPE_CHECKING

from agent_connector.hosts.crush import places
from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.nodes import Node, Refusal

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.md` without a head, which would be sent too; Crush asks the person for each `$NAME` in capitals."""
    return content_md.command(command, folder, {}, arguments="$ARGUMENTS")


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """All files of a project that it knows are read, AGENTS.md among them."""
    return agents_md.target(places.files(scope, machine), "Crush", scope)
