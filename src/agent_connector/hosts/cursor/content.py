"""Commands, skills, subagents and memory of Cursor."""

from typing import TYPE_CHECKING

from agent_connector.hosts.cursor import places
from agent_connector.hosts.dialects import skill_md
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill
UNRESTRICTED = True  # its subagents have no list of tools that we could write

_ALIASES = ("sonnet", "opus", "haiku")  # Claude Code's short names; Cursor knows full ones of every vendor
_ARGUMENTS = "the text that the person wrote after the command"


def command(command: "Command", folder: str) -> list[Node]:
    """Plain Markdown: Cursor reads no head there, and adds what the person typed after it, so the text says where."""
    text = command.prompt.replace("$ARGUMENTS", f"({_ARGUMENTS})")
    return [Whole(join(folder, command.name + ".md"), document({}, text))]


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    """Without a list of tools: how Cursor wants MCP tools named there is not known, and a wrong name takes them away."""
    model = None if subagent.model in _ALIASES else subagent.model
    head = {"name": subagent.name, "description": subagent.description, "model": model}
    return [Whole(join(folder, subagent.name + ".md"), document(head, subagent.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal("Cursor keeps a person's own rules inside the IDE", "install with --scope project for memory")
    return target
