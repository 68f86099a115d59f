"""Hermes Agent's shell hooks in config.yaml: JSON in, and JSON of its own shape out. On the hook path."""

from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import tool_names
from agent_connector.hosts.dialects.values import mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "hermes"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "on_session_start",
    "SessionEnd": "on_session_finalize",
    "UserPromptSubmit": "pre_llm_call",
    "PreToolUse": "pre_tool_call",
    "PostToolUse": "post_tool_call",
    "PostToolUseFailure": "post_tool_call",  # of a call that failed
    "PermissionRequest": "pre_approval_request",
    "Stop": "on_session_end",  # of a turn, in spite of its name
    "SubagentStart": "subagent_start",
    "SubagentStop": "subagent_stop",
}
NATIVE = (
    "post_llm_call",
    "pre_verify",
    "transform_tool_result",
    "transform_terminal_output",
    "transform_llm_output",
    "pre_api_request",
    "post_api_request",
    "api_request_error",
    "on_session_reset",
    "post_approval_response",
    "pre_gateway_dispatch",
)
TOOLS: "Mapping[str, str]" = {
    "terminal": "Bash",
    "read_file": "Read",
    "write_file": "Write",
    "patch": "Edit",
    "search_files": "Grep",
    "web_extract": "Fetch",
    "web_search": "Search",
    "delegate_task": "Agent",
    "skill_view": "Skill",
    "todo": "Todo",
    "clarify": "Ask",
}
NEUTRAL = ""

_NAMES = {host: name for name, host in EVENTS.items() if name != "PostToolUseFailure"}
_MATCHED = ("pre_tool_call", "post_tool_call")
_SECONDS = 300.0


def _change(event: "Event", decision: "Decision") -> "dict[str, object]":
    return {"decision": "modify", "tool_input": decision.updated_input}


def _context(event: "Event", decision: "Decision") -> "dict[str, object]":
    return {"context": decision.text}


RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "deny"): claude.block,
    ("PreToolUse", "ask"): claude.block,
    ("PreToolUse", "modify"): _change,
    ("UserPromptSubmit", "context"): _context,
}


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """It splits a command into words and asks no shell, so a shell is what it starts."""
    from agent_connector.hosts.dialects.hook_uses import one_for_each_event
    from agent_connector.hosts.nodes import Item

    nodes: list[Node] = []
    for hook in one_for_each_event(hooks):
        entry: dict[str, object] = {}
        if hook.event in _MATCHED and (matcher := _matcher(hook)) != "*":
            entry["matcher"] = matcher
        entry |= {"command": _words(hook.command), "timeout": claude.seconds(min(hook.timeout, _SECONDS))}
        nodes.append(Item(file, "yaml", ("hooks", hook.event), entry, hook.marks))
    return nodes


def _words(command: str) -> str:
    from agent_connector.hosts.dialects.shells import is_for_windows

    return command if is_for_windows(command) else "sh -c '" + command.replace("'", "'\"'\"'") + "'"


def _matcher(hook: "HookUse") -> str:
    from agent_connector.hosts.dialects.tool_matchers import native, spelled

    matchers = [spelled(one, hook.server, tool_name, tool_name) for one in hook.matchers]
    return native(matchers, hook.server, _stem, TOOLS, f"(?!{claude.MCP}).*")


def fold(name: str) -> str:
    """A name as it stands in Hermes' names of tools."""
    return "".join(c if (c.isascii() and c.isalnum()) or c == "_" else "_" for c in name)


def _stem(server: str) -> str:
    return f"{claude.MCP}{fold(server)}__"


def tool_name(server: str, tool: str) -> str:
    """What Hermes calls a server's tool."""
    return _stem(server) + fold(tool)


# ---- what comes in


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """All that is not of every event stands in `extra`."""
    event = claude.parse(HOST, TOOLS, host_event, raw, servers, fold)
    event.name = _NAMES.get(host_event, host_event)
    extra = mapping(raw.get("extra"))
    event.call_id, event.model = extra.get("tool_call_id"), extra.get("model")
    event.prompt, event.tool_output = extra.get("user_message"), extra.get("result")
    event.last_message = extra.get("assistant_response") or extra.get("child_summary")
    event.agent_type, event.message = extra.get("child_role"), extra.get("description")
    if host_event == "post_tool_call" and extra.get("status") not in (None, "ok"):
        event.name = "PostToolUseFailure"
        event.error = extra.get("error_message") or extra.get("result")
    if host_event == "pre_approval_request":
        event.host_tool_name, event.tool_name = "terminal", "Bash"
        event.tool_input = {"command": extra.get("command")}
    return event


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    tool_names.restore(event, matchers, own, _stem, lambda stem, server, tool: stem + fold(tool))


# ---- what goes out


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.hermes.verdicts import verdict

    return verdict(event, kind)
