"""Actions of OpenClaw: commands that a plugin registers, `/<connector>-<action>` in any chat. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.model import Action
    from agent_connector.hosts.nodes import Node, Refusal

AFFORDANCE = "command"  # what a person uses
INVOCATION = "plugin-command"  # how that runs our launcher


def wire(action: "Action", file: str, command: str, marks: "tuple[str, ...]") -> "list[Node | Refusal]":
    """A plugin of its own, which sees no conversation; `file` is openclaw.json. Only who may command the agent may call it."""
    from agent_connector.hosts.dialects import named_actions
    from agent_connector.hosts.dialects.bridges import filled
    from agent_connector.hosts.nodes import Refusal
    from agent_connector.hosts.openclaw.plugin import plugin

    name = named_actions.name(action, marks)
    if not name[0].isalpha():
        return [Refusal(f"OpenClaw takes no command /{name}", "give the connector an id that begins with a letter")]
    own = f"agent-connector-{name}-action"
    told = {"plugin": own, "name": name, "label": action.label, "confirm": action.confirm, "command": command}
    return [*plugin(file, own, filled("openclaw_action.js", told), {})]
