"""Skills, subagents and memory of GitHub Copilot CLI, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.copilot_cli import hooks, places
from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

_READ = ("AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md", "GEMINI.md")

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """A skill that only the person calls, as `/name`."""
    name = command.name.replace("/", "-")  # skills lie side by side
    return skill_md.for_person(command, folder, {"disable-model-invocation": True}, name)


def subagent(subagent: "Subagent", folder: str) -> list[Node | Refusal]:
    """`<name>.agent.md`. Copilot knows a list of allowed tools and no other."""
    if subagent.deny:
        return [
            Refusal(
                f"Copilot CLI cannot take tools away from a subagent, as {subagent.name!r} asks",
                "name the tools that are allowed",
            )
        ]
    head = {
        "name": subagent.name,
        "description": subagent.description,
        "tools": None if subagent.allow is None else [name for tool in subagent.allow for name in _native(tool)],
        "model": _model(subagent.model),
    }
    return [Whole(join(folder, f"{subagent.name}.agent.md"), document(head, subagent.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """AGENTS.md, or what there is in its place: it reads them all, so another would only be one more."""
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal(f"Copilot CLI has no memory file in scope {scope}")
    if scope == "project" and machine.project:
        return agents_md.first_existing(machine, machine.project, _READ) or target
    return target


def reads(scope: str, machine: "Machine") -> list[str]:
    """All of a project's files at once, so a block in another host's file is enough."""
    project = machine.project if scope == "project" else None
    return [machine.join(project, name) for name in _READ] if project else []


def _native(tool: "Tool") -> list[str]:
    if tool.server is not None:
        return [f"{tool.server}/{tool.name}"]
    return [native for native, canonical in hooks.TOOLS.items() if canonical == tool.name] or [tool.name]


def _model(name: str | None) -> str | None:
    """Copilot offers models of several vendors by their full names; a short one of another host is none of them."""
    return name if name and name.startswith(("claude-", "gpt-", "gemini-")) else None
