"""Commands, skills, subagents and memory of Trae."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.trae import places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Node, Refusal

_CALLED = {"Fetch": "WebFetch", "Search": "WebSearch", "Todo": "TodoWrite"}  # in these lists, not in hooks

skill = skill_md.skill


def command(command: "Command", folder: str) -> "list[Node]":
    head = {"description": command.description or None, "argument-hint": command.argument_hint}
    return content_md.command(command, folder, head)


def subagent(subagent: "Subagent", folder: str) -> "list[Node | Refusal]":
    """Without the model: Trae has names of its own for them."""
    if refused := content_md.denial_refused(subagent, "Trae"):
        return [refused]
    tools = None if subagent.allow is None else list(dict.fromkeys(_named(tool) for tool in subagent.allow))
    return [*content_md.subagent(subagent, join(folder, subagent.name + ".md"), {"tools": tools})]


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    return agents_md.target(places.files(scope, machine), "Trae", scope)


def _named(tool: "Tool") -> str:
    """One word stands for the tools of all servers."""
    return "MCP" if tool.server is not None else _CALLED.get(tool.name, tool.name)
