"""Actions of Warp: workflows, which put their command into the prompt of the terminal. On the hook path."""

from agent_connector.hosts.dialects import named_actions
from agent_connector.hosts.nodes import Node, Whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.model import Action

AFFORDANCE = "workflow"
INVOCATION = "paste"  # the person sees the command and runs it


def wire(action: "Action", file: str, command: str, marks: "tuple[str, ...]") -> "list[Node]":
    """A file in the folder `file`; a text in single quotes is YAML's plainest."""
    from agent_connector.hosts.dialects.front_matter import join

    lines = [f"name: {_quoted(action.label)}", f"command: {_quoted(command)}", "tags: []", "arguments: []"]
    return [Whole(join(file, named_actions.name(action, marks) + ".yaml"), "\n".join(lines) + "\n")]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
