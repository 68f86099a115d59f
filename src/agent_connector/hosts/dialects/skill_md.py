"""Skills as folders with a `SKILL.md`, the same text in every host: hosts share these folders."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects.front_matter import document, join
from agent_connector.hosts.nodes import Node, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Skill


def skill(skill: "Skill", folder: str) -> list[Node]:
    """`<folder>/<name>/SKILL.md` and the skill's further files."""
    root = join(folder, skill.name)
    head = {"name": skill.name, "description": skill.description}
    nodes: list[Node] = [Whole(join(root, "SKILL.md"), document(head, skill.body))]
    nodes += [Whole(join(root, path), text) for path, text in skill.files.items()]
    return nodes
