"""The hooks of Antigravity's engine, which the app, the editor and the CLI read from one file. On the hook path.

Before a tool anything but an answer, even `{}`, denies the call: so what says nothing there is an explicit `allow`.
A payload does not name its event, and the folder of its transcript alone tells whose it is.
"""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects.claude_hooks import NO_REASON, seconds
from agent_connector.hosts.dialects.tool_names import underscored
from agent_connector.hosts.dialects.values import mapping
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node

    Renderer = Callable[[Decision], "dict[str, object]"]

APP, CLI = "antigravity", "antigravity-cli"
FAMILY = (APP, CLI)
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "PreInvocation",  # the first of a conversation; the later ones have no name of ours
    "PreToolUse": "PreToolUse",
    "PostToolUse": "PostToolUse",
    "PostToolUseFailure": "PostToolUse",  # the same hook, told apart by `error`
    "Stop": "Stop",
}
NATIVE = ("PostInvocation",)
TOOLS: "Mapping[str, str]" = {
    "run_command": "Bash",
    "view_file": "Read",
    "write_to_file": "Write",
    "replace_file_content": "Edit",
    "multi_replace_file_content": "Edit",
    "grep_search": "Grep",
    "list_dir": "List",
    "ask_question": "Ask",
}
NEUTRAL = '{"decision":"allow"}'
NEUTRAL_AT: "Mapping[str, str]" = dict.fromkeys(("PreInvocation", "PostInvocation", "PostToolUse", "Stop"), "{}")

_GROUPED = ("PreToolUse", "PostToolUse")
_FIRST = (None, 0, 1)  # where the count begins is not written down
_MCP = "mcp_"


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """One named hook per connector. One entry of a shape that the engine does not know loses the whole file."""
    from agent_connector.hosts.dialects.shells import for_powershell
    from agent_connector.hosts.nodes import Default, Item

    together: dict[tuple[str, str], list[HookUse]] = {}
    for hook in hooks:
        together.setdefault((hook.event, hook.command), []).append(hook)
    nodes: list[Node] = [Default(file, "json", (_named(hooks[0]), "enabled"), True)] if hooks else []
    for (event, command), same in together.items():
        limit = seconds(max(hook.timeout for hook in same))
        entry: dict[str, object] = {"type": "command", "command": for_powershell(command), "timeout": limit}
        if event in _GROUPED:
            entry = {"matcher": _matcher(same), "hooks": [entry]}
        nodes.append(Item(file, "json", (_named(same[0]), event), entry, same[0].marks))
    return nodes


def _named(hook: "HookUse") -> str:
    return "agent-connector-" + hook.marks[-1].rpartition(" ")[2]


def _matcher(hooks: "Sequence[HookUse]") -> str:
    """How servers' tools are called there is not known, so only the host's own tools make a narrow one."""
    from agent_connector.hosts.dialects.tool_matchers import anchored, native

    matchers = [matcher for hook in hooks for matcher in hook.matchers]
    if any(matcher["side"] != "host" or "names" not in matcher for matcher in matchers):
        return "*"
    return anchored(native(matchers, hooks[0].server, lambda server: _MCP, TOOLS))


# ---- what comes in


def parse(host: str, host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> Event:
    """`host` is meant where the payload does not tell which of the two it comes from."""
    path = raw.get("transcriptPath")
    event = Event(
        host_event,
        _of(path) or host,
        host_event,
        raw,
        session_id=raw.get("conversationId"),
        transcript_path=path,
        cwd=next(iter(raw.get("workspacePaths") or ()), None),
        reason=raw.get("terminationReason"),
        error=raw.get("error") or None,
    )
    if host_event == "PreInvocation" and raw.get("invocationNum") in _FIRST:
        event.name = "SessionStart"
    elif host_event == "PostToolUse" and event.error:
        event.name = "PostToolUseFailure"
    if host_event in _GROUPED:
        _tool(event, raw, servers)
    return event


def _of(path: object) -> "str | None":
    """The host in whose folder a transcript lies."""
    if not isinstance(path, str):
        return None
    parts = path.replace("\\", "/").split("/")
    if CLI in parts:
        return CLI
    return APP if APP in parts or "antigravity-ide" in parts else None


def _tool(event: Event, raw: "dict[str, Any]", servers: "Sequence[str]") -> None:
    call = mapping(raw.get("toolCall"))
    step = raw.get("stepIdx")
    event.call_id = None if step is None else str(step)
    tool = call.get("name")
    if not isinstance(tool, str):
        return
    event.host_tool_name = tool
    event.server, event.tool_name = split(tool, servers)
    event.tool_input = mapping(call.get("args"))
    folder = event.tool_input.get("Cwd")
    event.cwd = folder if isinstance(folder, str) else event.cwd


def split(tool: str, servers: "Sequence[str]") -> "tuple[str | None, str]":
    """The form that is told over ACP; the host's own tools by their canonical names."""
    server, name = underscored(tool, servers)
    return (None, TOOLS.get(tool, tool)) if server is None else (server, name)


# ---- what goes out


def reply(event: Event, decision: "Decision | None") -> Reply:
    render = None if decision is None else RENDERERS.get((event.name, decision.kind))
    if render is not None and decision is not None:
        return Reply(render(decision))
    return Reply(None if event.host_event == "PreToolUse" else {})


def _refuse(decision: "Decision") -> "dict[str, object]":
    return {"decision": "deny", "reason": decision.reason or NO_REASON}


def _question(decision: "Decision") -> "dict[str, object]":
    """`ask` would take what the person has allowed for always as the answer."""
    return {"decision": "force_ask", "reason": decision.reason or NO_REASON}


def _go_on(decision: "Decision") -> "dict[str, object]":
    return {"decision": "continue", "reason": decision.reason or NO_REASON}


def _inject(decision: "Decision") -> "dict[str, object]":
    return {"injectSteps": [{"ephemeralMessage": decision.text}]}


RENDERERS: "Mapping[tuple[str, str], Renderer]" = {
    ("SessionStart", "context"): _inject,
    ("PreToolUse", "deny"): _refuse,
    ("PreToolUse", "ask"): _question,
    ("Stop", "deny"): _go_on,
    ("Stop", "ask"): _go_on,
}


def honours(host: str, event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.dialects import antigravity_verdicts

    return antigravity_verdicts.verdict(host, event, kind)
