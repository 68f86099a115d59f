"""Hooks as Amazon Q had them and Kiro has them: snake_case payloads, answers by exit code and plain text. On the hook path."""

from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import exit_codes
from agent_connector.hosts.dialects.tool_names import underscored

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Event

RENDERERS: "exit_codes.Renderers" = {
    ("SessionStart", "context"): exit_codes.told,
    ("UserPromptSubmit", "context"): exit_codes.told,
    ("PreToolUse", "deny"): exit_codes.refuse,
    ("PreToolUse", "ask"): exit_codes.refuse,
}


def parse(
    host: str,
    events: "Mapping[str, str]",
    tools: "Mapping[str, str]",
    host_event: str,
    raw: "dict[str, Any]",
    servers: "Sequence[str]",
) -> "Event":
    """A tool of a server is `@<server>/<tool>`; newer engines are said to write `mcp_<server>_<tool>`."""
    event = claude.parse(host, tools, host_event, raw, servers)
    event.name = next((name for name, native in events.items() if native == host_event), host_event)
    event.last_message = raw.get("assistant_response") or event.last_message
    tool = event.host_tool_name
    if tool and event.server is None:
        if tool[:1] == "@":
            server, _, event.tool_name = tool[1:].partition("/")
            event.server = server
        elif tool not in tools:
            event.server, event.tool_name = underscored(tool, servers)
    return event
