"""goose's hooks: those of a plugin in the Open Plugins format. On the hook path."""

from agent_connector.connector.light import TOOL_EVENTS, Event
from agent_connector.hosts.dialects import claude_hooks as claude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "goose"
EVENTS: "Mapping[str, str]" = {
    name: name
    for name in (
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
    )
}
NATIVE = ("PreToolUseResult", "BeforeReadFile", "AfterFileEdit", "BeforeShellExecution", "AfterShellExecution")
TOOLS: "Mapping[str, str]" = {
    "shell": "Bash",
    "developer__shell": "Bash",
    "read": "Read",
    "write": "Write",
    "edit": "Edit",
    "text_editor": "Edit",
    "developer__text_editor": "Edit",
    "tree": "List",
    "delegate": "Agent",
    "load_skill": "Skill",
}
NEUTRAL = ""  # anything else on stdout would be a failure
MARK = "__"

_FIELDS = (
    ("session_id", "session_id"),
    ("cwd", "working_dir"),
    ("call_id", "tool_call_id"),
    ("tool_output", "tool_output"),
    ("reason", "reason"),
    ("last_message", "last_assistant_message"),
)
RENDERERS: "claude.Renderers" = {("PreToolUse", kind): claude.block for kind in ("deny", "ask")}


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """A plugin of ours in the folder `file`; a bundle has its hooks in a file, and brings the rest itself."""
    from agent_connector.hosts.dialects.front_matter import join

    if not hooks or file.endswith(".json"):
        return _entries(hooks, file)
    plugin = "agent-connector-" + hooks[0].marks[-1].rpartition(" ")[2]
    return [_about(join(file, plugin, "plugin.json"), plugin), *_entries(hooks, join(file, plugin, "hooks/hooks.json"))]


def _about(file: str, plugin: str) -> "Node":
    from agent_connector.hosts.nodes import Whole

    lines = (
        f'  "name": "{plugin}",',
        '  "version": "1.0.0",',
        '  "description": "Hooks of an agent-connector connector"',
    )
    return Whole(file, "\n".join(("{", *lines, "}", "")))


def _entries(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    from agent_connector.hosts.nodes import Item

    nodes: list[Node] = []
    for hook in hooks:
        entry: dict[str, object] = {}
        if hook.event in TOOL_EVENTS and (matcher := _matcher(hook)) != "*":
            entry["matcher"] = matcher
        command = {"type": "command", "command": hook.command, "timeout": claude.seconds(hook.timeout)}
        nodes.append(Item(file, "json", ("hooks", hook.event), {**entry, "hooks": [command]}, hook.marks))
    return nodes


def _matcher(hook: "HookUse") -> str:
    """It is looked for anywhere in a name; its dialect has no way to say "no tool of a server"."""
    from agent_connector.hosts.dialects.tool_matchers import anchored, native

    return anchored(native(hook.matchers, hook.server, _stem, TOOLS))


def _stem(server: str) -> str:
    return claude.normal(server) + MARK


# ---- what comes in


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """Most words are goose's own; `message` is the prompt."""
    event = Event(host_event, HOST, host_event, raw)
    for slot, key in _FIELDS:
        setattr(event, slot, raw.get(key))
    if host_event == "UserPromptSubmit":
        event.prompt = raw.get("message")
    else:
        event.message = raw.get("message")
    tool, given = raw.get("tool_name"), raw.get("tool_input")
    event.tool_input = given if isinstance(given, dict) else None
    if isinstance(tool, str):
        event.host_tool_name = tool
        event.server, event.tool_name = split(tool, servers)
    if host_event == "PostToolUseFailure":
        event.error = raw.get("error") or raw.get("reason") or str(raw.get("tool_output") or "")
    return event


def split(tool: str, servers: "Sequence[str]") -> "tuple[str | None, str]":
    """`<extension>__<tool>`; what belongs to goose's own extensions is no server's."""
    if tool in TOOLS:
        return None, TOOLS[tool]
    server, name = claude.split(claude.MCP + tool, None, servers)
    return (None, tool) if server is None else (server, name)


# ---- what goes out


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.goose.verdicts import verdict

    return verdict(event, kind)
