"""Amp's hooks: a generated plugin, which asks our command. On the hook path."""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects.values import mapping
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node

HOST = "amp"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "session.start",
    "SessionEnd": "dispose",
    "UserPromptSubmit": "agent.start",
    "PreToolUse": "tool.call",
    "PostToolUse": "tool.result",
    "PostToolUseFailure": "tool.result",  # of a call that failed
    "Stop": "agent.end",
}
NATIVE: "tuple[str, ...]" = ()
TOOLS: "Mapping[str, str]" = {
    "Bash": "Bash",
    "shell_command": "Bash",
    "Read": "Read",
    "create_file": "Write",
    "edit_file": "Edit",
    "Grep": "Grep",
    "glob": "Glob",
    "read_web_page": "Fetch",
    "web_search": "Search",
    "Task": "Agent",
}
NEUTRAL = ""

_NAMES = {host: name for name, host in EVENTS.items() if name != "PostToolUseFailure"}
_AFTER = ("PostToolUse", "PostToolUseFailure")


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """`file` is the plugin folder; Amp loads what ends in `.ts`, which plain code may."""
    from agent_connector.hosts.dialects import bridges
    from agent_connector.hosts.dialects.front_matter import join
    from agent_connector.hosts.nodes import Whole

    if not hooks:
        return []
    name, text = bridges.module(HOST, "amp_bridge.js", hooks, _regex)
    return [Whole(join(file, name + ".ts"), text)]


def _regex(hooks: "Sequence[HookUse]") -> str:
    from agent_connector.hosts.dialects.tool_matchers import anchored, native

    if hooks[0].event not in ("tool.call", "tool.result"):
        return ""
    matchers = [matcher for hook in hooks for matcher in hook.matchers]
    found = native(matchers, hooks[0].server, claude.prefix, TOOLS, f"(?!{claude.MCP}).*")
    return "" if found == "*" else anchored(found)


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """What the bridge tells: Amp's own event, the thread and the folder."""
    event = Event(_NAMES.get(host_event, host_event), HOST, host_event, raw)
    told = mapping(raw.get("event"))
    event.session_id, event.cwd = raw.get("sessionID"), raw.get("directory")
    event.stop_hook_active = raw.get("stopHookActive")
    event.call_id, event.tool_output = told.get("toolUseID"), told.get("output")
    given, tool = told.get("input"), told.get("tool")
    event.tool_input = given if isinstance(given, dict) else None
    if host_event == "agent.start":
        event.prompt = _text(told.get("message"))
    if host_event == "agent.end":
        event.last_message, event.reason = _text(told.get("message")), told.get("status")
    if host_event == "tool.result" and told.get("status") in ("error", "cancelled"):
        event.name, event.error = "PostToolUseFailure", _text(told.get("error")) or str(told.get("status"))
    if isinstance(tool, str):
        event.host_tool_name = tool
        event.server, event.tool_name = claude.split(tool, None, servers)
        if event.server is None:
            event.tool_name = TOOLS.get(tool, tool)
    return event


def _text(value: "Any") -> "str | None":
    """A message is a text, or has one."""
    found = value if isinstance(value, str) else mapping(value).get("content") or mapping(value).get("message")
    return found if isinstance(found, str) else None


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    """The bridge's orders; what Amp would drop is not said."""
    if decision is None or honours(event.name, decision.kind)[0] == "dropped":
        return Reply()
    kind = decision.kind
    if kind == "ask" and event.name == "PreToolUse":
        return Reply({"ask": decision.reason or claude.NO_REASON})
    if kind in ("deny", "ask"):
        reason = decision.reason or claude.NO_REASON
        return Reply({"output" if event.name in _AFTER else "deny": reason})
    if kind == "modify":
        return Reply({"args": decision.updated_input})
    return Reply({"output" if kind == "replace_output" else "context": decision.text})


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.amp.verdicts import verdict

    return verdict(event, kind)
