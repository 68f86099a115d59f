"""Prompt files, skills, agents and memory of Copilot in VS Code."""

from typing import TYPE_CHECKING

from agent_connector.hosts.copilot_cli import content as cli
from agent_connector.hosts.dialects import agents_md, copilot_files, skill_md
from agent_connector.hosts.vscode_copilot import places

if TYPE_CHECKING:
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Refusal

skill = skill_md.skill
subagent = cli.subagent  # in one folder with Copilot CLI's: the same bytes for all of them
command = copilot_files.prompt


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    """A project's AGENTS.md, or the other that it reads where only that is there."""
    target = agents_md.target(places.files(scope, machine), "Copilot in VS Code", scope)
    if scope == "project" and machine.project:
        return agents_md.first_existing(machine, machine.project, copilot_files.INSTRUCTIONS) or target
    return target


def reads(scope: str, machine: "Machine") -> list[str]:
    """Both of a project's files at once, so a block in one of them is enough."""
    project = machine.project if scope == "project" else None
    return [machine.join(project, name) for name in copilot_files.INSTRUCTIONS] if project else []
