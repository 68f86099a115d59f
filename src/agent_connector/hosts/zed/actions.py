"""Actions of Zed: tasks in tasks.json, which a person starts from the palette. On the hook path."""

from agent_connector.hosts.nodes import Item, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.model import Action

AFFORDANCE = "task"  # what a person uses
INVOCATION = "exec"  # how that runs our launcher


def wire(action: "Action", file: str, command: str, marks: "tuple[str, ...]") -> "list[Node]":
    """One task; the file is a list of them at its top."""
    task = {"label": action.label, "command": command, "reveal": "always", "hide": "never"}
    return [Item(file, "jsonc", (), task, marks)]
