"""Cursor's hooks: flat entries in hooks.json, camelCase events, replies of its own. On the hook path.

At the events that ask for permission a reply that is no JSON object blocks, so what says nothing is `{}`.
"""

from agent_connector.connector.light import TOOL_EVENTS, Event
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node

    Renderer = Callable[[Event, Decision], "dict[str, object]"]

HOST = "cursor"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "sessionStart",
    "SessionEnd": "sessionEnd",
    "UserPromptSubmit": "beforeSubmitPrompt",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "PostToolUseFailure": "postToolUseFailure",
    "PreCompact": "preCompact",
    "Stop": "stop",
    "SubagentStart": "subagentStart",
    "SubagentStop": "subagentStop",
}
NATIVE = (
    "beforeShellExecution",
    "afterShellExecution",
    "beforeMCPExecution",
    "afterMCPExecution",
    "beforeReadFile",
    "afterFileEdit",
    "afterAgentResponse",
    "afterAgentThought",
    "beforeTabFileRead",
    "afterTabFileEdit",
    "workspaceOpen",
)
TOOLS: "Mapping[str, str]" = {
    "Shell": "Bash",
    "Read": "Read",
    "Write": "Write",
    "Grep": "Grep",
    "LS": "List",
    "Task": "Agent",
    "WebFetch": "Fetch",
    "WebSearch": "Search",
}
NEUTRAL = "{}"

MCP = "MCP:"
_NO_REASON = "Denied by a hook."
_LONGEST = 10_000  # a longer `additional_context` is thrown away as a whole
_NORMALIZED = {native: name for name, native in EVENTS.items()}
_FIELDS = (
    ("session_id", ("session_id", "conversation_id")),
    ("transcript_path", ("transcript_path",)),
    ("model", ("model",)),
    ("agent_id", ("subagent_id",)),
    ("agent_type", ("subagent_type",)),
    ("call_id", ("tool_use_id",)),
    ("tool_output", ("tool_output",)),
    ("error", ("error_message",)),
    ("prompt", ("prompt", "task")),
    ("reason", ("reason", "status")),
    ("trigger", ("trigger",)),
    ("last_message", ("summary",)),
)


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """One element per hook in `hooks.<event>`. Cursor takes `//` in the file for a comment, in texts too."""
    from agent_connector.hosts.dialects.tool_matchers import anchored, native
    from agent_connector.hosts.nodes import Default, Item

    tool_events = [EVENTS[name] for name in TOOL_EVENTS if name in EVENTS]
    nodes: list[Node] = [Default(file, "jsonc", ("version",), 1)] if hooks else []
    for hook in hooks:
        entry: dict[str, object] = {"command": hook.command.replace("//", "/./"), "timeout": _seconds(hook.timeout)}
        if hook.event in tool_events:
            matcher = anchored(native(hook.matchers, hook.server, lambda _: MCP, TOOLS, "(?!MCP:).*"))
            if matcher != "*":
                entry["matcher"] = matcher
        nodes.append(Item(file, "jsonc", ("hooks", hook.event), entry, hook.marks))
    return nodes


def _seconds(timeout: float) -> int:
    return max(1, int(-(-timeout // 1)))


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> Event:
    """Cursor tells an MCP tool without its server: it is taken for ours, the first of `servers`."""
    event = Event(_NORMALIZED.get(host_event, host_event), HOST, host_event, raw)
    for slot, keys in _FIELDS:
        setattr(event, slot, next((raw[key] for key in keys if raw.get(key) is not None), None))
    event.cwd = raw.get("cwd") or next(iter(raw.get("workspace_roots") or ()), None)
    if event.name in ("Stop", "SubagentStop"):
        event.stop_hook_active = bool(raw.get("loop_count"))
    tool = raw.get("tool_name")
    if isinstance(tool, str):
        event.host_tool_name = tool
        arguments = raw.get("tool_input")
        event.tool_input = arguments if isinstance(arguments, dict) else None
        if tool[: len(MCP)] == MCP:
            event.server = raw.get("mcp_server_name") or next(iter(servers), None)
            event.tool_name = tool[len(MCP) :]
        else:
            event.tool_name = TOOLS.get(tool, tool)
    return event


def reply(event: Event, decision: "Decision | None") -> Reply:
    render = None if decision is None else RENDERERS.get((event.name, decision.kind))
    return Reply(None if render is None or decision is None else render(event, decision))


def _permission(word: str) -> "Renderer":
    def render(event: Event, decision: "Decision") -> "dict[str, object]":
        return {"permission": word} if word == "allow" else {"permission": word, **_told(decision)}

    return render


def _told(decision: "Decision") -> "dict[str, object]":
    reason = decision.reason or _NO_REASON
    return {"user_message": reason, "agent_message": reason}


def _change(event: Event, decision: "Decision") -> "dict[str, object]":
    return {"updated_input": decision.updated_input}


def _context(event: Event, decision: "Decision") -> "dict[str, object]":
    return {"additional_context": _cut(decision.text)}


def _reason_as_context(event: Event, decision: "Decision") -> "dict[str, object]":
    return {"additional_context": _cut(decision.reason or _NO_REASON)}


def _halt(event: Event, decision: "Decision") -> "dict[str, object]":
    return {"continue": False, "user_message": decision.reason or _NO_REASON}


def _follow_up(event: Event, decision: "Decision") -> "dict[str, object]":
    return {"followup_message": decision.reason or _NO_REASON}


def _replace(event: Event, decision: "Decision") -> "dict[str, object]":
    """Only an MCP result can be replaced; beside another the text is added."""
    return {"updated_mcp_tool_output": decision.text} if event.server is not None else _context(event, decision)


def _cut(text: str) -> str:
    """`text` within the host's bound, which counts UTF-16 units."""
    if len(text) * 2 <= _LONGEST:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: _LONGEST * 2].decode("utf-16-le", "ignore")


RENDERERS: "Mapping[tuple[str, str], Renderer]" = {
    ("PreToolUse", "allow"): _permission("allow"),
    ("PreToolUse", "deny"): _permission("deny"),
    ("PreToolUse", "ask"): _permission("deny"),
    ("PreToolUse", "modify"): _change,
    ("PreToolUse", "context"): _context,
    ("PostToolUse", "deny"): _reason_as_context,
    ("PostToolUse", "ask"): _reason_as_context,
    ("PostToolUse", "context"): _context,
    ("PostToolUse", "replace_output"): _replace,
    ("PostToolUseFailure", "deny"): _reason_as_context,
    ("PostToolUseFailure", "ask"): _reason_as_context,
    ("PostToolUseFailure", "context"): _context,
    ("UserPromptSubmit", "deny"): _halt,
    ("UserPromptSubmit", "ask"): _halt,
    ("UserPromptSubmit", "context"): _context,
    ("SessionStart", "deny"): _halt,
    ("SessionStart", "ask"): _halt,
    ("SessionStart", "context"): _context,
    ("SubagentStart", "allow"): _permission("allow"),
    ("SubagentStart", "deny"): _permission("deny"),
    ("SubagentStart", "ask"): _permission("deny"),
    ("SubagentStart", "context"): _context,
    ("Stop", "deny"): _follow_up,
    ("Stop", "ask"): _follow_up,
    ("SubagentStop", "deny"): _follow_up,
    ("SubagentStop", "ask"): _follow_up,
    ("SubagentStop", "context"): _context,
}


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.cursor.verdicts import verdict

    return verdict(event, kind)
