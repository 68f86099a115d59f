"""Skills, subagents and memory of Kimi Code CLI, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import skill_md
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.kimi import hooks, places
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """A skill that only the person calls, as `/skill:<name>`; `$ARGUMENTS` means the same in it."""
    name = command.name.replace("/", "-")  # skills lie side by side
    return skill_md.for_person(command, folder, {"disableModelInvocation": True}, name, "$ARGUMENTS")


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    """`<name>.md`; Kimi gives every agent the model of its session."""
    head = {
        "name": subagent.name,
        "description": subagent.description,
        "tools": None if subagent.allow is None else _listed(subagent.allow),
        "disallowedTools": _listed(subagent.deny) if subagent.deny else None,
    }
    return [Whole(join(folder, subagent.name + ".md"), document(head, subagent.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    target = places.files(scope, machine).get("memory")
    return target or Refusal(f"Kimi Code CLI has no memory file in scope {scope}")


def _listed(tools: "Sequence[Tool]") -> list[str]:
    return [name for tool in tools for name in _native(tool)]


def _native(tool: "Tool") -> list[str]:
    if tool.server is not None:
        every = hooks.tool_name(tool.server, "") + "*"
        return [every if tool.name == "*" else hooks.tool_name(tool.server, tool.name)]
    return [native for native, canonical in hooks.TOOLS.items() if canonical == tool.name] or [tool.name]
