"""Codex' hooks: Claude Code's shape with a closed reply schema, and a trust gate (see `trust`). On the hook path.

One key too many, or `hookSpecificOutput` without its event's name, voids a whole reply: then the tool runs.
"""

from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects.tool_names import unfolded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "codex"
EVENTS: "Mapping[str, str]" = {
    name: name
    for name in (
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "PermissionRequest",
        "SubagentStart",
        "SubagentStop",
        "PostCompact",
    )
}
NATIVE = ("Interrupt", "PreModelRequest", "PostModelRequest")
TOOLS: "Mapping[str, str]" = {"Bash": "Bash", "apply_patch": "Edit", "spawn_agent": "Agent"}
NEUTRAL = ""

LIMITS = {"SessionEnd": 3.0, "Interrupt": 3.0}  # Codex cuts longer ones with a notice in every run

RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): claude.refuse,
    ("PreToolUse", "modify"): claude.granted_change,
    ("PreToolUse", "context"): claude.add_context,
    ("PermissionRequest", "allow"): claude.permit,
    ("PermissionRequest", "deny"): claude.forbid,
    ("PostToolUse", "deny"): claude.block,
    ("PostToolUse", "ask"): claude.block,
    ("PostToolUse", "context"): claude.add_context,
    ("PostToolUse", "replace_output"): claude.text_as_reason,
    ("UserPromptSubmit", "deny"): claude.block,
    ("UserPromptSubmit", "ask"): claude.block,
    ("UserPromptSubmit", "context"): claude.add_context,
    ("SessionStart", "deny"): claude.halt,
    ("SessionStart", "ask"): claude.halt,
    ("SessionStart", "context"): claude.add_context,
    ("SubagentStart", "context"): claude.add_context,
    ("Stop", "deny"): claude.block,
    ("Stop", "ask"): claude.block,
    ("SubagentStop", "deny"): claude.block,
    ("SubagentStop", "ask"): claude.block,
    ("PreCompact", "deny"): claude.halt,
    ("PreCompact", "ask"): claude.halt,
}


def fold(name: str) -> str:
    """A server's or tool's name as Codex writes it: all but letters, digits and `_` become `_`."""
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name)


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    from agent_connector.hosts.dialects.tool_matchers import native

    def matcher(hook: "HookUse") -> str:
        return native([_folded(m) for m in hook.matchers], hook.server, lambda s: f"mcp__{fold(s)}__", TOOLS)

    return claude.wire(hooks, file, matcher, LIMITS)


def _folded(matcher: "Mapping[str, Any]") -> "Mapping[str, Any]":
    """A matcher over Codex' names. A regex was not written for folded names, so all of its side is caught."""
    if matcher["side"] in ("any", "host"):
        return matcher
    side = {key: matcher[key] for key in ("side", "server") if key in matcher}
    if "names" in matcher:
        return {**side, "names": [fold(name) for name in matcher["names"]]}
    return {**side, "prefix": fold(matcher.get("prefix", ""))}


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return claude.parse(HOST, TOOLS, host_event, raw, servers, fold)


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    """Give the tool of `event` the name by which one of `matchers` knows it: Codex tells the folded one only.

    `own` is what `event.server` says for this connector's own tools.
    """
    tool = event.tool_name
    for matcher in matchers:
        server = own if matcher["side"] == "own" else matcher.get("server")
        if tool is None or server is None or event.server not in (server, fold(server)):
            continue
        event.server = server
        event.tool_name = unfolded(matcher, tool, fold)
        if event.tool_name != tool:
            return


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.codex.verdicts import verdict

    return verdict(event, kind)
