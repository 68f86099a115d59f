"""Commands, skills and memory of Pi. It has no subagents of its own."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole
from agent_connector.hosts.pi import places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill

_READ = ("AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD")  # the first one that is there


def command(command: "Command", folder: str) -> list[Node]:
    """A prompt template `<name>.md`; `$ARGUMENTS` means the same there."""
    head = {"description": command.description or None}
    return [Whole(join(folder, f"{command.name}.md"), document(head, command.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """The file that Pi reads there: an override hides AGENTS.md, which hides CLAUDE.md."""
    files = places.files(scope, machine)
    if "memory" not in files:
        return Refusal(f"Pi has no memory file in scope {scope}")
    folder = machine.project if scope == "project" and machine.project else files["home"]
    return agents_md.first_existing(machine, folder, _READ) or files["memory"]
