"""Skills and memory of OpenClaw, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import skill_md
from agent_connector.hosts.nodes import Node, Refusal
from agent_connector.hosts.openclaw import places, workspace

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """A skill that only the person calls, as /<name>."""
    return skill_md.for_person(command, folder, {"disable-model-invocation": True})


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """AGENTS.md of the agent's workspace; it does not read a project's."""
    files = places.files(scope, machine)
    if "memory" not in files:
        return Refusal(f"OpenClaw has no memory file in scope {scope}")
    try:
        with open(files["server"], encoding="utf-8", errors="replace") as stream:
            named = workspace.named(stream.read())
    except OSError:
        named = None
    if named is None:
        return files["memory"]
    folder = machine.join(machine.home, named[2:]) if named.startswith("~/") else named
    return machine.join(folder, "AGENTS.md")
