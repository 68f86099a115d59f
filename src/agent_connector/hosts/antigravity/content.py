"""Commands, skills, subagents and memory of Antigravity."""

from typing import TYPE_CHECKING

from agent_connector.hosts.antigravity import places
from agent_connector.hosts.dialects import agents_md, antigravity_host, skill_md

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_connector.connector.model import Command, Subagent
    from agent_connector.hosts.machine import Machine
    from agent_connector.hosts.nodes import Node, Refusal

skill = skill_md.skill
UNRESTRICTED = True  # its subagents have no list of tools that we could write


def command(command: "Command", folder: str) -> "Sequence[Node | Refusal]":
    return antigravity_host.command(command, folder, "Antigravity")


def subagent(subagent: "Subagent", folder: str) -> "Sequence[Node | Refusal]":
    return antigravity_host.subagent(subagent, folder, "Antigravity")


def memory(scope: str, machine: "Machine") -> "str | Refusal":
    return agents_md.target(places.files(scope, machine), "Antigravity", scope)
