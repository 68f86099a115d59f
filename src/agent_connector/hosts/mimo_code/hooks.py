"""MiMoCode's hooks: a generated module in its plugin folder, which asks our command. On the hook path."""

from agent_connector.hosts.dialects import opencode_plugin as plugin
from agent_connector.hosts.dialects import opencode_verdicts
from agent_connector.hosts.dialects.values import mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "mimo-code"
_BEFORE_STOP = "actor.preStop"
EVENTS = {**plugin.EVENTS, "SubagentStop": _BEFORE_STOP}
NATIVE = (
    "command.execute.before",
    "shell.env",
    "experimental.text.complete",
    "session.error",
    "permission.replied",
)
TOOLS = {
    "bash": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "apply_patch": "Edit",
    "grep": "Grep",
    "glob": "Glob",
    "list": "List",
    "webfetch": "Fetch",
    "websearch": "Search",
    "actor": "Agent",
    "skill": "Skill",
    "todowrite": "Todo",
    "question": "Ask",
}
NEUTRAL = ""


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """`file` is the plugin folder."""
    return plugin.wire(HOST, hooks, file, TOOLS)


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    event = plugin.parse(HOST, TOOLS, host_event, raw, servers)
    if host_event == _BEFORE_STOP:
        actor = mapping(raw.get("input"))
        event.name = "SubagentStop"
        event.agent_type, event.last_message = actor.get("agentType"), actor.get("finalText")
    return event


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return plugin.reply(event, decision, honours(event.name, decision.kind)[0] if decision else "")


_CHANGES: "dict[tuple[str, str], tuple[Verdict, Sure, str]]" = {
    ("SubagentStop", "deny"): ("honoured", "documented", "the subagent goes on with the reason, ten times at most"),
    ("SubagentStop", "ask"): ("degraded", "documented", "a plugin cannot ask, so it becomes a deny"),
}


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """What MiMoCode and the bridge do with a decision of `kind` at the normalized `event`."""
    return opencode_verdicts.verdict("MiMoCode", EVENTS, event, kind, _CHANGES, "documented")
