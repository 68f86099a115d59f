"""Pi's hooks: a generated extension, which asks our command. On the hook path."""

from agent_connector.hosts.dialects import claude_hooks, pi_extension, pi_verdicts, tool_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "pi"
EVENTS = {
    "SessionStart": "session_start",
    "SessionEnd": "session_shutdown",
    "UserPromptSubmit": "input",
    "PreToolUse": "tool_call",
    "PostToolUse": "tool_result",
    "PostToolUseFailure": "tool_result",  # of a result that is an error
    "PreCompact": "session_before_compact",
    "PostCompact": "session_compact",
    "Stop": "agent_before_settle",
    "Notification": "ui_prompt_start",
}
NATIVE = (
    "agent_start",
    "agent_end",
    "agent_settled",
    "turn_start",
    "turn_end",
    "context",
    "user_bash",
    "session_before_switch",
    "session_before_fork",
    "session_before_tree",
    "session_tree",
    "session_compact_failed",
    "model_select",
    "thinking_level_select",
    "project_trust",
    "ui_prompt_end",
)
TOOLS = {
    "bash": "Bash",
    "powershell": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "grep": "Grep",
    "find": "Glob",
    "ls": "List",
    "tool_search": "ToolSearch",
}
NEUTRAL = ""


def fold(name: str) -> str:
    """A server's or tool's name as it stands in Pi's: letters, digits and `_`."""
    return claude_hooks.normal(name).replace("-", "_")


def tool_name(server: str, tool: str) -> str:
    """What Pi calls a server's tool; tools whose names fall together get an end that cannot be known."""
    return f"{claude_hooks.MCP}{fold(server)}__{fold(tool)}"


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """`file` is the folder of extensions."""
    return pi_extension.wire(HOST, hooks, file, TOOLS, tool_name, tool_name)


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    def split(name: str) -> "tuple[str | None, str]":
        server, tool = claude_hooks.split(name, None, servers, fold)
        return (server, tool) if server else (None, TOOLS.get(tool, tool))

    return pi_extension.parse(HOST, EVENTS, host_event, raw, split)


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    """Pi writes `_` for what is no letter or digit in names."""
    tool_names.restore(event, matchers, own, lambda server: tool_name(server, ""), _written)


def _written(stem: str, server: str, name: str) -> str:
    return stem + fold(name)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return pi_extension.reply(event, decision, honours(event.name, decision.kind)[0] if decision else "")


_CHANGES: "dict[tuple[str, str], tuple[Verdict, Sure, str]]" = {
    ("SessionStart", "context"): ("honoured", "proven", "a message before the first answer of the session"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "a message after the prompt"),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", "the prompt is not sent; a terminal shows the reason"),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", "an extension cannot ask there, so it becomes a deny"),
}


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """What Pi and the bridge do with a decision of `kind` at the normalized `event`."""
    return pi_verdicts.verdict("Pi", EVENTS, event, kind, _CHANGES)
