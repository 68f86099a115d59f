"""Skills as folders with a `SKILL.md`, the same text in every host: hosts share these folders."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects.front_matter import Value, document, join
from agent_connector.hosts.nodes import Node, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Skill

ARGUMENTS = "(the text that the person wrote after the name of this skill)"


def skill(skill: "Skill", folder: str) -> list[Node]:
    """`<folder>/<name>/SKILL.md` and the skill's further files."""
    root = join(folder, skill.name)
    head = {"name": skill.name, "description": skill.description}
    nodes: list[Node] = [Whole(join(root, "SKILL.md"), document(head, skill.body))]
    nodes += [Whole(join(root, path), text) for path, text in skill.files.items()]
    return nodes


def for_person(
    command: "Command", folder: str, head: Mapping[str, Value | None], name: str = "", arguments: str = ARGUMENTS
) -> list[Node]:
    """A command as a skill, in hosts without commands; `head` keeps the model from calling it where the host can.

    Most put no arguments into a skill's text, so the text says where they stand.
    """
    top = {"name": name or command.name, "description": command.description or command.name, **head}
    body = command.prompt.replace("$ARGUMENTS", arguments)
    return [Whole(join(folder, name or command.name, "SKILL.md"), document(top, body))]


def shared(command: "Command", folder: str) -> list[Node]:
    """A command as a skill where several hosts read: one text for all, or one host's would stand in another's way."""
    return for_person(command, folder, {"disable-model-invocation": True})
