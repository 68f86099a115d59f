"""Skills and memory of Zed, and commands as skills."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.zed import places

if TYPE_CHECKING:
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill
command = skill_md.shared

_READ = (  # the first of them that is there is read, and no other
    ".rules",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
    "AGENT.md",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
)


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """A project's block goes into the file that Zed reads; where that is no Markdown of ours to edit, it is refused."""
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal(f"Zed has no memory file in scope {scope}")
    if scope != "project" or machine.project is None:
        return target
    found = agents_md.first_existing(machine, machine.project, _READ)
    if found is not None and not found.endswith(".md"):
        return Refusal(f"Zed reads {found} and no other file here", "move what stands there into AGENTS.md")
    return found or target
