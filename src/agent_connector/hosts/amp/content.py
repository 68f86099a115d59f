"""Skills and memory of Amp, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.amp import places
from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.nodes import Refusal

if TYPE_CHECKING:
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill
command = skill_md.shared  # nothing that is documented keeps the model from calling it


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """Of a folder's files the first is read."""
    target = agents_md.target(places.files(scope, machine), "Amp", scope)
    if isinstance(target, Refusal) or scope != "project" or machine.project is None:
        return target
    return agents_md.first_existing(machine, machine.project, ("AGENTS.md", "AGENT.md", "CLAUDE.md")) or target
