"""Cline's hooks: programs named after events, JSON in and out. On the hook path.

The extension and the terminal program start the same files with payloads of two kinds. What both have (`preToolUse`,
`postToolUse`, `userPromptSubmit`) is read first; the terminal program tells the call's id and its parts besides.
"""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects.values import mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "cline"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "TaskStart",
    "SessionEnd": "SessionShutdown",
    "UserPromptSubmit": "UserPromptSubmit",
    "PreToolUse": "PreToolUse",
    "PostToolUse": "PostToolUse",
    "PostToolUseFailure": "PostToolUse",  # of a call that failed
    "Stop": "TaskComplete",
}
NATIVE = ("TaskResume", "TaskError", "TaskCancel")
TOOLS: "Mapping[str, str]" = {
    "run_commands": "Bash",
    "read_files": "Read",
    "editor": "Edit",
    "apply_patch": "Edit",
    "search_codebase": "Grep",
    "fetch_web_content": "Fetch",
    "web_search": "Search",
    "spawn_agent": "Agent",
    "skills": "Skill",
    "ask_question": "Ask",
    "execute_command": "Bash",  # the extension before 4.0
    "read_file": "Read",
    "write_to_file": "Write",
    "replace_in_file": "Edit",
    "search_files": "Grep",
    "list_files": "List",
}
NEUTRAL = ""

_NAMES = {host: name for name, host in EVENTS.items() if name != "PostToolUseFailure"}


def _cancel(event: "Event", decision: "Decision") -> "dict[str, object]":
    return {"cancel": True, "errorMessage": decision.reason or claude.NO_REASON}


def _context(event: "Event", decision: "Decision") -> "dict[str, object]":
    return {"contextModification": decision.text}


def _change(event: "Event", decision: "Decision") -> "dict[str, object]":
    return {"overrideInput": decision.updated_input}


RENDERERS: "claude.Renderers" = {
    **{(event, kind): _cancel for event in ("PreToolUse", "UserPromptSubmit") for kind in ("deny", "ask")},
    **{(event, "deny"): _cancel for event in ("SessionStart", "PostToolUse", "PostToolUseFailure")},
    **{(event, "context"): _context for event in ("PreToolUse", "PostToolUse", "PostToolUseFailure")},
    ("PreToolUse", "modify"): _change,
}


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """`file` is the folder. There are no matchers: every call starts our program."""
    from agent_connector.hosts.cline.scripts import caller
    from agent_connector.hosts.dialects import script_files

    return script_files.wire(hooks, file, caller)


# ---- what comes in


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    event = Event(_NAMES.get(host_event, host_event), HOST, host_event, raw)
    roots = raw.get("workspaceRoots")
    event.cwd = mapping(raw.get("workspaceInfo")).get("rootPath") or (
        roots[0] if isinstance(roots, list) and roots else None
    )
    event.session_id = mapping(raw.get("sessionContext")).get("rootSessionId") or raw.get("taskId")
    event.agent_id = raw.get("agent_id") if raw.get("parent_agent_id") else None
    event.model = mapping(raw.get("model")).get("slug")
    event.reason = raw.get("reason")
    event.prompt = mapping(raw.get("userPromptSubmit")).get("prompt")
    done = mapping(mapping(raw.get("taskComplete")).get("taskMetadata"))
    event.last_message = mapping(raw.get("turn")).get("outputText") or done.get("result")
    error = raw.get("error")
    event.error = mapping(error).get("message") if isinstance(error, dict) else error
    if host_event == "PreToolUse":
        _called(event, mapping(raw.get("tool_call")), mapping(raw.get("preToolUse")), servers)
    elif host_event == "PostToolUse":
        _returned(event, mapping(raw.get("tool_result")), mapping(raw.get("postToolUse")), servers)
    return event


def _returned(event: "Event", call: "dict[str, Any]", told: "dict[str, Any]", servers: "Sequence[str]") -> None:
    _called(event, call, told, servers)
    event.tool_output = call["output"] if "output" in call else told.get("result")
    error = call.get("error")
    if error or told.get("success") is False or mapping(event.tool_output).get("isError") is True:
        event.name = "PostToolUseFailure"  # a server's own "it failed" counts as a success here
        event.error = str(mapping(error).get("message") or error or told.get("result") or "")


def _called(event: "Event", call: "dict[str, Any]", told: "dict[str, Any]", servers: "Sequence[str]") -> None:
    """The terminal program's own `input` keeps the kinds of its values; `parameters` may hold them as texts."""
    event.call_id = call.get("id")
    tool = call.get("name") or told.get("toolName")
    given = call["input"] if "input" in call else told.get("parameters")
    event.tool_input = given if isinstance(given, dict) else None
    if not isinstance(tool, str):
        return
    event.host_tool_name = tool
    if tool == "use_mcp_tool":
        _wrapped(event)
        return
    event.server, event.tool_name = claude.split(claude.MCP + tool, None, servers)
    if event.server is None:
        event.tool_name = TOOLS.get(tool, tool)


def _wrapped(event: "Event") -> None:
    """A call of a server's tool in the extension before 4.0: its arguments are JSON in a text."""
    given = event.tool_input or {}
    event.server, event.tool_name = given.get("server_name"), given.get("tool_name")
    arguments = given.get("arguments")
    if isinstance(arguments, str):
        import json

        try:
            arguments = json.loads(arguments)
        except ValueError:
            return
    event.tool_input = mapping(arguments)


# ---- what goes out


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.cline.verdicts import verdict

    return verdict(event, kind)
