"""Amazon Q's hooks: flat entries in the file of an agent, answered by exit codes. On the hook path.

They fire in the active agent alone. Ours is like the built-in one: all tools, the same texts, the servers of mcp.json.
"""

from agent_connector.hosts.amazon_q.places import AGENT
from agent_connector.hosts.dialects import exit_codes, q_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "amazon-q"
EVENTS: "Mapping[str, str]" = {
    "SessionStart": "agentSpawn",
    "UserPromptSubmit": "userPromptSubmit",
    "PreToolUse": "preToolUse",
    "PostToolUse": "postToolUse",
    "Stop": "stop",
}
NATIVE = ()
TOOLS: "Mapping[str, str]" = {
    "execute_bash": "Bash",
    "fs_read": "Read",
    "fs_write": "Write",
    "todo_list": "Todo",
    "delegate": "Agent",
}
NEUTRAL = ""

_LIKE_BUILT_IN: "tuple[tuple[str, object], ...]" = (
    ("name", AGENT),
    ("description", "The default agent, with the hooks of connectors"),
    ("tools", ["*"]),
    ("allowedTools", ["fs_read"]),
    ("resources", ["file://AmazonQ.md", "file://README.md", "file://.amazonq/rules/**/*.md"]),
    ("useLegacyMcpJson", True),
)


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """A key that is missing would leave the agent without tools or texts: those that a person has set stay."""
    from agent_connector.hosts.nodes import Default, Item

    nodes: list[Node] = []
    if hooks:
        nodes += [Default(file, "json", (key,), value) for key, value in _LIKE_BUILT_IN]
    for hook in hooks:
        entry: dict[str, object] = {"command": hook.command, "timeout_ms": max(1, round(hook.timeout * 1000))}
        if hook.event in ("preToolUse", "postToolUse"):
            entry["matcher"] = _glob(hook)
        nodes.append(Item(file, "json", ("hooks", hook.event), entry, hook.marks))
    return nodes


def _glob(hook: "HookUse") -> str:
    """One pattern without alternatives: `@server`, `@server/tool`, a tool of its own, or everything."""
    if len(hook.matchers) != 1 or hook.matchers[0]["side"] == "any":
        return "*"
    matcher = hook.matchers[0]
    names = matcher.get("names", ())
    if matcher["side"] == "host":
        native = [own for own, canonical in TOOLS.items() if canonical in names]
        return native[0] if len(names) == len(native) == 1 else "*"
    server = "@" + (hook.server if matcher["side"] == "own" else matcher["server"])
    if len(names) == 1:
        return f"{server}/{names[0]}"
    return f"{server}/{matcher['prefix']}*" if matcher.get("prefix") else server


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return q_hooks.parse(HOST, EVENTS, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return exit_codes.reply(q_hooks.RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.dialects import q_verdicts, verdicts

    return verdicts.verdict(q_verdicts.TABLE, "Amazon Q Developer CLI", EVENTS, event, kind)
