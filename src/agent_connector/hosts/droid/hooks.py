"""Factory Droid's hooks: Claude Code's protocol with other names of tools, in hooks.json or settings.json.

On the hook path.
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

HOST = "droid"
EVENTS: "Mapping[str, str]" = {
    name: name
    for name in (
        "SessionStart",
        "SessionEnd",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreCompact",
        "Stop",
        "Notification",
        "SubagentStop",
    )
}
NATIVE = ()
TOOLS: "Mapping[str, str]" = {
    "Execute": "Bash",
    "Read": "Read",
    "Create": "Write",
    "Edit": "Edit",
    "ApplyPatch": "Edit",
    "Glob": "Glob",
    "Grep": "Grep",
    "LS": "List",
    "FetchUrl": "Fetch",
    "WebSearch": "Search",
    "Task": "Agent",
    "Skill": "Skill",
    "TodoWrite": "Todo",
}
NEUTRAL = ""
MARK = "___"  # between a server's name and its tool's

_ASKING = ("off", "spec")  # modes in which Droid asks a person; in the others it does not know `ask`


def _question(event: "Event", decision: "Decision") -> "dict[str, object]":
    return (claude.question if event.permission_mode in _ASKING else claude.refuse)(event, decision)


RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "allow"): claude.grant,
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): _question,
    ("PreToolUse", "modify"): claude.change,
    ("PostToolUse", "deny"): claude.reason_as_context,
    ("PostToolUse", "ask"): claude.reason_as_context,
    ("PostToolUse", "context"): claude.add_context,
    ("UserPromptSubmit", "deny"): claude.block,
    ("UserPromptSubmit", "ask"): claude.block,
    ("UserPromptSubmit", "context"): claude.add_context,
    ("SessionStart", "context"): claude.add_context,
    ("Stop", "deny"): claude.block,
    ("Stop", "ask"): claude.block,
    ("SubagentStop", "deny"): claude.block,
    ("SubagentStop", "ask"): claude.block,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """In a file of their own the events stand at the top: below another key Droid does not find them."""
    from agent_connector.hosts.dialects.tool_matchers import native, spelled

    def matcher(hook: "HookUse") -> str:
        matchers = [spelled(one, hook.server, tool_name, _start) for one in hook.matchers]
        return native(matchers, hook.server, lambda server: server + MARK, TOOLS, f"(?!.*{MARK}).*")

    top = () if file.endswith("hooks.json") else ("hooks",)
    return claude.wire(hooks, file, matcher, format="jsonc", top=top)


def tool_name(server: str, tool: str) -> str:
    """What Droid calls a server's tool."""
    return tool_names.sha_ended(server + MARK + tool)


def _start(server: str, text: str) -> str:
    return claude.normal(server + MARK + text)[: tool_names.SURE]


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """A tool of a server has `___` in its name, which may stand in the server's too: `servers` decide, then the first."""
    event = claude.parse(HOST, TOOLS, host_event, raw, servers)
    tool = event.host_tool_name
    if tool and MARK in tool:
        known = (name for name in sorted(servers, key=len, reverse=True) if tool.startswith(name + MARK))
        server = next(known, tool.partition(MARK)[0])
        event.server, event.tool_name = server, tool[len(server) + len(MARK) :]
    return event


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    """The hash is of the whole name as it was declared, so of the server's too."""

    def name(stem: str, server: str, tool: str) -> str:
        return tool_name(server, tool) if server else tool_names.sha_ended(stem + tool)

    tool_names.restore(event, matchers, own, lambda server: claude.normal(server) + MARK, name)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.droid.verdicts import verdict

    return verdict(event, kind)
