"""Commands, skills, subagents and memory of Devin and of Cascade; the folder tells whose they are."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.windsurf import hooks, places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Node, Refusal

LONGEST = 12_000  # characters of a workflow

skill = skill_md.skill


def command(command: "Command", folder: str) -> "Sequence[Node | Refusal]":
    """Devin calls skills as commands."""
    if folder.endswith("workflows"):
        return content_md.workflow(command, folder, "Cascade", LONGEST)
    return skill_md.for_person(command, folder, {}, command.name.replace("/", "-"))


def subagent(subagent: "Subagent", folder: str) -> "Sequence[Node | Refusal]":
    """Without the model: Devin has names of its own for them."""
    if refused := content_md.denial_refused(subagent, "Devin"):
        return [refused]
    allowed = None if subagent.allow is None else [_named(tool) for tool in subagent.allow]
    return content_md.subagent(subagent, join(folder, subagent.name, "AGENT.md"), {"allowed-tools": allowed})


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    return agents_md.target(places.files(scope, machine), "Windsurf", scope)


def _named(tool: "Tool") -> str:
    if tool.server is None:
        return content_md.own_name(hooks.TOOLS, tool.name)
    return hooks.claude.prefix(tool.server) + tool.name
