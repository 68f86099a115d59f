"""Hooks of hosts that load modules as OpenCode does: one generated bridge file, and what it and we say to each other.

The bridge (`templates/opencode_bridge.js`) runs our command with `{sessionID, directory, servers, input, output, event,
...}` on stdin, where `input`, `output` and `event` are the host's own, and does what one object on stdout says:
`deny`, `args`, `output`, `context` or `permission`. On the hook path; what only install needs is imported there.
"""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects.values import mapping
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse
    from agent_connector.hosts.nodes import Node

TEMPLATE = "opencode_bridge.js"
EVENTS = {
    "SessionStart": "session.created",
    "SessionEnd": "dispose",
    "UserPromptSubmit": "chat.message",
    "PreToolUse": "tool.execute.before",
    "PostToolUse": "tool.execute.after",
    "PostToolUseFailure": "message.part.updated",
    "PermissionRequest": "permission.asked",
    "PreCompact": "experimental.session.compacting",
    "PostCompact": "session.compacted",
    "Stop": "session.idle",
    "SubagentStart": "session.created",  # of a session that has a parent
    "SubagentStop": "session.idle",
}
_NAMES = {host: name for name, host in EVENTS.items() if not name.startswith("Subagent")}
_OF_SUBAGENTS = {"SessionStart": "SubagentStart", "Stop": "SubagentStop"}
_TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest")


# ---- what is registered


def wire(host: str, hooks: "Sequence[HookUse]", folder: str, tools: "Mapping[str, str]") -> "list[Node]":
    """The bridge module of one connector in the plugin folder."""
    from agent_connector.hosts.dialects import bridges

    return bridges.wire(host, TEMPLATE, hooks, folder, lambda same: _regex(same, tools))


def _regex(hooks: "Sequence[HookUse]", tools: "Mapping[str, str]") -> str:
    """An anchored regex over the host's tool names that catches what the matchers catch; "" for every tool."""
    from agent_connector.hosts.dialects.tool_matchers import anchored, native

    if _NAMES.get(hooks[0].event) not in _TOOL_EVENTS:
        return ""
    found = native([matcher for hook in hooks for matcher in hook.matchers], hooks[0].server, prefix, tools)
    return "" if found == "*" else anchored(found)


def prefix(server: str) -> str:
    """What the tools of `server` begin with."""
    return "".join(c if (c.isascii() and c.isalnum()) or c in "_-" else "_" for c in server) + "_"


# ---- what comes in


def parse(
    host: str, tools: "Mapping[str, str]", host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]"
) -> Event:
    """What the bridge tells as an event; sessions of subagents carry their parent's id as the session's."""
    event = Event(_NAMES.get(host_event, host_event), host, host_event, raw)
    event.session_id = raw.get("sessionID")
    event.cwd = raw.get("directory")
    event.source = raw.get("source")
    event.reason = raw.get("reason")
    event.stop_hook_active = raw.get("stopHookActive")
    if raw.get("parentID"):
        event.agent_id, event.session_id = event.session_id, raw["parentID"]
        event.agent_type = mapping(raw.get("info")).get("agent")
        event.name = _OF_SUBAGENTS.get(event.name, event.name)
    if event.name == "UserPromptSubmit":
        _prompt(event, raw)
    elif event.name in _TOOL_EVENTS:
        _tool(event, raw)
        _named(event, tools, [*servers, *raw.get("servers", ())])
    return event


def _prompt(event: Event, raw: "dict[str, Any]") -> None:
    output = mapping(raw.get("output"))
    parts = [mapping(part) for part in output.get("parts", ())]
    texts = [str(part.get("text")) for part in parts if part.get("type") == "text" and not part.get("synthetic")]
    event.prompt = "\n".join(texts)
    message = mapping(output.get("message"))
    model = mapping(message.get("model"))
    event.model = f"{model['providerID']}/{model['modelID']}" if "providerID" in model and "modelID" in model else None
    event.agent_type = event.agent_type or message.get("agent")


def _tool(event: Event, raw: "dict[str, Any]") -> None:
    given, output = mapping(raw.get("input")), mapping(raw.get("output"))
    event.host_tool_name, event.call_id = given.get("tool"), given.get("callID")
    if event.name == "PreToolUse":
        event.tool_input = output.get("args")
    elif event.name == "PostToolUse":
        event.tool_input, event.tool_output = given.get("args"), output
    elif event.name == "PostToolUseFailure":
        part = mapping(mapping(mapping(raw.get("event")).get("properties")).get("part"))
        state = mapping(part.get("state"))
        event.host_tool_name, event.call_id = part.get("tool"), part.get("callID")
        event.tool_input, event.error = state.get("input"), state.get("error")
    else:
        asked = mapping(mapping(raw.get("event")).get("properties"))
        event.host_tool_name = raw.get("tool") or asked.get("permission")
        event.call_id = mapping(asked.get("tool")).get("callID")
        event.tool_input = raw.get("args") or asked.get("metadata")


def _named(event: Event, tools: "Mapping[str, str]", servers: "Sequence[str]") -> None:
    """`<server>_<tool>` has no mark of its own, so only the known servers tell it from a tool of the host's."""
    tool = event.host_tool_name
    if not isinstance(tool, str):
        return
    event.tool_name = tools.get(tool, tool)
    if tool in tools:
        return
    for server in sorted(servers, key=len, reverse=True):
        if tool.startswith(prefix(server)):
            event.server, event.tool_name = server, tool[len(prefix(server)) :]
            return


# ---- what goes out


def reply(event: Event, decision: "Decision | None", verdict: str) -> Reply:
    """The bridge's orders for `decision`, of which the host's `verdict` is known; what it would drop is not said."""
    if decision is None or verdict == "dropped":
        return Reply()
    kind = decision.kind
    if event.name == "PermissionRequest":
        return Reply({"permission": "once" if kind == "allow" else "reject"})
    if kind in ("deny", "ask"):
        reason = decision.reason or "Denied by a hook."
        return Reply({"output": reason} if event.name == "PostToolUse" else {"deny": reason})
    if kind == "modify":
        return Reply({"args": decision.updated_input})
    return Reply({"output" if kind == "replace_output" else "context": decision.text})
