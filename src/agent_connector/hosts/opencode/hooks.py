"""OpenCode's hooks: a generated module in its plugin folder, which asks our command. On the hook path."""

import os

from agent_connector.hosts.dialects import opencode_plugin as plugin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "opencode"
TEMPLATE = os.path.join(os.path.dirname(__file__), "templates", "bridge.js")
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
    return plugin.wire(HOST, TEMPLATE, hooks, file, TOOLS)


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return plugin.parse(HOST, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return plugin.reply(event, decision, honours(event.name, decision.kind)[0] if decision else "")


_HONOURS: "dict[str, dict[str, tuple[Verdict, Sure, str]]]" = {
    "SessionStart": {"context": ("honoured", "proven", "a system message of its own in every request of the session")},
    "SubagentStart": {"context": ("honoured", "proven", "a system message of its own in the subagent's requests")},
    "UserPromptSubmit": {
        "deny": ("degraded", "proven", "the prompt is not sent, but as a server error, which hides the reason"),
        "ask": ("degraded", "proven", "a plugin cannot ask, so it becomes a deny"),
        "context": ("honoured", "proven", "one more part of the same message"),
    },
    "PreToolUse": {
        "allow": ("dropped", "documented", "a plugin cannot grant here: answer at PermissionRequest"),
        "deny": ("honoured", "proven", "the tool does not run and the model reads the reason"),
        "ask": ("degraded", "proven", "a plugin cannot ask, so it becomes a deny"),
        "modify": ("honoured", "proven", "the tool runs with the new input, which may show in the model's own history"),
        "context": ("degraded", "proven", "the bridge keeps it and adds it to the tool's result"),
    },
    "PostToolUse": {
        "deny": ("degraded", "proven", "the tool has run; the reason stands in the place of its result"),
        "ask": ("degraded", "proven", "the tool has run; the reason stands in the place of its result"),
        "context": ("honoured", "proven", "added to the tool's result"),
        "replace_output": ("honoured", "proven", "the model reads the text in the place of the result"),
    },
    "PermissionRequest": {
        "allow": ("degraded", "proven", "granted once, in the terminal; `opencode run` answers first by itself"),
        "deny": ("degraded", "proven", "refused without the reason, in the terminal; `opencode run` answers first"),
        "ask": ("dropped", "documented", "nothing is said, so the host's own question is asked, without the reason"),
    },
    "PreCompact": {"context": ("honoured", "proven", "added to what the summary is made from")},
    "Stop": {
        "deny": (
            "degraded",
            "proven",
            "the reason is the next prompt, ten times in a row at most; `run` has ended by then",
        ),
        "ask": ("degraded", "proven", "a plugin cannot ask, so it becomes a deny"),
    },
}
_WATCHED = ("SessionEnd", "PostCompact", "PostToolUseFailure", "SubagentStop")


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """What OpenCode and the bridge do with a decision of `kind` at the normalized `event`."""
    if event not in EVENTS:
        return ("dropped", "documented", f"OpenCode has no event for {event}")
    if event in _WATCHED:
        return ("dropped", "documented", "OpenCode lets this event be watched only")
    return _HONOURS[event].get(kind) or ("dropped", "documented", f"OpenCode takes no {kind} at {event}")
