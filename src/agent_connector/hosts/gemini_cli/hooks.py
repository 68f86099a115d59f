"""Gemini CLI's hooks: `hooks` of settings.json, JSON in and out, with names of its own.

Exit codes other than 0 and 1 block and `ask` hangs a headless run, so every answer is JSON with exit code 0.
"""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects.shells import for_powershell
from agent_connector.hosts.dialects.values import mapping
from agent_connector.hosts.nodes import Item, Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node

EVENTS = {
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "UserPromptSubmit": "BeforeAgent",
    "PreToolUse": "BeforeTool",
    "PostToolUse": "AfterTool",
    "PostToolUseFailure": "AfterTool",  # the same hook, told apart by tool_response.error
    "PreCompact": "PreCompress",
    "Stop": "AfterAgent",
    "Notification": "Notification",
}
NATIVE = ("BeforeModel", "AfterModel", "BeforeToolSelection")
TOOLS = {
    "run_shell_command": "Bash",
    "read_file": "Read",
    "read_many_files": "Read",
    "write_file": "Write",
    "replace": "Edit",
    "grep_search": "Grep",
    "glob": "Glob",
    "list_directory": "List",
    "web_fetch": "Fetch",
    "google_web_search": "Search",
    "invoke_agent": "Agent",
    "activate_skill": "Skill",
    "write_todos": "Todo",
    "ask_user": "Ask",
}
NEUTRAL = ""

_NORMALIZED = {host: name for name, host in EVENTS.items() if name != "PostToolUseFailure"}
_LONGEST, _SURE = 63, 30  # of a longer tool name the first and last 30 letters are left


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """One group per event and command; two normalized events may share one of Gemini's."""
    groups: dict[tuple[str, str], list[HookUse]] = {}
    for hook in hooks:
        groups.setdefault((hook.event, hook.command), []).append(hook)
    return [Item(file, "jsonc", ("hooks", event), _group(same), same[0].marks) for (event, _), same in groups.items()]


def _group(hooks: "Sequence[HookUse]") -> "dict[str, Any]":
    hook = hooks[0]
    timeout = round(max(same.timeout for same in hooks) * 1000)
    command = for_powershell(hook.command)  # which Gemini hands it to on Windows
    group: dict[str, Any] = {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}
    if hook.event in ("BeforeTool", "AfterTool"):
        from agent_connector.hosts.dialects.tool_matchers import anchored, native, spelled

        own = hook.server
        matchers = [spelled(matcher, own, tool_name, _start) for same in hooks for matcher in same.matchers]
        matcher = anchored(native(matchers, own, tool_name, TOOLS))
        if matcher != "*":
            return {"matcher": matcher, **group}
    return group


def tool_name(server: str, tool: str = "") -> str:
    """What Gemini calls a server's tool."""
    name = f"{server}_{tool}"
    name = name if name.startswith("mcp_") else f"mcp_{name}"
    name = "".join(c if c.isascii() and (c.isalnum() or c in "_-.:") else "_" for c in name)
    return name if len(name) <= _LONGEST else f"{name[:_SURE]}...{name[-_SURE:]}"


def _start(server: str, text: str) -> str:
    return tool_name(server, text)[:_SURE]


# ---- what comes in


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> Event:
    """Gemini tells server and tool apart in `mcp_context`, so its ambiguous tool names need no guess."""
    event = Event(
        _NORMALIZED.get(host_event, host_event),
        "gemini-cli",
        host_event,
        raw,
        session_id=raw.get("session_id"),
        transcript_path=raw.get("transcript_path"),
        cwd=raw.get("cwd"),
        prompt=raw.get("prompt"),
        last_message=raw.get("prompt_response"),
        stop_hook_active=raw.get("stop_hook_active"),
        source=raw.get("source"),
        reason=raw.get("reason"),
        trigger=raw.get("trigger"),
        notification_type=raw.get("notification_type"),
        message=raw.get("message"),
    )
    if host_event in ("BeforeTool", "AfterTool"):
        _tool(event, raw)
    return event


def _tool(event: Event, raw: "dict[str, Any]") -> None:
    name = raw.get("tool_name")
    event.host_tool_name = name
    event.tool_name = TOOLS.get(name, name) if isinstance(name, str) else None
    event.tool_input = raw.get("tool_input")
    context = mapping(raw.get("mcp_context"))
    if context:
        event.server, event.tool_name = context.get("server_name"), context.get("tool_name")
    event.tool_output = raw.get("tool_response")
    error = mapping(event.tool_output).get("error")
    if error:
        event.name = "PostToolUseFailure"
        event.error = mapping(error).get("message") or str(error)


# ---- what goes out


def reply(event: Event, decision: "Decision | None") -> Reply:
    """The answer to Gemini. What it would drop is not sent: a grant, a context before a tool, a late `ask`."""
    if decision is None or honours(event.name, decision.kind)[0] == "dropped":
        return Reply()
    if decision.kind in ("deny", "ask"):
        return Reply({"decision": "deny", "reason": decision.reason})
    if decision.kind == "replace_output":
        return Reply({"decision": "deny", "reason": decision.text})
    if decision.kind == "context" and event.name == "PostToolUseFailure":
        return Reply({"decision": "deny", "reason": f"{event.error}\n\n{decision.text}"})
    if decision.kind == "modify":
        return Reply(_specific(event, "tool_input", decision.updated_input))
    return Reply(_specific(event, "additionalContext", decision.text))


def _specific(event: Event, key: str, value: object) -> "dict[str, object]":
    return {"hookSpecificOutput": {"hookEventName": event.host_event, key: value}}


_ASK = ("degraded", "proven", "`ask` hangs a headless run, so it becomes a deny")
_HONOURS: "dict[str, dict[str, tuple[Verdict, Sure, str]]]" = {
    "SessionStart": {"context": ("honoured", "proven", "stands before the first prompt")},
    "UserPromptSubmit": {
        "deny": ("honoured", "proven", "no model request is made; the run still ends with exit code 0"),
        "ask": _ASK,
        "context": ("honoured", "proven", "added to the prompt of this turn; < and > are escaped"),
    },
    "PreToolUse": {
        "allow": ("dropped", "proven", "`allow` grants nothing: the person's approval is still asked"),
        "deny": ("honoured", "proven", "the tool does not run and the model reads the reason"),
        "ask": _ASK,
        "modify": ("honoured", "proven", "the tool runs with the new input, and the model is told of the change"),
        "context": ("dropped", "proven", "no text reaches the model before a tool: answer at PostToolUse"),
    },
    "PostToolUse": {
        "deny": ("degraded", "proven", "the tool has run; the reason stands in the place of its result"),
        "ask": ("degraded", "proven", "the tool has run; the reason stands in the place of its result"),
        "context": ("honoured", "proven", "added to the tool's result; < and > are escaped"),
        "replace_output": ("honoured", "proven", "the model reads the text alone, as the text of an error"),
    },
    "Stop": {
        "deny": ("honoured", "proven", "the agent goes on with the reason as its next prompt"),
        "ask": _ASK,
    },
}
_HONOURS["PostToolUseFailure"] = {
    **_HONOURS["PostToolUse"],
    "context": ("degraded", "proven", "dropped beside an error, so it is sent with the error's text in its place"),
}
_OBSERVED = ("SessionEnd", "Notification", "PreCompact")


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """What Gemini does with a decision of `kind` at the normalized `event`."""
    if event not in EVENTS:
        return ("dropped", "documented", f"Gemini CLI has no event for {event}")
    if event in _OBSERVED:
        return ("dropped", "documented", "Gemini CLI lets this event be watched only")
    return _HONOURS[event].get(kind) or ("dropped", "documented", f"Gemini CLI takes no {kind} at {EVENTS[event]}")
