"""Declare an MCP server, hooks, commands, skills and memory once; live in every AI-agent host.

An author's file imports from here. Names are loaded when they are first asked for, since hosts run that file.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agent_connector.cli.branded import create_cli as create_cli
    from agent_connector.connector.contexts import ActionContext, StatusContext
    from agent_connector.connector.declare import Connector, http, sse, stdio, ws
    from agent_connector.connector.light import (
        Decision,
        Event,
        allow,
        ask,
        context,
        deny,
        modify,
        replace_output,
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

# `create_cli` is not in the list: it loads the installer, and `from agent_connector import *` is run by hosts.

_DECLARE = ("Connector", "http", "sse", "stdio", "ws")
_CONTEXTS = ("ActionContext", "StatusContext")


def __getattr__(name: str) -> "Any":
    if name not in (*__all__, "create_cli") and not name.endswith("Event"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = _found(name)
    globals()[name] = value
    return value


def _found(name: str) -> "Any":
    if name == "__version__":
        from agent_connector import version as module
    elif name == "create_cli":
        from agent_connector.cli import branded as module
    elif name == "ConnectorError":
        from agent_connector import errors as module
    elif name in _DECLARE:
        from agent_connector.connector import declare as module
    elif name in _CONTEXTS:
        from agent_connector.connector import contexts as module
    else:
        from agent_connector.connector import light as module

        if name[:-5] in module.EVENTS:  # a typed event is `Event` at run time: only type checkers tell them apart
            return module.Event
    return getattr(module, name)


def __dir__() -> "list[str]":
    return sorted(__all__)
