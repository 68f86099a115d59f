"""Commands, skills, subagents and memory of Claude Code."""

from typing import TYPE_CHECKING

from agent_connector.hosts.claude_code import places
from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.dialects.claude_hooks import prefix
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole
from agent_connector.hosts.uses import AgentsImport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

_CALLED = {"Fetch": "WebFetch", "Search": "WebSearch", "Agent": "Agent", "Todo": "TodoWrite"}  # canonical -> native

_ALIASES = ("inherit", "sonnet", "opus", "haiku", "opusplan")

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    head = {
        "description": command.description or None,
        "argument-hint": command.argument_hint,
        "model": _model(command.model),
    }
    return [Whole(join(folder, command.name + ".md"), document(head, command.prompt))]


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    head = {
        "name": subagent.name,
        "description": subagent.description,
        "tools": None if subagent.allow is None else _listed(subagent.allow),
        "disallowedTools": _listed(subagent.deny) if subagent.deny else None,
        "model": _model(subagent.model),
    }
    return [Whole(join(folder, subagent.name + ".md"), document(head, subagent.prompt))]


def _model(name: str | None) -> str | None:
    """A model of another vendor, which another host understands, would keep it from running."""
    return name if name and ("claude" in name or name in _ALIASES) else None


def _listed(tools: "Sequence[Tool]") -> str:
    return ", ".join(_named(tool) for tool in tools)


def _named(tool: "Tool") -> str:
    """`mcp__server` alone is every tool of a server, in these lists as in permission rules."""
    if tool.server is None:
        return _CALLED.get(tool.name, tool.name)
    return prefix(tool.server).removesuffix("__") if tool.name == "*" else prefix(tool.server) + tool.name


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """CLAUDE.md where there is one; AGENTS.md where only that is: a new CLAUDE.md would hide it from the model."""
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal(f"Claude Code has no memory file in scope {scope}")
    if scope == "project" and machine.project:
        names = ("CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md")
        return agents_md.first_existing(machine, machine.project, names) or target
    return target


def agents_import(scope: str, machine: "Machine") -> AgentsImport | None:
    """A project's AGENTS.md, and `@AGENTS.md` in its CLAUDE.md: beside one Claude Code reads AGENTS.md not by itself.

    The path of an import counts from the folder of the file that has it. There is no AGENTS.md of a person.
    """
    if scope != "project" or not machine.project:
        return None
    agents = machine.join(machine.project, "AGENTS.md")
    nested = machine.join(machine.project, ".claude/CLAUDE.md")
    if agents_md.first_existing(machine, machine.project, ("CLAUDE.md", ".claude/CLAUDE.md")) == nested:
        return AgentsImport(agents, nested, "@../AGENTS.md")
    return AgentsImport(agents, machine.join(machine.project, "CLAUDE.md"), "@AGENTS.md")
