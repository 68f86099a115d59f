"""Commands, skills and memory of Roo Code."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole
from agent_connector.hosts.roo_code import places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.md`; what the person typed behind the name is added to the text, so the text says where."""
    head = {"description": command.description or None, "argument-hint": command.argument_hint}
    text = command.prompt.replace("$ARGUMENTS", "(the text that the person wrote after the command)")
    return [Whole(join(folder, command.name + ".md"), document(head, text))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal(f"Roo Code has no memory file in scope {scope}")
    if scope != "project" or machine.project is None:
        return target
    return agents_md.first_existing(machine, machine.project, ("AGENTS.md", "AGENT.md")) or target
