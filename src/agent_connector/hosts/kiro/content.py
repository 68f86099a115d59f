"""Prompts, skills, agents and memory of Kiro."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.kiro import hooks, places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Node, Refusal

skill = skill_md.skill


def command(command: "Command", folder: str) -> "list[Node]":
    """Plain text: no head is written down for prompts."""
    return content_md.command(command, folder, {}, flat=True)


def subagent(subagent: "Subagent", folder: str) -> "list[Node | Refusal]":
    """An agent without a list of tools has none, so one that may use all says so."""
    if refused := content_md.denial_refused(subagent, "Kiro"):
        return [refused]
    tools = ["*"] if subagent.allow is None else [_named(tool) for tool in subagent.allow]
    head = {"tools": tools, "includeMcpJson": True}
    return [*content_md.subagent(subagent, join(folder, subagent.name + ".md"), head)]


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    return agents_md.target(places.files(scope, machine), "Kiro", scope)


def _named(tool: "Tool") -> str:
    if tool.server is None:
        return content_md.own_name(hooks.TOOLS, tool.name)
    return f"@{tool.server}" if tool.name == "*" else f"@{tool.server}/{tool.name}"
