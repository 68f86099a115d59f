"""Prompts, skills and memory of Continue."""

import importlib
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import agents_md, content_md, skill_md
from agent_connector.hosts.nodes import Node, Refusal

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.machine import Machine

_places = importlib.import_module("agent_connector.hosts.continue.places")  # its name is a word of the language

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.md`; what the person types behind the name is added to the text."""
    head = {"name": command.name, "description": command.description or None, "invokable": True}
    return content_md.command(command, folder, head)


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """Of a project's files the first is read. A person's own rules are files of a folder; one without a head counts always."""
    target = agents_md.target(_places.files(scope, machine), "Continue", scope)
    if isinstance(target, Refusal) or scope != "project" or machine.project is None:
        return target
    return agents_md.first_existing(machine, machine.project, ("AGENTS.md", "AGENT.md", "CLAUDE.md")) or target
