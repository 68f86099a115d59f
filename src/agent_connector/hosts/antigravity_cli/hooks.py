"""Antigravity CLI's hooks: those of the engine, in one file with the app. On the hook path."""

from agent_connector.hosts.dialects import antigravity_hooks as engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agent_connector.connector.light import Event
    from agent_connector.hosts.contract import Sure, Verdict

HOST = "antigravity-cli"
FAMILY = engine.FAMILY
EVENTS = engine.EVENTS
NATIVE = engine.NATIVE
TOOLS = engine.TOOLS
NEUTRAL = engine.NEUTRAL
NEUTRAL_AT = engine.NEUTRAL_AT
RENDERERS = engine.RENDERERS

wire = engine.wire
reply = engine.reply


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return engine.parse(HOST, host_event, raw, servers)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    return engine.honours(HOST, event, kind)
