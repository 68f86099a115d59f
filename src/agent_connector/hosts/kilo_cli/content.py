"""Commands, skills, subagents and memory of Kilo CLI."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import opencode_content as shared
from agent_connector.hosts.kilo_cli import hooks, places
from agent_connector.hosts.nodes import Node, Refusal

if TYPE_CHECKING:
    from agent_connector.connector.model import Subagent
    from agent_connector.hosts.machine import Machine

command = shared.command
skill = shared.skill


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    return shared.subagent(subagent, folder, hooks.TOOLS)


def memory(scope: str, machine: "Machine") -> str | Refusal:
    file = places.files(scope, machine).get("memory")
    if file is None:
        return Refusal(f"Kilo CLI has no memory file in scope {scope}")
    return shared.memory(scope, machine, file, "KILO_DISABLE_CLAUDE_CODE_PROMPT")
