"""Commands, skills, subagents and memory of Auggie."""

from typing import TYPE_CHECKING

from agent_connector.hosts.augment import hooks, places
from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.dialects.front_matter import join

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Node, Refusal

skill = skill_md.skill


def command(command: "Command", folder: str) -> "list[Node]":
    """Without the model: Auggie has names of its own for them."""
    head = {"description": command.description or None, "argument-hint": command.argument_hint}
    return content_md.command(command, folder, head)


def subagent(subagent: "Subagent", folder: str) -> "list[Node]":
    head = {
        "tools": None if subagent.allow is None else _named(subagent.allow),
        "disabled_tools": _named(subagent.deny) if subagent.deny else None,
    }
    return content_md.subagent(subagent, join(folder, subagent.name + ".md"), head)


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    return agents_md.target(places.files(scope, machine), "Augment Auggie", scope)


def _named(tools: "Sequence[Tool]") -> list[str]:
    return [
        content_md.own_name(hooks.TOOLS, tool.name) if tool.server is None else hooks.tool_name(tool.server, tool.name)
        for tool in tools
    ]
