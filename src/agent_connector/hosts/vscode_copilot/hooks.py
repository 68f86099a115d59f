"""Hooks of Copilot in VS Code: flat entries and Claude Code's replies, in a file beside Copilot CLI's. On the hook path.

The same file is loaded by Copilot's own runtime, in which a hook before a tool that prints no JSON denies: so what says
nothing is `{}`.
"""

from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import tool_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "vscode-copilot"
EVENTS: "Mapping[str, str]" = {
    name: name
    for name in (
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "SubagentStart",
        "SubagentStop",
    )
}
NATIVE = ()
TOOLS: "Mapping[str, str]" = {
    "run_in_terminal": "Bash",
    "runTerminalCommand": "Bash",
    "read_file": "Read",
    "create_file": "Write",
    "createFile": "Write",
    "replace_string_in_file": "Edit",
    "multi_replace_string_in_file": "Edit",
    "insert_edit_into_file": "Edit",
    "apply_patch": "Edit",
    "editFiles": "Edit",
    "grep_search": "Grep",
    "file_search": "Glob",
    "list_dir": "List",
    "fetch_webpage": "Fetch",
    "runSubagent": "Agent",
    "manage_todo_list": "Todo",
    "WebFetch": "Fetch",  # what the runtime of Copilot calls them
    "WebSearch": "Search",
    "TodoWrite": "Todo",
    "AskUserQuestion": "Ask",
}
NEUTRAL = "{}"

_MCP = "mcp_"
_STEM, _LONGEST = 17, 64  # letters that are left of a server's stem, and of a whole name


def _go_on(event: "Event", decision: "Decision") -> "dict[str, object]":
    """The editor reads it inside `hookSpecificOutput`, the runtime of Copilot outside."""
    block = claude.block(event, decision)
    return {**block, **claude.specific(event, **block)}


RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "allow"): claude.grant,
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): claude.question,
    ("PreToolUse", "modify"): claude.change,
    ("PreToolUse", "context"): claude.add_context,
    ("PostToolUse", "deny"): claude.block,
    ("PostToolUse", "ask"): claude.block,
    ("PostToolUse", "context"): claude.add_context,
    ("SessionStart", "context"): claude.add_context,
    ("SubagentStart", "context"): claude.add_context,
    ("UserPromptSubmit", "deny"): claude.halt,
    ("UserPromptSubmit", "ask"): claude.halt,
    ("Stop", "deny"): _go_on,
    ("Stop", "ask"): _go_on,
    ("SubagentStop", "deny"): claude.block,
    ("SubagentStop", "ask"): claude.block,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """Without a matcher, which the editor ignores."""
    from agent_connector.hosts.nodes import Default, Item

    nodes: list[Node] = [Default(file, "json", ("version",), 1)] if hooks else []
    for hook in hooks:
        entry = {"type": "command", "command": hook.command, "timeout": claude.seconds(hook.timeout)}
        nodes.append(Item(file, "json", ("hooks", hook.event), entry, hook.marks))
    return nodes


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """Names of sessions and results are spelled in two ways, by harness and version."""
    event = claude.parse(HOST, TOOLS, host_event, raw, servers)
    event.session_id = raw.get("session_id") or raw.get("sessionId")
    if event.tool_output is None:
        event.tool_output = raw.get("tool_result")
    tool = event.host_tool_name
    if tool and event.server is None:
        event.server, event.tool_name = _split(tool, servers)
    return event


def _fold(name: str) -> str:
    """A server's name as the editor writes it into those of its tools."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "_.-") else "_" for c in name.lower())


def _stem(server: str) -> str:
    return (_MCP + _fold(server))[:_STEM] + "_"


def _split(tool: str, servers: "Sequence[str]") -> "tuple[str | None, str]":
    """`mcp_<server>_<tool>`, and `<server>-<tool>` in the runtime of Copilot."""
    for server in sorted(servers, key=len, reverse=True):
        for stem in (f"{_MCP}{_fold(server)}_", _stem(server), server + "-"):
            if tool.startswith(stem):
                return server, tool[len(stem) :]
    if tool.startswith(_MCP):
        server, _, name = tool[len(_MCP) :].partition("_")
        return server, name
    return None, TOOLS.get(tool, tool)


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    """A tool that is told in small letters and cut gets its name back."""
    tool_names.restore(event, matchers, own, _stem, lambda stem, server, tool: (stem + tool.lower())[:_LONGEST])


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.vscode_copilot.verdicts import verdict

    return verdict(event, kind)


def loaded_by(raw: "Mapping[str, Any]", variables: "Mapping[str, str]") -> "str | None":
    """The runtime of Copilot, which has an entry of its own."""
    return "copilot-cli" if variables.get("COPILOT_PROJECT_DIR") else None
