"""Declare an MCP server, hooks, commands, skills and memory once; live in every AI-agent host.

An author's file imports from here. Names are loaded when they are first asked for, since hosts run that file.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        from agent_connector.version import __version__ as value
    elif name == "ConnectorError":
        from agent_connector.errors import ConnectorError as value
    else:
        from agent_connector.connector import light

        value = getattr(light, name)
    globals()[name] = value
    return value


def __dir__() -> "list[str]":
    return sorted(__all__)
