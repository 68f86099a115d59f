"""Kilo's hooks: a generated module in its plugin folder, which asks our command. On the hook path.

Kilo CLI and Kilo Code load the same folder, so they get the same module, whose commands name Kilo CLI.
"""

from agent_connector.hosts.dialects import opencode_plugin as plugin
from agent_connector.hosts.dialects import opencode_verdicts
from agent_connector.hosts.kilo_cli import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "kilo-cli"
FAMILY = (HOST, "kilo")
EVENTS = plugin.EVENTS
NATIVE = (
    "command.execute.before",
    "shell.env",
    "experimental.text.complete",
    "experimental.compaction.autocontinue",
    "session.error",
    "session.drained",
    "permission.replied",
)
TOOLS = {
    "bash": "Bash",
    "background_process": "Bash",
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


def acting(variables: "Mapping[str, str]") -> str:
    """The one of the family that runs our command with these variables."""
    return "kilo" if places.in_editor(variables) else HOST


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return plugin.parse(HOST, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return plugin.reply(event, decision, honours(event.name, decision.kind)[0] if decision else "")


# What no run of the real program has shown: it is as in OpenCode, whose plugin system it has.
_UNSEEN = ("PermissionRequest", "PreCompact", "Stop", "UserPromptSubmit deny", "UserPromptSubmit ask")


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """What Kilo and the bridge do with a decision of `kind` at the normalized `event`."""
    unseen = event in _UNSEEN or f"{event} {kind}" in _UNSEEN
    return opencode_verdicts.verdict("Kilo", EVENTS, event, kind, {}, "documented" if unseen else "proven")
