"""Commands, skills and subagents of OpenCode and its forks; which memory file they read."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.dialects.front_matter import document, join, text
from agent_connector.hosts.dialects.opencode_plugin import prefix
from agent_connector.hosts.nodes import Node, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

# Several tools ask for one permission: whoever may edit may also write and patch.
_PERMISSIONS = {"write": "edit", "apply_patch": "edit"}

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.md`; `$ARGUMENTS` means the same there."""
    head = {"description": command.description or None, "model": _model(command.model)}
    return [Whole(join(folder, f"{command.name}.md"), document(head, command.prompt))]


def subagent(subagent: "Subagent", folder: str, tools: Mapping[str, str]) -> list[Node]:
    """`<name>.md`; which tools it may use is a map of permissions, whose last match counts.

    `tools` are the host's own names of tools and their canonical ones.
    """
    head = {"description": subagent.description, "mode": "subagent", "model": _model(subagent.model)}
    whole = document(head, subagent.prompt)
    if permissions := _permissions(subagent, tools):
        lines = "".join(f"  {text(name)}: {word}\n" for name, word in permissions.items())
        whole = whole.replace("\n---\n", f"\npermission:\n{lines}---\n", 1)
    return [Whole(join(folder, f"{subagent.name}.md"), whole)]


def memory(scope: str, machine: "Machine", file: str, off: str) -> str:
    """The file that is read. A new AGENTS.md would hide one that is read in its place, so that one is taken.

    `file` is the scope's own AGENTS.md; the variable `off` keeps the host from reading Claude Code's.
    """
    if scope == "project" and machine.project:
        return agents_md.first_existing(machine, machine.project, ("AGENTS.md", "CLAUDE.md", "CONTEXT.md")) or file
    claude = machine.join(machine.home, ".claude", "CLAUDE.md")
    hidden = machine.variables.get(off) or machine.exists(file)
    return claude if not hidden and machine.exists(claude) else file


def _permissions(subagent: "Subagent", tools: Mapping[str, str]) -> Mapping[str, str]:
    words: dict[str, str] = {}
    if subagent.allow is not None:
        words["*"] = "deny"
        words |= {name: "allow" for tool in subagent.allow for name in _native(tool, tools)}
    for tool in subagent.deny:
        for name in _native(tool, tools):
            words.pop(name, None)  # so that the denial is the last match
            words[name] = "deny"
    return words


def _native(tool: "Tool", tools: Mapping[str, str]) -> list[str]:
    if tool.server is not None:
        return [prefix(tool.server) + tool.name]
    names = [native for native, canonical in tools.items() if canonical == tool.name] or [tool.name]
    return list(dict.fromkeys(_PERMISSIONS.get(name, name) for name in names))


def _model(name: str | None) -> str | None:
    """Models are `provider/model` here; a name that another host understands would keep the agent from running."""
    return name if name and "/" in name else None
