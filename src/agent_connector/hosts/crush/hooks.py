"""Crush's hooks: PreToolUse alone, in flat entries of crush.json. On the hook path."""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects import claude_hooks as claude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "crush"
EVENTS: "Mapping[str, str]" = {"PreToolUse": "PreToolUse"}
NATIVE: "tuple[str, ...]" = ()
TOOLS: "Mapping[str, str]" = {
    "bash": "Bash",
    "view": "Read",
    "write": "Write",
    "edit": "Edit",
    "multiedit": "Edit",
    "ls": "List",
    "grep": "Grep",
    "glob": "Glob",
    "fetch": "Fetch",
    "web_search": "Search",
    "agent": "Agent",
    "todos": "Todo",
}
NEUTRAL = ""  # an allow would skip the question to the person
MARK = "mcp_"


def _say(**fields: object) -> "dict[str, object]":
    return {"version": 1, **fields}


def _allow(event: "Event", decision: "Decision") -> "dict[str, object]":
    return _say(decision="allow")


def _deny(event: "Event", decision: "Decision") -> "dict[str, object]":
    return _say(decision="deny", reason=decision.reason or claude.NO_REASON)


def _change(event: "Event", decision: "Decision") -> "dict[str, object]":
    return _say(updated_input=decision.updated_input)


def _context(event: "Event", decision: "Decision") -> "dict[str, object]":
    return _say(context=decision.text)


RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "allow"): _allow,
    ("PreToolUse", "deny"): _deny,
    ("PreToolUse", "ask"): _deny,
    ("PreToolUse", "modify"): _change,
    ("PreToolUse", "context"): _context,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """A matcher is looked for anywhere in a name; none stands for every tool.

    Its shell is a POSIX one on every system: on Windows our command for cmd goes through it in one word.
    """
    from agent_connector.hosts.dialects.shells import for_powershell
    from agent_connector.hosts.dialects.tool_matchers import anchored, native
    from agent_connector.hosts.nodes import Item

    nodes: list[Node] = []
    for hook in hooks:
        matcher = anchored(native(hook.matchers, hook.server, _stem, TOOLS))
        entry: dict[str, object] = {} if matcher == "*" else {"matcher": matcher}
        entry |= {"command": for_powershell(hook.command), "timeout": claude.seconds(hook.timeout)}
        nodes.append(Item(file, "json", ("hooks", hook.event), entry, hook.marks))
    return nodes


def _stem(server: str) -> str:
    return f"{MARK}{server}_"


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """`mcp_<server>_<tool>`: a `_` may stand in both, so the known servers decide, then the first `_`."""
    event = Event(host_event, HOST, host_event, raw)
    event.session_id, event.cwd = raw.get("session_id"), raw.get("cwd")
    given, tool = raw.get("tool_input"), raw.get("tool_name")
    event.tool_input = given if isinstance(given, dict) else None
    if not isinstance(tool, str):
        return event
    event.host_tool_name, event.tool_name = tool, TOOLS.get(tool, tool)
    if not tool.startswith(MARK):
        return event
    for server in sorted(servers, key=len, reverse=True):
        if tool.startswith(_stem(server)):
            event.server, event.tool_name = server, tool[len(_stem(server)) :]
            return event
    server, mark, name = tool[len(MARK) :].partition("_")
    if mark:
        event.server, event.tool_name = server, name
    return event


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.crush.verdicts import verdict

    return verdict(event, kind)
