"""Trae's hooks: Claude Code's protocol in a hooks.json of its own, with six events. On the hook path."""

from agent_connector.hosts.dialects import claude_hooks as claude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "trae"
EVENTS: "Mapping[str, str]" = {
    name: name for name in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "Notification")
}
NATIVE = ()
UNWAITED = ("Notification",)
TOOLS: "Mapping[str, str]" = {
    "RunCommand": "Bash",
    "Read": "Read",
    "Write": "Write",
    "Edit": "Edit",
    "Glob": "Glob",
    "Grep": "Grep",
    "LS": "List",
    "WebFetch": "Fetch",
    "WebSearch": "Search",
    "Skill": "Skill",
    "AskUserQuestion": "Ask",
}
NEUTRAL = ""

_TOP = "solo_agent"  # the agent that no other has started

RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "allow"): claude.grant,
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): claude.question,
    ("PreToolUse", "modify"): claude.change,
    ("PreToolUse", "context"): claude.add_context,
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
    """A matcher is looked for anywhere in a tool's name."""
    from agent_connector.hosts.dialects.tool_matchers import anchored, native
    from agent_connector.hosts.nodes import Default

    def matcher(hook: "HookUse") -> str:
        return anchored(native(hook.matchers, hook.server, claude.prefix, TOOLS, "(?!mcp__).*"))

    return [Default(file, "json", ("version",), 1), *claude.wire(hooks, file, matcher)] if hooks else []


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    event = claude.parse(HOST, TOOLS, host_event, raw, servers)
    if event.agent_id == _TOP:
        event.agent_id = event.agent_type = None
    return event


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.trae.verdicts import verdict

    return verdict(event, kind)
