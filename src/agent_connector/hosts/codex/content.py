"""Skills, subagents and memory of Codex, and commands as skills."""

from typing import TYPE_CHECKING

import tomlkit

from agent_connector.hosts.codex import places
from agent_connector.hosts.dialects import agents_md, skill_md
from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill
UNRESTRICTED = True  # its subagents have no list of tools that we could write

_MODELS = ("gpt-", "codex", "o1", "o3", "o4")


def command(command: "Command", folder: str) -> list[Node]:
    """A skill that only the person calls, as `$name`: Codex has given up prompts and never expanded them headless."""
    policy = "policy:\n  allow_implicit_invocation: false\n"
    whole = Whole(join(folder, command.name, "agents/openai.yaml"), policy)
    return [*skill_md.for_person(command, folder, {}), whole]


def subagent(subagent: "Subagent", folder: str) -> list[Node]:
    """Codex' agents have no list of tools: what the declaration allows and denies is not in the file."""
    table = tomlkit.document()
    table["name"] = subagent.name
    table["description"] = subagent.description
    if subagent.model and subagent.model.startswith(_MODELS):  # another vendor's would keep it from running
        table["model"] = subagent.model
    lines = subagent.prompt.replace("\r\n", "\n").replace("\r", "\n").strip("\n")  # TOML has one kind of line end
    table["developer_instructions"] = tomlkit.string(lines + "\n", multiline=True)
    return [Whole(join(folder, subagent.name + ".toml"), tomlkit.dumps(table))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """AGENTS.override.md where there is one: then Codex does not read AGENTS.md beside it."""
    target = places.files(scope, machine).get("memory")
    if target is None:
        return Refusal(f"Codex has no memory file in scope {scope}")
    folder = target.removesuffix("AGENTS.md").rstrip("/\\")
    return agents_md.first_existing(machine, folder, ("AGENTS.override.md",)) or target
