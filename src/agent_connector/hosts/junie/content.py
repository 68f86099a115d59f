"""Commands, skills, subagents and memory of Junie."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.junie import places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Node, Refusal

_READ = (".junie/AGENTS.md", "AGENTS.md", ".junie/guidelines.md")

skill = skill_md.skill
UNRESTRICTED = True  # its subagents have no list of tools that we could write


def command(command: "Command", folder: str) -> "list[Node]":
    return content_md.command(command, folder, {"description": command.description or None})


def subagent(subagent: "Subagent", folder: str) -> "list[Node | Refusal]":
    """Without a list of tools: how Junie calls them is not known, and a wrong name takes them away."""
    if refused := content_md.denial_refused(subagent, "Junie"):
        return [refused]
    return [*content_md.subagent(subagent, join(folder, subagent.name + ".md"), {})]


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    """A project's file is the first of its three that is there."""
    target = agents_md.target(places.files(scope, machine), "Junie", scope)
    if scope == "project" and machine.project:
        return agents_md.first_existing(machine, machine.project, _READ) or target
    return target
