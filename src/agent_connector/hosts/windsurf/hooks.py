"""Hooks of Devin, with Claude Code's groups and replies of its own, and of Cascade before it. On the hook path.

A payload tells which agent it is from, so one command serves both.
"""

from agent_connector.hosts.dialects import cascade_hooks as cascade
from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import exit_codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "windsurf"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "UserPromptSubmit": "UserPromptSubmit",
    "PreToolUse": "PreToolUse",
    "PostToolUse": "PostToolUse",
    "Stop": "Stop",
    "PermissionRequest": "PermissionRequest",
    "PostCompact": "PostCompaction",
}
NATIVE = ()
TOOLS: "Mapping[str, str]" = {
    "exec": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "apply_patch": "Edit",
}
NEUTRAL = ""

_NORMALIZED = {native: name for name, native in EVENTS.items()}


def _approve(event: "Event", decision: "Decision") -> "dict[str, object]":
    return {"decision": "approve"}


RENDERERS: "exit_codes.Renderers" = {
    ("PreToolUse", "allow"): _approve,
    ("PreToolUse", "deny"): claude.block,
    ("PreToolUse", "ask"): claude.block,
    ("PermissionRequest", "allow"): _approve,
    ("PermissionRequest", "deny"): claude.block,
    ("PostToolUse", "deny"): claude.block,
    ("PostToolUse", "ask"): claude.block,
    ("PostToolUse", "context"): claude.add_context,
    ("UserPromptSubmit", "deny"): claude.block,
    ("UserPromptSubmit", "ask"): claude.block,
    ("UserPromptSubmit", "context"): claude.add_context,
    ("SessionStart", "context"): claude.add_context,
    ("Stop", "deny"): claude.block,
    ("Stop", "ask"): claude.block,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """Cascade's hooks.json, Devin's hooks.v1.json with the events at its top, or its config.json."""
    from agent_connector.hosts.dialects.tool_matchers import anchored, native

    if file.endswith("hooks.json"):
        return cascade.wire(hooks, file)

    def matcher(hook: "HookUse") -> str:
        """A regex, which `*` alone is not."""
        found = anchored(native(hook.matchers, hook.server, claude.prefix, TOOLS, "(?!mcp__).*"))
        return ".*" if found == "*" else found

    top = () if file.endswith("hooks.v1.json") else ("hooks",)
    return claude.wire(hooks, file, matcher, top=top)


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    if raw.get(cascade.KIND):
        return cascade.parse(HOST, host_event, raw)
    event = claude.parse(HOST, TOOLS, host_event, raw, servers)
    event.name = _NORMALIZED.get(host_event, host_event)
    return event


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    renderers = cascade.RENDERERS if event.raw.get(cascade.KIND) else RENDERERS
    return exit_codes.reply(renderers, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.windsurf.verdicts import verdict

    return verdict(event, kind)
