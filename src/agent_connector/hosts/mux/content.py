"""Skills, subagents and memory of Mux, and commands as skills."""

import re
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.dialects.content_md import own_name
from agent_connector.hosts.dialects.front_matter import join, text
from agent_connector.hosts.mux import hooks, places
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """A skill that only the person calls."""
    name = command.name.replace("/", "-")
    head = {"disable-model-invocation": True, "argument-hint": command.argument_hint}
    return skill_md.for_person(command, folder, head, name)


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    """`<name>.md`. Tools are told as regexes, laid over what the agent has that it is made from."""
    lines = [f"name: {text(subagent.name)}", f"description: {text(subagent.description)}"]
    if subagent.allow is None:
        lines.append("base: exec")
    lines += ["subagent:", "  runnable: true"]
    if subagent.model:
        lines += ["ai:", f"  model: {text(subagent.model)}"]
    chosen = {"add": subagent.allow, "remove": subagent.deny}
    said = [f"  {key}: [{', '.join(_listed(tools))}]" for key, tools in chosen.items() if tools]
    lines += ["tools:", *said] if said else []
    head = "\n".join(lines)
    return [Whole(join(folder, subagent.name + ".md"), f"---\n{head}\n---\n\n{subagent.prompt.strip()}\n")]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """Of a project's files it reads the first; comments are left out of what the model gets."""
    target = agents_md.target(places.files(scope, machine), "Mux", scope)
    if isinstance(target, Refusal) or scope != "project" or machine.project is None:
        return target
    return agents_md.first_existing(machine, machine.project, ("AGENTS.md", "AGENT.md", "CLAUDE.md")) or target


def _listed(tools: "Sequence[Tool]") -> list[str]:
    return [text(_regex(tool)) for tool in tools]


def _regex(tool: "Tool") -> str:
    if tool.server is None:
        return re.escape(own_name(hooks.TOOLS, tool.name))
    stem = hooks.fold(tool.server) + "_"
    return stem + ".*" if tool.name == "*" else stem + hooks.fold(tool.name)
