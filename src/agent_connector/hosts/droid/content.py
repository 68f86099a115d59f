"""Commands, skills, subagents and memory of Factory Droid."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import skill_md
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.droid import hooks, places
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

_LONGEST = 500  # letters of a subagent's description

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.md`, all in one folder; `$ARGUMENTS` means the same there."""
    head = {"description": command.description or None, "argument-hint": command.argument_hint}
    return [Whole(join(folder, command.name.replace("/", "-") + ".md"), document(head, command.prompt))]


def subagent(subagent: "Subagent", folder: str) -> list[Node | Refusal]:
    """`<name>.md`. Droid knows a list of allowed tools and no other."""
    if subagent.deny:
        return [
            Refusal(
                f"Droid cannot take tools away from a subagent, as {subagent.name!r} asks",
                "name the tools that are allowed",
            )
        ]
    head = {
        "name": subagent.name,
        "description": subagent.description[:_LONGEST],
        "tools": None if subagent.allow is None else [name for tool in subagent.allow for name in _native(tool)],
        "model": subagent.model if subagent.model and subagent.model.startswith(("inherit", "custom:")) else None,
    }
    return [Whole(join(folder, subagent.name + ".md"), document(head, subagent.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    target = places.files(scope, machine).get("memory")
    return target or Refusal(f"Droid has no memory file in scope {scope}")


def reads(scope: str, machine: "Machine") -> list[str]:
    """Both of a project's files, so a block in Claude Code's is enough."""
    project = machine.project if scope == "project" else None
    return [machine.join(project, name) for name in ("AGENTS.md", "CLAUDE.md")] if project else []


def _native(tool: "Tool") -> list[str]:
    if tool.server is not None:
        return [tool.server + hooks.MARK + "*" if tool.name == "*" else hooks.tool_name(tool.server, tool.name)]
    return [native for native, canonical in hooks.TOOLS.items() if canonical == tool.name] or [tool.name]
