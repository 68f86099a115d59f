"""Commands, skills, subagents and memory of Oh My Pi."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import skill_md
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole
from agent_connector.hosts.omp import hooks, places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.md`; `$ARGUMENTS` means the same there."""
    head = {"description": command.description or None}
    return [Whole(join(folder, f"{command.name}.md"), document(head, command.prompt))]


def subagent(subagent: "Subagent", folder: str) -> list[Node | Refusal]:
    """`<name>.md`; the head lists the tools that it may use, and cannot say which it may not."""
    if subagent.deny and subagent.allow is None:
        why = f"Oh My Pi can only be told which tools the subagent {subagent.name} may use, not which it may not"
        return [Refusal(why, "declare `allow`")]
    tools: list[str] | None = None
    if subagent.allow is not None:
        denied = {name for tool in subagent.deny for name in _native(tool)}
        tools = [name for tool in subagent.allow for name in _native(tool) if name not in denied]
    head = {"name": subagent.name, "description": subagent.description, "model": subagent.model, "tools": tools}
    return [Whole(join(folder, f"{subagent.name}.md"), document(head, subagent.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    target = places.files(scope, machine).get("memory")
    return target or Refusal(f"Oh My Pi has no memory file in scope {scope}")


def reads(scope: str, machine: "Machine") -> Sequence[str]:
    """It takes the files of other hosts too, all of them."""
    if scope == "project" and machine.project:
        return [machine.join(machine.project, name) for name in ("AGENTS.md", "CLAUDE.md")]
    others = (".claude/CLAUDE.md", ".codex/AGENTS.md", ".config/opencode/AGENTS.md")
    return [
        *filter(None, [places.files(scope, machine).get("memory")]),
        *(machine.join(machine.home, o) for o in others),
    ]


def _native(tool: "Tool") -> list[str]:
    if tool.server is not None:
        return [hooks.tool_name(tool.server, tool.name)]
    return [native for native, canonical in hooks.TOOLS.items() if canonical == tool.name] or [tool.name]
