"""Hooks of Pi and of Oh My Pi, which grew out of it: one generated extension, and what it and we say to each other.

The bridge (`templates/pi_bridge.js`) runs our command with `{sessionID, transcript, directory, mode, event}` on stdin,
where `event` holds the host's own fields, and does what one object on stdout says: `deny`, `ask`, `args`, `output` or
`context`. On the hook path; what only install needs is imported there.
"""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects.values import mapping
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.connector.model import Action
    from agent_connector.hosts.contract import HookUse
    from agent_connector.hosts.nodes import Node

TEMPLATE = "pi_bridge.js"
_TOOLS = ("tool_call", "tool_result", "tool_approval_requested")
_NO_REASON = "Denied by a hook."


# ---- what is registered


def wire(
    host: str,
    hooks: "Sequence[HookUse]",
    folder: str,
    tools: "Mapping[str, str]",
    name: "Callable[[str, str], str]",
    start: "Callable[[str, str], str]",
) -> "list[Node]":
    """The extension of one connector. `name(server, tool)` is what the host calls a server's tool.

    `start(server, text)` is what its name surely begins with when it is declared to begin with `text`.
    """
    from agent_connector.hosts.dialects import bridges

    return bridges.wire(host, TEMPLATE, hooks, folder, lambda same: _regex(same, tools, name, start))


def _regex(
    hooks: "Sequence[HookUse]",
    tools: "Mapping[str, str]",
    name: "Callable[[str, str], str]",
    start: "Callable[[str, str], str]",
) -> str:
    from agent_connector.hosts.dialects.tool_matchers import anchored, native, spelled

    if hooks[0].event not in _TOOLS:
        return ""
    own = hooks[0].server
    matchers = [spelled(matcher, own, name, start) for hook in hooks for matcher in hook.matchers]
    found = native(matchers, own, lambda server: start(server, ""), tools, "(?!mcp__).*")
    return "" if found == "*" else anchored(found)


def command(action: "Action", folder: str, command: str, marks: "tuple[str, ...]") -> "list[Node]":
    """An extension that gives the person a command `/<connector>-<action>`."""
    from agent_connector.hosts.dialects import named_actions
    from agent_connector.hosts.dialects.bridges import filled
    from agent_connector.hosts.dialects.front_matter import join
    from agent_connector.hosts.nodes import Whole

    name = named_actions.name(action, marks)
    told = {"name": name, "label": action.label, "confirm": action.confirm, "command": command}
    return [Whole(join(folder, f"agent-connector-{name}-action.js"), filled("pi_action.js", told))]


# ---- what comes in


def parse(
    host: str,
    events: "Mapping[str, str]",
    host_event: str,
    raw: "dict[str, Any]",
    split: "Callable[[str], tuple[str | None, str]]",
) -> Event:
    """What the bridge tells as an event; `split` parts the name of a tool into its server and its own or canonical name."""
    said = mapping(raw.get("event"))
    event = Event(_name(events, host_event, said), host, host_event, raw)
    event.session_id, event.transcript_path, event.cwd = (
        raw.get("sessionID"),
        raw.get("transcript"),
        raw.get("directory"),
    )
    event.stop_hook_active, event.last_message = raw.get("stopHookActive"), raw.get("last")
    if event.name == "SessionStart":
        event.source = said.get("reason")
    elif event.name == "SessionEnd":
        event.reason = said.get("reason")
    elif event.name in ("PreCompact", "PostCompact"):
        event.trigger = said.get("reason")
    elif event.name == "SubagentStart":
        event.agent_type = said.get("agent")
    elif event.name == "UserPromptSubmit":
        event.prompt = said.get("text")
    elif event.name == "Notification":
        event.message, event.notification_type = said.get("title"), said.get("kind")
    elif "toolName" in said:
        _tool(event, said, split)
    return event


def _name(events: "Mapping[str, str]", host_event: str, said: "Mapping[str, Any]") -> str:
    """One event tells of results and of failures."""
    if host_event == events.get("PostToolUse") and said.get("isError") is True:
        return "PostToolUseFailure"
    return next((name for name, native in events.items() if native == host_event), host_event)


def _tool(event: Event, said: "Mapping[str, Any]", split: "Callable[[str], tuple[str | None, str]]") -> None:
    name = said.get("toolName")
    if isinstance(name, str):
        event.host_tool_name = name
        event.server, event.tool_name = split(name)
    event.call_id, event.tool_input = said.get("toolCallId"), said.get("input")
    if event.name == "PostToolUse":
        event.tool_output = {"content": said.get("content")}
    elif event.name == "PostToolUseFailure":
        event.error = text_of(said.get("content"))


def text_of(content: "Any") -> str:
    """The texts of a list of contents."""
    if not isinstance(content, list):
        return ""
    return "".join(str(mapping(part).get("text") or "") for part in content)  # pyright: ignore[reportUnknownVariableType]


# ---- what goes out


def reply(event: Event, decision: "Decision | None", verdict: str) -> Reply:
    """The bridge's orders for `decision`, of which the host's `verdict` is known; what it would drop is not said."""
    if decision is None or verdict == "dropped":
        return Reply()
    kind, reason = decision.kind, decision.reason or _NO_REASON
    if kind == "ask" and event.name == "PreToolUse":
        return Reply({"ask": reason})
    if kind in ("deny", "ask"):
        return Reply({"output" if event.name in ("PostToolUse", "PostToolUseFailure") else "deny": reason})
    if kind == "modify":
        return Reply({"args": decision.updated_input})
    return Reply({"output" if kind == "replace_output" else "context": decision.text})
