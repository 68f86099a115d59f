"""Kilo Code's hooks: those of Kilo CLI, its backend, in one module for both. On the hook path."""

from agent_connector.hosts.dialects import opencode_plugin as plugin
from agent_connector.hosts.dialects import opencode_verdicts
from agent_connector.hosts.kilo_cli import hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agent_connector.connector.light import Event
    from agent_connector.hosts.contract import Sure, Verdict

HOST = "kilo"
FAMILY = hooks.FAMILY
EVENTS = hooks.EVENTS
NATIVE = hooks.NATIVE
TOOLS = hooks.TOOLS
NEUTRAL = hooks.NEUTRAL

wire = hooks.wire
reply = hooks.reply


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return plugin.parse(HOST, TOOLS, host_event, raw, servers)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """As Kilo CLI does; the extension itself was not run."""
    return opencode_verdicts.verdict("Kilo Code", EVENTS, event, kind, {}, "documented")
