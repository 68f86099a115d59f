"""Files of a repository that the editors of GitHub Copilot read alike."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import content_md

if TYPE_CHECKING:
    from agent_connector.connector.model import Command
    from agent_connector.hosts.nodes import Node

INSTRUCTIONS = ("AGENTS.md", ".github/copilot-instructions.md")  # both are read in the editors


def prompt(command: "Command", folder: str) -> "list[Node]":
    """A prompt file; what the person writes behind its name is added to the text, so the text says where."""
    head = {"description": command.description or None, "argument-hint": command.argument_hint}
    return content_md.command(command, folder, head, ending=".prompt.md", flat=True)
