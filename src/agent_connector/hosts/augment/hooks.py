"""Auggie's hooks: groups as in Claude Code's settings, each with a script and its arguments. On the hook path.

The script is one file for all connectors, beside the settings: it hands its arguments to the shell.
"""

from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import exit_codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "augment"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "SessionStart",
    "SessionEnd": "SessionEnd",
    "UserPromptSubmit": "PromptSubmit",
    "PreToolUse": "PreToolUse",
    "PostToolUse": "PostToolUse",
    "Stop": "Stop",
    "Notification": "Notification",
}
NATIVE = ()
TOOLS: "Mapping[str, str]" = {
    "launch-process": "Bash",
    "view": "Read",
    "save-file": "Write",
    "str-replace-editor": "Edit",
    "web-fetch": "Fetch",
    "web-search": "Search",
}
NEUTRAL = ""
SCRIPT = '#!/bin/sh\n# Runs the hooks of connectors; the host takes a script and its arguments.\nexec /bin/sh "$@"\n'

_MCP = "mcp:"
_NORMALIZED = {native: name for name, native in EVENTS.items()}

RENDERERS: "exit_codes.Renderers" = {
    ("PreToolUse", "allow"): claude.grant,
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): claude.refuse,
    ("PreToolUse", "modify"): claude.change,
    ("SessionStart", "context"): exit_codes.told,
    ("Stop", "deny"): claude.block,
    ("Stop", "ask"): claude.block,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """Times are milliseconds. On Windows the command stands alone: which scripts run there is not written down."""
    from agent_connector.hosts.dialects import shells
    from agent_connector.hosts.nodes import Item, Whole

    nodes: list[Node] = []
    script = _beside(file)
    for hook in hooks:
        entry: dict[str, object] = {"type": "command", "command": hook.command}
        if not shells.is_for_windows(hook.command):
            entry |= {"command": script, "args": ["-c", hook.command]}
        entry["timeout"] = max(1, round(hook.timeout * 1000))
        group: dict[str, object] = {"hooks": [entry]}
        if hook.event in ("PreToolUse", "PostToolUse") and (matcher := _matcher(hook)) != "*":
            group = {"matcher": matcher, **group}
        nodes.append(Item(file, "json", ("hooks", hook.event), group, hook.marks))
    if any(not shells.is_for_windows(hook.command) for hook in hooks):
        nodes.append(Whole(script, SCRIPT, executable=True))
    return nodes


def _beside(file: str) -> str:
    separator = "\\" if "\\" in file and "/" not in file else "/"
    return separator.join([file.rpartition(separator)[0], "hooks", "agent-connector.sh"])


def _matcher(hook: "HookUse") -> str:
    """A matcher is looked for anywhere in a tool's name."""
    from agent_connector.hosts.dialects.tool_matchers import anchored, native, spelled

    matchers = [spelled(one, hook.server, tool_name, lambda server, text: _MCP + text) for one in hook.matchers]
    return anchored(native(matchers, hook.server, lambda server: _MCP, TOOLS, f"(?!{_MCP}).*"))


def tool_name(server: str, tool: str) -> str:
    """What Auggie calls a server's tool."""
    return f"{_MCP}{tool}_{server}"


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """`_` may stand in a server's and in a tool's name: `servers` decide, then the last one."""
    event = claude.parse(HOST, TOOLS, host_event, raw, servers)
    event.name = _NORMALIZED.get(host_event, host_event)
    event.session_id = raw.get("conversation_id") or event.session_id
    event.cwd = event.cwd or next(iter(raw.get("workspace_roots") or ()), None)
    event.tool_output = raw.get("tool_output")
    event.error = raw.get("tool_error")
    event.reason = event.reason or raw.get("agent_stop_cause")
    tool = event.host_tool_name
    if tool and tool.startswith(_MCP):
        rest = tool[len(_MCP) :]
        known = (name for name in sorted(servers, key=len, reverse=True) if rest.endswith("_" + name))
        server = next(known, rest.rpartition("_")[2])
        event.server, event.tool_name = server, rest[: len(rest) - len(server)].removesuffix("_")
    return event


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return exit_codes.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.augment.verdicts import verdict

    return verdict(event, kind)
