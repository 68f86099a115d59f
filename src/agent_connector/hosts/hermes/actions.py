"""Actions of Hermes Agent: quick commands, which run a shell command without the model. On the hook path."""

from agent_connector.hosts.dialects import named_actions
from agent_connector.hosts.nodes import Key, Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.model import Action

AFFORDANCE = "command"  # /<connector>-<action>, in the terminal and over the gateway
INVOCATION = "exec"


def wire(action: "Action", file: str, command: str, marks: "tuple[str, ...]") -> "list[Node]":
    """It has 30 s, and what it prints is shown. A name that Hermes has itself would never be reached."""
    return [
        Key(file, "yaml", ("quick_commands", named_actions.name(action, marks)), {"type": "exec", "command": command})
    ]
