"""Oh My Pi's hooks: a generated extension, which asks our command. On the hook path."""

from agent_connector.hosts.dialects import pi_extension, pi_verdicts, tool_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "omp"
EVENTS = {
    "SessionStart": "session_start",
    "SessionEnd": "session_shutdown",
    "UserPromptSubmit": "before_agent_start",  # and `input`, which a run without a terminal does not have
    "PreToolUse": "tool_call",
    "PostToolUse": "tool_result",
    "PostToolUseFailure": "tool_result",  # of a result that is an error
    "PermissionRequest": "tool_approval_requested",
    "SubagentStart": "before_subagent_spawn",  # of newer versions than the one that was run
    "PreCompact": "session_before_compact",
    "PostCompact": "session_compact",
    "Stop": "session_stop",
}
NATIVE = (
    "agent_start",
    "agent_end",
    "turn_start",
    "turn_end",
    "context",
    "user_bash",
    "user_python",
    "session_before_switch",
    "session_before_branch",
    "session_before_tree",
    "session_tree",
    "auto_retry_start",
    "tool_approval_resolved",
    "todo_reminder",
    "mcp_notification",
)
TOOLS = {
    "bash": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "grep": "Grep",
    "glob": "Glob",
    "task": "Agent",
    "todo": "Todo",
    "web_search": "Search",
    "ask": "Ask",
}
NEUTRAL = ""

_MCP = "mcp__"
_LONGEST, _SURE = 64, 55  # of a longer name at least that many letters are kept, before a hash of its runtime's own


def fold(name: str, default: str) -> str:
    """A server's or tool's name as it stands in Oh My Pi's: small letters, digits and `_`, of which no two follow."""
    folded = ""
    for letter in name.lower():
        plain = letter if letter.isascii() and letter.isalnum() else "_"
        if plain != "_" or folded[-1:] != "_":
            folded += plain
    return folded.strip("_") or default


def stem(server: str) -> str:
    return f"{_MCP}{fold(server, 'server')}_"


def tool_name(server: str, tool: str) -> str:
    """What Oh My Pi calls a server's tool, before a long name is cut."""
    return _whole(stem(server), "", tool)


def _whole(start: str, server: str, tool: str) -> str:
    """A tool's name that begins with the server's loses that."""
    folded, again = fold(tool, "tool"), start[len(_MCP) :]
    return start + (folded[len(again) :] if folded[: len(again)] == again else folded)


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """`file` is the folder of extensions."""
    from dataclasses import replace

    uses = [replace(hook, matchers=tuple(_widened(one, hook.server) for one in hook.matchers)) for hook in hooks]
    return pi_extension.wire(HOST, uses, file, TOOLS, tool_name, _start)


def _widened(matcher: "Mapping[str, Any]", own: str) -> "Mapping[str, Any]":
    """Names that are cut end in a hash: their beginning is caught."""
    if matcher["side"] not in ("own", "server"):
        return matcher
    server = own if matcher["side"] == "own" else matcher["server"]
    if all(len(tool_name(server, tool)) <= _LONGEST for tool in matcher.get("names", ())):
        return matcher
    return {"side": "host", "prefix": stem(server)[:_SURE]}


def _start(server: str, text: str) -> str:
    """A beginning that may be the server's own name may have been taken off."""
    start = stem(server)
    folded = fold(text, "") if text else ""
    sure = "" if start[len(_MCP) :].startswith(folded) or folded.startswith(start[len(_MCP) :]) else folded
    return (start + sure)[:_SURE]


# ---- what comes in


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    def split(name: str) -> "tuple[str | None, str]":
        for server in sorted(servers, key=len, reverse=True):
            if name.startswith(stem(server)):
                return server, name[len(stem(server)) :]
        if name[: len(_MCP)] == _MCP:
            server, _, tool = name[len(_MCP) :].partition("_")
            return server, tool
        return None, TOOLS.get(name, name)

    return pi_extension.parse(HOST, EVENTS, host_event, raw, split)


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    """Names come back as they were declared; of one that was cut, its beginning decides."""
    told = event.host_tool_name or ""

    def written(start: str, server: str, name: str) -> str:
        whole = _whole(start, server, name)
        return told if len(whole) > _LONGEST and told[:_SURE] == whole[:_SURE] else whole

    tool_names.restore(event, matchers, own, stem, written)


# ---- what goes out


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return pi_extension.reply(event, decision, honours(event.name, decision.kind)[0] if decision else "")


_CHANGES: "dict[tuple[str, str], tuple[Verdict, Sure, str]]" = {
    ("SessionStart", "context"): ("honoured", "proven", "a message before the first answer of the session"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "a message after the prompt"),
    ("UserPromptSubmit", "deny"): (
        "degraded",
        "documented",
        "in the terminal the prompt is not sent; a run without one sends it all the same",
    ),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", "an extension cannot ask there, so it becomes a deny"),
    ("SubagentStart", "deny"): ("honoured", "documented", "the subagent does not begin, and the reason is told"),
    ("SubagentStart", "ask"): ("degraded", "documented", "an extension cannot ask there, so it becomes a deny"),
    ("PreCompact", "context"): ("honoured", "documented", "added to what the summary is made from"),
}


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    """What Oh My Pi and the bridge do with a decision of `kind` at the normalized `event`."""
    return pi_verdicts.verdict("Oh My Pi", EVENTS, event, kind, _CHANGES)
