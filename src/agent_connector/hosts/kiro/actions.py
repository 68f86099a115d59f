"""Actions of Kiro: hooks with the trigger Manual, which a person starts from the editor's list. On the hook path."""

from agent_connector.hosts.nodes import Default, Item, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.model import Action

AFFORDANCE = "hook"
INVOCATION = "manual-hook"


def wire(action: "Action", file: str, command: str, marks: "tuple[str, ...]") -> "list[Node]":
    """One entry in the file of our hooks."""
    entry = {"name": action.label, "trigger": "Manual", "action": {"type": "command", "command": command}}
    return [Default(file, "json", ("version",), "v1"), Item(file, "json", ("hooks",), entry, marks)]
