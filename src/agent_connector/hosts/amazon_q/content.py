"""Prompts, agents and memory of Amazon Q Developer CLI."""

import json
from typing import TYPE_CHECKING

from agent_connector.hosts.amazon_q import hooks, places
from agent_connector.hosts.dialects import agents_md, content_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.nodes import Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Node, Refusal


def command(command: "Command", folder: str) -> "list[Node]":
    """Plain text: no head is written down for prompts."""
    return content_md.command(command, folder, {}, flat=True)


def subagent(subagent: "Subagent", folder: str) -> "list[Node | Refusal]":
    """An agent without a list of tools has none, so one that may use all says so."""
    if refused := content_md.denial_refused(subagent, "Amazon Q Developer CLI"):
        return [refused]
    agent = {
        "name": subagent.name,
        "description": subagent.description,
        "prompt": subagent.prompt,
        "tools": ["*"] if subagent.allow is None else [_named(tool) for tool in subagent.allow],
        "useLegacyMcpJson": True,
    }
    return [Whole(join(folder, subagent.name + ".json"), json.dumps(agent, indent=2, ensure_ascii=False) + "\n")]


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    return agents_md.target(places.files(scope, machine), "Amazon Q Developer CLI", scope, "install for a project")


def _named(tool: "Tool") -> str:
    if tool.server is None:
        return content_md.own_name(hooks.TOOLS, tool.name)
    return f"@{tool.server}" if tool.name == "*" else f"@{tool.server}/{tool.name}"
