"""Skills and memory of Codebuff, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.codebuff import places
from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill
command = (
    skill_md.shared
)  # it knows no word that keeps the model from calling it, and passes over those that others know


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """Of the files in a folder it reads one: knowledge.md before AGENTS.md before CLAUDE.md."""
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal(f"Codebuff has no memory file in scope {scope}")
    if scope != "project" or machine.project is None:
        return target
    return agents_md.first_existing(machine, machine.project, ("knowledge.md", "AGENTS.md", "CLAUDE.md")) or target
