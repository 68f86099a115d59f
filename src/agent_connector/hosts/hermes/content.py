"""Skills and memory of Hermes Agent, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.hermes import places
from agent_connector.hosts.nodes import Node, Refusal

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """A skill; it has no word that keeps the model from calling it."""
    return skill_md.for_person(command, folder, {}, command.name.replace("/", "-"))


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """Of a project's files the first kind that is there is read. SOUL.md of the person says who the agent is."""
    target = agents_md.target(places.files(scope, machine), "Hermes Agent", scope, "install in a project for that")
    if isinstance(target, Refusal) or machine.project is None:
        return target
    names = (".hermes.md", "HERMES.md", "AGENTS.md", "CLAUDE.md")
    return agents_md.first_existing(machine, machine.project, names) or target
