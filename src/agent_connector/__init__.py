"""Declare an MCP server, hooks, commands, skills and memory once; live in every AI-agent host.

An author's file imports from here. Names are loaded when they are first asked for, since hosts run that file.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agent_connector.connector.light import (
        ActionContext,
        Connector,
        Decision,
        Event,
        StatusContext,
        allow,
        ask,
        context,
        deny,
        http,
        modify,
        replace_output,
        sse,
        stdio,
        ws,
    )
    from agent_connector.errors import ConnectorError
    from agent_connector.version import __version__

__all__ = [
    "ActionContext",
    "Connector",
    "ConnectorError",
    "Decision",
    "Event",
    "StatusContext",
    "__version__",
    "allow",
    "ask",
    "context",
    "deny",
    "http",
    "modify",
    "replace_output",
    "sse",
    "stdio",
    "ws",
]


def __getattr__(name: str) -> "Any":
    if name not in __all__ and not name.endswith("Event"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        from agent_connector.version import __version__ as value
    elif name == "ConnectorError":
        from agent_connector.errors import ConnectorError as value
    else:
        from agent_connector.connector import light

        # A typed event ("PreToolUseEvent") is `Event` at run time: only type checkers tell them apart.
        name_of_event = name[:-5]
        value = light.Event if name_of_event in light.EVENTS else getattr(light, name)
    globals()[name] = value
    return value


def __dir__() -> "list[str]":
    return sorted(__all__)
