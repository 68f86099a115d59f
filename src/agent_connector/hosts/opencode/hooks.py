"""OpenCode's hooks: a generated module in its plugin folder, which asks our command. On the hook path."""

from agent_connector.hosts.dialects import opencode_plugin as plugin
from agent_connector.hosts.dialects import opencode_verdicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "opencode"
EVENTS = plugin.EVENTS
NATIVE = (
    "command.execute.before",
    "shell.env",
    "experimental.text.complete",
    "experimental.compaction.autocontinue",
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
    "task": "Agent",
    "skill": "Skill",
    "todowrite": "Todo",
    "question": "Ask",
}
NEUTRAL = ""


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """`file` is the plugin folder."""
    return plugin.wire(HOST, hooks, file, TOOLS)


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return plugin.parse(HOST, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return plugin.reply(event, decision, honours(event.name, decision.kind)[0] if decision else "")


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """What OpenCode and the bridge do with a decision of `kind` at the normalized `event`."""
    return opencode_verdicts.verdict("OpenCode", EVENTS, event, kind, {}, "proven")
