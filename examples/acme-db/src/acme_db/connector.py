"""What hosts are told: how the server is started, and when an agent should use it."""

from agent_connector import Connector, ask, stdio

connector = Connector(id="acme-db", version="1.4.0", server=stdio("acme-db-mcp"))
connector.memory("Use the acme-db tools for questions about Acme's tables.")


@connector.hook("PreToolUse", matcher="columns")
def salaries_are_asked_for(event):
    """The person decides about the one table that is nobody's business."""
    if event.tool_input.get("table") == "salaries":
        return ask("The agent wants to look at the table of salaries")
    return None
