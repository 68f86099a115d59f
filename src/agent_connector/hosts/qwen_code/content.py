"""Commands, skills, subagents and memory of Qwen Code."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import skill_md
from agent_connector.hosts.dialects.claude_hooks import prefix
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole
from agent_connector.hosts.qwen_code import hooks, places

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.md`; what the person types behind the command's name is `{{args}}` there."""
    head = {"description": command.description or None}
    body = command.prompt.replace("$ARGUMENTS", "{{args}}")
    return [Whole(join(folder, command.name + ".md"), document(head, body))]


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    head = {
        "name": subagent.name,
        "description": subagent.description,
        "tools": None if subagent.allow is None else _listed(subagent.allow),
        "disallowedTools": _listed(subagent.deny) if subagent.deny else None,
        "model": _model(subagent.model),
    }
    return [Whole(join(folder, subagent.name + ".md"), document(head, subagent.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """QWEN.md for the person; in a project AGENTS.md, whether or not there is a QWEN.md: both are read."""
    target = places.files(scope, machine).get("memory")
    return target or Refusal(f"Qwen Code has no memory file in scope {scope}")


def _model(name: str | None) -> str | None:
    """A model of another vendor, which another host understands, would keep the agent from running."""
    return name if name and (name in ("inherit", "fast") or name.startswith("qwen") or ":" in name) else None


def _listed(tools: "tuple[Tool, ...]") -> list[str]:
    return [name for tool in tools for name in _native(tool)]


def _native(tool: "Tool") -> list[str]:
    """`mcp__server` alone is every tool of a server."""
    if tool.server is not None:
        return [prefix(tool.server).removesuffix("__") if tool.name == "*" else hooks.tool_name(tool.server, tool.name)]
    return [native for native, canonical in hooks.TOOLS.items() if canonical == tool.name] or [tool.name]
