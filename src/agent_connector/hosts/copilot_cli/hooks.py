"""GitHub Copilot CLI's hooks: flat entries and flat replies in a file of our own, in camelCase. On the hook path.

A hook before a tool that fails, or whose program is gone, denies every call: so what says nothing is `{}`.
"""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects import tool_names
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node

    Renderer = Callable[[Decision], "dict[str, object]"]

HOST = "copilot-cli"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "sessionStart",
    "SessionEnd": "sessionEnd",
    "UserPromptSubmit": "userPromptSubmitted",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "PreCompact": "preCompact",
    "Stop": "agentStop",
    "Notification": "notification",
    "PermissionRequest": "permissionRequest",
    "PostToolUseFailure": "postToolUseFailure",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
}
NATIVE = ("userPromptTransformed", "preMcpToolCall", "errorOccurred")
TOOLS: "Mapping[str, str]" = {
    "bash": "Bash",
    "powershell": "Bash",
    "view": "Read",
    "create": "Write",
    "edit": "Edit",
    "apply_patch": "Edit",
    "grep": "Grep",
    "glob": "Glob",
    "web_fetch": "Fetch",
    "web_search": "Search",
    "task": "Agent",
    "skill": "Skill",
    "ask_user": "Ask",
}
NEUTRAL = "{}"
SUBAGENTS = "SubagentTurn"  # what is told of a subagent by the events of the agent

_LONGEST = 64  # of a longer tool name the rest is cut
_NO_REASON = "Denied by a hook."
_MATCHED = ("preToolUse", "postToolUse", "permissionRequest")
_NORMALIZED = {native: name for name, native in EVENTS.items()}
# field of `Event` <- the field of the payload, the first that is there
_FIELDS = (
    ("session_id", ("sessionId",)),
    ("transcript_path", ("transcriptPath",)),
    ("cwd", ("cwd",)),
    ("agent_id", ("agentId",)),
    ("agent_type", ("agentType", "agentName")),
    ("call_id", ("toolCallId",)),
    ("tool_output", ("toolResult",)),
    ("error", ("error",)),
    ("prompt", ("prompt",)),
    ("source", ("source",)),
    ("reason", ("reason", "stopReason")),
    ("trigger", ("trigger",)),
    ("message", ("message",)),
    ("notification_type", ("notification_type",)),
    ("stop_hook_active", ("stop_hook_active",)),
    ("last_message", ("response",)),
)


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """One element per hook in `hooks.<event>`; a matcher there is held against a tool's whole name."""
    from agent_connector.hosts.nodes import Default, Item

    nodes: list[Node] = [Default(file, "jsonc", ("version",), 1)] if hooks else []
    for hook in hooks:
        entry: dict[str, object] = {"type": "command", **_run(hook.command), "timeoutSec": _seconds(hook.timeout)}
        if hook.event in _MATCHED and (matcher := _matcher(hook)) != "*":
            entry["matcher"] = matcher
        nodes.append(Item(file, "jsonc", ("hooks", hook.event), entry, hook.marks))
    return nodes


def _run(command: str) -> "dict[str, object]":
    from agent_connector.hosts.dialects import shells

    if shells.is_for_windows(command):
        return {"powershell": shells.for_powershell(command)}
    return {"bash": command}


def _matcher(hook: "HookUse") -> str:
    """Copilot puts `-` for what stands not in a name, and cuts it: so the matcher is over names as it writes them."""
    from agent_connector.hosts.dialects.tool_matchers import native, spelled

    def name(server: str, tool: str) -> str:
        return (_fold(server) + _mark(hook.event) + _fold(tool))[:_LONGEST]

    matchers = [spelled(one, hook.server, name, name) for one in hook.matchers]
    return native(matchers, hook.server, lambda server: name(server, ""), TOOLS, "[a-z_]+")


def _mark(host_event: str) -> str:
    return "/" if host_event == "permissionRequest" else "-"


def _fold(name: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "-" for c in name)


def _seconds(timeout: float) -> int:
    return max(1, int(-(-timeout // 1)))


# ---- what comes in


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> Event:
    """A subagent's turn fires the prompt's and the turn's events of the agent: those get a name of their own."""
    event = Event(_NORMALIZED.get(host_event, host_event), HOST, host_event, raw)
    for slot, keys in _FIELDS:
        setattr(event, slot, next((raw[key] for key in keys if key in raw), None))
    if host_event in ("agentStop", "userPromptSubmitted") and raw.get("parentAgentId"):
        event.name = SUBAGENTS
    tool = raw.get("toolName")
    if isinstance(tool, str):
        event.host_tool_name = tool
        event.server, event.tool_name = _split(tool, servers)
        if raw.get("serverName"):  # preMcpToolCall tells them apart
            event.server, event.tool_name = raw["serverName"], tool
        arguments = next((raw[key] for key in ("toolArgs", "toolInput", "arguments") if key in raw), None)
        event.tool_input = arguments if isinstance(arguments, dict) else None
    return event


def _split(tool: str, servers: "Sequence[str]") -> "tuple[str | None, str]":
    """`<server>-<tool>`, at a permission `<server>/<tool>`; its own tools have neither mark in their names."""
    for server in sorted(servers, key=len, reverse=True):
        if tool[: len(server)] == server and tool[len(server) : len(server) + 1] in ("-", "/"):
            return server, tool[len(server) + 1 :]
    mark = "/" if "/" in tool else "-"
    server, found, name = tool.partition(mark)
    return (server, name) if found and tool not in TOOLS else (None, TOOLS.get(tool, tool))


def restore(event: Event, matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    """A server that has a `-` in its own name gets its whole name back, too."""
    tool_names.restore(
        event,
        matchers,
        own,
        lambda server: _fold(server) + _mark(event.host_event),
        lambda stem, server, tool: (stem + _fold(tool))[:_LONGEST],
    )


# ---- what goes out


def reply(event: Event, decision: "Decision | None") -> Reply:
    render = None if decision is None else RENDERERS.get((event.name, decision.kind))
    return Reply(None if render is None or decision is None else render(decision))


def _permission(word: str) -> "Renderer":
    return lambda decision: {
        "permissionDecision": word,
        "permissionDecisionReason": decision.reason or _NO_REASON,
    }


def _change(decision: "Decision") -> "dict[str, object]":
    return {"modifiedArgs": decision.updated_input}


def _permit(decision: "Decision") -> "dict[str, object]":
    return {"behavior": "allow"}


def _forbid(decision: "Decision") -> "dict[str, object]":
    return {"behavior": "deny", "message": decision.reason or _NO_REASON}


def _context(decision: "Decision") -> "dict[str, object]":
    return {"additionalContext": decision.text}


def _reason_as_context(decision: "Decision") -> "dict[str, object]":
    return {"additionalContext": decision.reason or _NO_REASON}


def _block(decision: "Decision") -> "dict[str, object]":
    return {"decision": "block", "reason": decision.reason or _NO_REASON}


def _replace(decision: "Decision") -> "dict[str, object]":
    return {"modifiedResult": {"resultType": "success", "textResultForLlm": decision.text}}


RENDERERS: "Mapping[tuple[str, str], Renderer]" = {
    ("PreToolUse", "deny"): _permission("deny"),
    ("PreToolUse", "ask"): _permission("ask"),
    ("PreToolUse", "modify"): _change,
    ("PreToolUse", "context"): _context,
    ("PermissionRequest", "allow"): _permit,
    ("PermissionRequest", "deny"): _forbid,
    ("PostToolUse", "deny"): _block,
    ("PostToolUse", "ask"): _block,
    ("PostToolUse", "context"): _context,
    ("PostToolUse", "replace_output"): _replace,
    ("PostToolUseFailure", "deny"): _reason_as_context,
    ("PostToolUseFailure", "ask"): _reason_as_context,
    ("PostToolUseFailure", "context"): _context,
    ("UserPromptSubmit", "deny"): _block,
    ("UserPromptSubmit", "ask"): _block,
    ("UserPromptSubmit", "context"): _context,
    ("SessionStart", "context"): _context,
    ("SubagentStart", "context"): _context,
    ("Notification", "context"): _context,
    ("Stop", "deny"): _block,
    ("Stop", "ask"): _block,
    ("SubagentStop", "deny"): _block,
    ("SubagentStop", "ask"): _block,
}


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.copilot_cli.verdicts import verdict

    return verdict(event, kind)


def loaded_by(raw: "Mapping[str, Any]", variables: "Mapping[str, str]") -> "str | None":
    """VS Code's Local harness, which loads every file of this folder and spells a payload in its own way."""
    return "vscode-copilot" if "hookEventName" in raw else None
