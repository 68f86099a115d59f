"""OpenClaw's hooks: a generated plugin in its folder of extensions, switched on in openclaw.json. On the hook path."""

from agent_connector.hosts.dialects import pi_extension
from agent_connector.hosts.dialects.claude_hooks import normal
from agent_connector.hosts.dialects.values import mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

    Row = tuple[Verdict, Sure, str]

HOST = "openclaw"
EVENTS = {
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
    "UserPromptSubmit": "before_agent_run",
    "PreToolUse": "before_tool_call",
    "PostToolUse": "after_tool_call",
    "PostToolUseFailure": "after_tool_call",  # of a call that has an error
    "PreCompact": "before_compaction",
    "PostCompact": "after_compaction",
    "Stop": "before_agent_finalize",
    "SubagentStart": "subagent_spawned",
    "SubagentStop": "subagent_ended",
}
NATIVE = (
    "before_model_resolve",
    "agent_turn_prepare",
    "before_agent_reply",
    "llm_output",
    "agent_end",
    "before_reset",
    "message_received",
    "message_sending",
    "message_sent",
    "before_dispatch",
    "reply_dispatch",
    "model_call_started",
    "model_call_ended",
    "gateway_start",
    "gateway_stop",
)
TOOLS = {
    "exec": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "apply_patch": "Edit",
    "ls": "List",
    "web_search": "Search",
    "web_fetch": "Fetch",
    "sessions_spawn": "Agent",
}
NEUTRAL = ""

_MARK = "__"


def tool_name(server: str, tool: str) -> str:
    """What OpenClaw calls a server's tool, in its hooks."""
    return f"{normal(server)}{_MARK}{normal(tool)}"


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """`file` is openclaw.json; the plugin lies in `extensions` beside it."""
    if not hooks:
        return []
    from agent_connector.hosts.dialects import bridges
    from agent_connector.hosts.openclaw.plugin import plugin

    name, text = bridges.module(HOST, "openclaw_bridge.js", hooks, _regex)
    return plugin(file, name, text)


def _regex(hooks: "Sequence[HookUse]") -> str:
    from agent_connector.hosts.dialects.tool_matchers import anchored, native, spelled

    if hooks[0].event not in ("before_tool_call", "after_tool_call"):
        return ""
    own = hooks[0].server
    matchers = [spelled(matcher, own, tool_name, tool_name) for hook in hooks for matcher in hook.matchers]
    found = native(matchers, own, lambda server: tool_name(server, ""), TOOLS)
    return "" if found == "*" else anchored(found)


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """`<server>__<tool>` has no mark at its beginning, so a known server decides, and then the first `__`."""

    def split(name: str) -> "tuple[str | None, str]":
        for server in sorted(servers, key=len, reverse=True):
            if name.startswith(tool_name(server, "")):
                return server, name[len(tool_name(server, "")) :]
        server, mark, tool = name.partition(_MARK)
        return (server, tool) if mark and name not in TOOLS else (None, TOOLS.get(name, name))

    event = pi_extension.parse(HOST, EVENTS, host_event, raw, split)
    if event.name in ("SubagentStart", "SubagentStop"):
        child = mapping(raw.get("event"))
        event.agent_id = child.get("childSessionKey") or child.get("targetSessionKey")
    return event


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return pi_extension.reply(event, decision, honours(event.name, decision.kind)[0] if decision else "")


_HONOURS: "dict[tuple[str, str], Row]" = {
    ("SessionStart", "context"): ("honoured", "proven", "added to the system prompt of every turn"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "put before the prompt"),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", "the run is blocked with the reason"),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", "nothing can be asked there, so it becomes a deny"),
    ("PreToolUse", "allow"): ("dropped", "documented", "a plugin cannot grant what the host's own rules refuse"),
    ("PreToolUse", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PreToolUse", "ask"): (
        "honoured",
        "proven",
        "the person is asked for approval by a Gateway; without one, or an answer, it is a deny without the reason",
    ),
    ("PreToolUse", "modify"): ("honoured", "proven", "the new parameters are laid over the old ones"),
    ("PreToolUse", "context"): ("dropped", "documented", "nothing that the model reads can be added to a call"),
    ("Stop", "deny"): (
        "degraded",
        "proven",
        "the agent goes on with the reason, three times at most, and not in a turn in which it called a tool",
    ),
    ("Stop", "ask"): ("degraded", "documented", "nothing can be asked there, so it becomes a deny"),
}
_WATCHED = (
    "SessionEnd",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PostCompact",
    "SubagentStart",
    "SubagentStop",
)


def honours(event: str, kind: str) -> "Row":
    """What OpenClaw and the bridge do with a decision of `kind` at the normalized `event`."""
    if event not in EVENTS:
        return ("dropped", "documented", f"OpenClaw has no event for {event}")
    if event in _WATCHED:
        return ("dropped", "documented", "OpenClaw lets this event be watched only")
    return _HONOURS.get((event, kind)) or ("dropped", "documented", f"OpenClaw takes no {kind} at {event}")
