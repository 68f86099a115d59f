"""Kiro's hooks: a list of entries with a trigger each, in a file of ours, answered by exit codes. On the hook path."""

from agent_connector.hosts.dialects import exit_codes, q_hooks
from agent_connector.hosts.dialects.claude_hooks import seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "kiro"
EVENTS: "Mapping[str, str]" = {
    name: name for name in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop")
}
NATIVE = ("PostFileSave", "PostFileCreate", "PostFileDelete", "PreTaskExec", "PostTaskExec", "Manual")
TOOLS: "Mapping[str, str]" = {  # of the CLI; those of the editor are not written down
    "execute_bash": "Bash",
    "fs_read": "Read",
    "fs_write": "Write",
    "todo_list": "Todo",
    "delegate": "Agent",
}
NEUTRAL = ""

_MATCHED = ("PreToolUse", "PostToolUse", "PostFileSave", "PostFileCreate", "PostFileDelete")

RENDERERS: "exit_codes.Renderers" = {
    **q_hooks.RENDERERS,
    ("UserPromptSubmit", "deny"): exit_codes.refuse,
    ("UserPromptSubmit", "ask"): exit_codes.refuse,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """A matcher catches everything: names of tools differ between the editor and the CLI's engines."""
    from agent_connector.hosts.nodes import Default, Item

    nodes: list[Node] = [Default(file, "json", ("version",), "v1")] if hooks else []
    for hook in hooks:
        name = f"{hook.marks[-1].rpartition(' ')[2]} {hook.event}"
        entry: dict[str, object] = {"name": name, "trigger": hook.event}
        if hook.event in _MATCHED:
            entry["matcher"] = ".*"
        entry |= {"action": {"type": "command", "command": hook.command}, "timeout": seconds(hook.timeout)}
        nodes.append(Item(file, "json", ("hooks",), entry, hook.marks))
    return nodes


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return q_hooks.parse(HOST, EVENTS, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return exit_codes.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.kiro.verdicts import verdict

    return verdict(event, kind)
