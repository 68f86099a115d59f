"""Hooks as Claude Code speaks them and many hosts after it: settings entries, payloads and the pieces of replies.

A host's `hooks` module is a table of these pieces. On the hook path: nothing is imported but our own light modules;
what only install needs is imported where it is used.
"""

from agent_connector.connector.light import TOOL_EVENTS, Event
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse
    from agent_connector.hosts.nodes import Node

    Spelling = Callable[[str], str]
    Renderer = Callable[[Event, Decision], "dict[str, object] | str | None"]
    Renderers = Mapping[tuple[str, str], Renderer]

MCP = "mcp__"
NO_REASON = "Denied by a hook."  # Codex voids a denial without a reason, so there always is one

# field of `Event` <- field of the payload
_FIELDS = (
    ("session_id", "session_id"),
    ("transcript_path", "transcript_path"),
    ("cwd", "cwd"),
    ("permission_mode", "permission_mode"),
    ("model", "model"),
    ("agent_id", "agent_id"),
    ("agent_type", "agent_type"),
    ("call_id", "tool_use_id"),
    ("tool_output", "tool_response"),
    ("error", "error"),
    ("prompt", "prompt"),
    ("source", "source"),
    ("reason", "reason"),
    ("trigger", "trigger"),
    ("message", "message"),
    ("notification_type", "notification_type"),
    ("stop_hook_active", "stop_hook_active"),
    ("last_message", "last_assistant_message"),
)


def normal(name: str) -> str:
    """A server's name as it stands in tool names: all but letters, digits, `_` and `-` become `_`."""
    return "".join(c if (c.isascii() and c.isalnum()) or c in "_-" else "_" for c in name)


def parse(
    host: str,
    tools: "Mapping[str, str]",
    host_event: str,
    raw: "dict[str, Any]",
    servers: "Sequence[str]",
    spell: "Spelling" = normal,
) -> Event:
    """The payload of `host_event`, whose name is the normalized one; `spell` is how the host writes server names."""
    event = Event(host_event, host, host_event, raw)
    for slot, key in _FIELDS:
        setattr(event, slot, raw.get(key))
    tool = raw.get("tool_name")
    if isinstance(tool, str):
        known: Any = raw.get("mcp_server") or {}
        event.host_tool_name = tool
        event.server, event.tool_name = split(tool, known.get("name"), servers, spell)
        if event.server is None:
            event.tool_name = tools.get(tool, tool)
        arguments = raw.get("tool_input")
        event.tool_input = arguments if isinstance(arguments, dict) else None
    return event


def split(
    tool: str, said: "str | None", servers: "Sequence[str]", spell: "Spelling" = normal
) -> "tuple[str | None, str]":
    """`mcp__<server>__<tool>` as (server, tool); any other name as (None, name).

    `__` may stand in a server's and in a tool's name, so what the host `said` about the server decides, then the
    names in `servers`, then the first `__`. A server out of a plugin (`plugin:<plugin>:<server>`) is its last part.
    """
    if tool[:5] != MCP:
        return None, tool
    rest = tool[5:]
    for name in (said, *sorted(servers, key=len, reverse=True)):
        stem = spell(name) + "__" if name else None
        if name and stem and rest.startswith(stem):
            return _unplugged(name, servers), rest[len(stem) :]
    if rest.startswith("plugin_"):
        for name in servers:
            before, mark, after = rest.partition("_" + spell(name) + "__")
            if mark and before != "plugin":
                return name, after
    server, mark, name = rest.partition("__")
    return (server, name) if mark else (None, tool)


def _unplugged(name: str, servers: "Sequence[str]") -> str:
    if name[:7] == "plugin:":
        last = name.rpartition(":")[2]
        return last if last in servers else name
    return name


def prefix(server: str) -> str:
    """What the names of a server's tools begin with."""
    return MCP + normal(server) + "__"


def wire(
    hooks: "Sequence[HookUse]",
    file: str,
    matcher: "Callable[[HookUse], str]",
    limits: "Mapping[str, float] | None" = None,
    format: str = "json",
    top: "tuple[str, ...]" = ("hooks",),
) -> "list[Node]":
    """One element per hook in `hooks.<Event>` of a settings file; `matcher` is asked for tool events.

    `limits` are the events to which the host gives less time, in seconds; `format` is the strictness it reads in; `top`
    is where the events stand.
    """
    from agent_connector.hosts.nodes import Item

    nodes: list[Node] = []
    for hook in hooks:
        entry: dict[str, object] = {"matcher": matcher(hook)} if hook.event in TOOL_EVENTS else {}
        timeout = min(hook.timeout, (limits or {}).get(hook.event, hook.timeout))
        entry["hooks"] = [{"type": "command", "command": hook.command, "timeout": seconds(timeout)}]
        nodes.append(Item(file, format, (*top, hook.event), entry, hook.marks))
    return nodes


def seconds(timeout: float) -> int:
    """Whole seconds, rounded up: these hosts read integers."""
    return max(1, int(-(-timeout // 1)))


def reply(renderers: "Renderers", event: Event, decision: "Decision | None") -> Reply:
    """What is printed for `decision`; nothing for None and for what the host has no place for."""
    render = None if decision is None else renderers.get((event.name, decision.kind))
    return Reply(None if render is None or decision is None else render(event, decision))


def specific(event: Event, **fields: object) -> "dict[str, object]":
    """`hookSpecificOutput`: without `hookEventName` it is ignored, denials too."""
    return {"hookSpecificOutput": {"hookEventName": event.host_event, **fields}}


def grant(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, permissionDecision="allow")


def refuse(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, permissionDecision="deny", permissionDecisionReason=decision.reason or NO_REASON)


def question(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, permissionDecision="ask", permissionDecisionReason=decision.reason or NO_REASON)


def change(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, updatedInput=decision.updated_input)


def granted_change(event: Event, decision: "Decision") -> "dict[str, object]":
    """Changed arguments where the host takes them only beside an `allow`."""
    return specific(event, permissionDecision="allow", updatedInput=decision.updated_input)


def add_context(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, additionalContext=decision.text)


def reason_as_context(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, additionalContext=decision.reason or NO_REASON)


def block(event: Event, decision: "Decision") -> "dict[str, object]":
    return {"decision": "block", "reason": decision.reason or NO_REASON}


def text_as_reason(event: Event, decision: "Decision") -> "dict[str, object]":
    """A block whose reason stands in the result's place."""
    return {"decision": "block", "reason": decision.text or NO_REASON}


def halt(event: Event, decision: "Decision") -> "dict[str, object]":
    return {"continue": False, "stopReason": decision.reason or NO_REASON}


def permit(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, decision={"behavior": "allow"})


def forbid(event: Event, decision: "Decision") -> "dict[str, object]":
    return specific(event, decision={"behavior": "deny", "message": decision.reason or NO_REASON})


def plain_text(event: Event, decision: "Decision") -> str:
    return decision.text
