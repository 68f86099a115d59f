"""Skills, subagents and memory of goose, and commands as skills."""

import json
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.goose import places
from agent_connector.hosts.nodes import Node, Refusal

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill
UNRESTRICTED = True  # its subagents have no list of tools that we could write


def command(command: "Command", folder: str) -> list[Node]:
    """A skill; it has no word that keeps the model from calling it."""
    return skill_md.for_person(command, folder, {}, command.name.replace("/", "-"))


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    """`<name>.md`; an agent has the tools of its session."""
    head = {"model": subagent.model or None}
    return content_md.subagent(subagent, join(folder, subagent.name + ".md"), head)


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """CONTEXT_FILE_NAMES names the files that it reads in a project, where a person has set it."""
    named = machine.variables.get("CONTEXT_FILE_NAMES")
    if named and scope == "project" and "AGENTS.md" not in _names(named):
        return Refusal("CONTEXT_FILE_NAMES keeps goose from reading AGENTS.md", "add it to that variable")
    return agents_md.target(places.files(scope, machine), "goose", scope, "install in a project for that")


def _names(text: str) -> list[str]:
    try:
        found = json.loads(text)
    except ValueError:
        return [text]
    return [str(name) for name in found] if isinstance(found, list) else [text]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
