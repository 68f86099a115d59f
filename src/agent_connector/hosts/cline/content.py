"""Workflows, skills, subagents and memory of Cline."""

from typing import TYPE_CHECKING

from agent_connector.hosts.cline import hooks, places
from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.nodes import Node, Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """A workflow: the whole file is the prompt."""
    return content_md.command(command, folder, {})


def subagent(subagent: "Subagent", folder: str) -> list[Node | Refusal]:
    """`<name>.yaml`, which is a head and a text all the same. It can say which tools there are, and not which are gone."""
    if refused := content_md.denial_refused(subagent, "Cline"):
        return [refused]
    head = {"tools": None if subagent.allow is None else _listed(subagent.allow), "modelId": subagent.model or None}
    return [*content_md.subagent(subagent, join(folder, subagent.name + ".yaml"), head)]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """Every file of rules reaches the model, so one block is enough: in AGENTS.md, which other hosts read too."""
    return agents_md.target(places.files(scope, machine), "Cline", scope)


def _listed(tools: "Sequence[Tool]") -> list[str]:
    return [
        content_md.own_name(hooks.TOOLS, tool.name) if tool.server is None else f"{tool.server}__{tool.name}"
        for tool in tools
    ]
