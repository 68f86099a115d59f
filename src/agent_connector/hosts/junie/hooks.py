"""Junie's hooks: groups as in Claude Code's settings, in a person's config.json. On the hook path.

What is sure of the answers is exit code 2 alone, so every refusal is one. A tool's name is taken as Claude Code would
write it.
"""

from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import exit_codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "junie"
EVENTS: "Mapping[str, str]" = {
    name: name for name in ("SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "Stop")
}
NATIVE = ("StopFailure",)
TOOLS: "Mapping[str, str]" = {}  # its own names are not written down
NEUTRAL = ""

RENDERERS: "exit_codes.Renderers" = {
    ("PreToolUse", "allow"): claude.grant,
    ("PreToolUse", "deny"): exit_codes.refuse,
    ("PreToolUse", "ask"): exit_codes.refuse,
    ("PermissionRequest", "allow"): claude.permit,
    ("PermissionRequest", "deny"): exit_codes.refuse,
    ("UserPromptSubmit", "deny"): exit_codes.refuse,
    ("UserPromptSubmit", "ask"): exit_codes.refuse,
    ("UserPromptSubmit", "context"): claude.add_context,
    ("SessionStart", "context"): claude.add_context,
    ("Stop", "deny"): exit_codes.refuse,
    ("Stop", "ask"): exit_codes.refuse,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """Without a matcher, which not every event may have: the manifest decides."""
    from agent_connector.hosts.nodes import Item

    nodes: list[Node] = []
    for hook in hooks:
        entry = {"type": "command", "command": hook.command, "timeout": claude.seconds(hook.timeout)}
        nodes.append(Item(file, "json", ("hooks", hook.event), {"hooks": [entry]}, hook.marks))
    return nodes


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return claude.parse(HOST, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return exit_codes.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.junie.verdicts import verdict

    return verdict(event, kind)
