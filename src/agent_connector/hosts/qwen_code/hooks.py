"""Qwen Code's hooks: Claude Code's protocol in settings.json, of which it honours less than it documents.

On the hook path.
"""

from agent_connector.connector.light import EVENTS as NORMALIZED
from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import tool_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "qwen-code"
EVENTS: "Mapping[str, str]" = {name: name for name in NORMALIZED}
NATIVE = (
    "PostToolBatch",
    "UserPromptExpansion",
    "SessionDelete",
    "MessageDisplay",
    "StopFailure",
    "PermissionDenied",
    "TodoCreated",
    "TodoCompleted",
    "InstructionsLoaded",
)
TOOLS: "Mapping[str, str]" = {
    "run_shell_command": "Bash",
    "read_file": "Read",
    "write_file": "Write",
    "edit": "Edit",
    "notebook_edit": "NotebookEdit",
    "grep_search": "Grep",
    "glob": "Glob",
    "list_directory": "List",
    "web_fetch": "Fetch",
    "web_search": "Search",
    "agent": "Agent",
    "skill": "Skill",
    "todo_write": "Todo",
    "ask_user_question": "Ask",
}
NEUTRAL = ""
CONTINUED = "PromptContinued"

_LONGEST, _SURE = 63, 55  # of a longer tool name that many letters are kept, before a hash
_SECONDS = 999.0  # a larger number means milliseconds
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"

RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): claude.question,
    ("PermissionRequest", "allow"): claude.permit,
    ("PermissionRequest", "deny"): claude.forbid,
    ("PostToolUse", "deny"): claude.reason_as_context,
    ("PostToolUse", "ask"): claude.reason_as_context,
    ("PostToolUse", "context"): claude.add_context,
    ("PostToolUseFailure", "deny"): claude.reason_as_context,
    ("PostToolUseFailure", "ask"): claude.reason_as_context,
    ("PostToolUseFailure", "context"): claude.add_context,
    ("UserPromptSubmit", "deny"): claude.block,
    ("UserPromptSubmit", "ask"): claude.block,
    ("UserPromptSubmit", "context"): claude.add_context,
    ("SessionStart", "context"): claude.add_context,
    ("Stop", "deny"): claude.block,
    ("Stop", "ask"): claude.block,
    ("SubagentStop", "deny"): claude.block,
    ("SubagentStop", "ask"): claude.block,
    ("PreCompact", "context"): claude.add_context,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    from agent_connector.hosts.dialects.tool_matchers import anchored, native, spelled

    def matcher(hook: "HookUse") -> str:
        matchers = [spelled(one, hook.server, tool_name, _start) for one in hook.matchers]
        return anchored(native(matchers, hook.server, claude.prefix, TOOLS, "(?!mcp__).*"))

    return claude.wire(hooks, file, matcher, dict.fromkeys((*EVENTS, *NATIVE), _SECONDS), "jsonc")


def tool_name(server: str, tool: str) -> str:
    """What Qwen calls a server's tool."""
    return written(f"{claude.MCP}{server}__{tool}")


def _start(server: str, text: str) -> str:
    return claude.normal(f"{claude.MCP}{server}__{text}")[:_SURE]


def written(name: str) -> str:
    """`name` as Qwen gives it to models: letters, digits, `_` and `-`, not too long; else with a hash of it all."""
    normal = claude.normal(name)
    if normal == name and len(name) <= _LONGEST:
        return name
    code, digits = tool_names.fnv(name), ""
    while code:
        code, digit = divmod(code, 36)
        digits = _DIGITS[digit] + digits
    return f"{normal[:_SURE]}_{digits.rjust(7, '0')}"


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """The call's id is the model's: the host's own one is another in the event of the whole batch.

    Before each further request of a turn Qwen fires UserPromptSubmit again, with an empty prompt: that is nobody's
    prompt, so it gets another name, under which no handler is registered.
    """
    event = claude.parse(HOST, TOOLS, host_event, raw, servers)
    event.call_id = raw.get("tool_call_id") or event.call_id
    if host_event == "UserPromptSubmit" and event.prompt == "" and "submitted_prompt" not in raw:
        event.name = CONTINUED
    return event


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    """The hash is of the whole name as it was declared, so of the server's too."""

    def name(stem: str, server: str, tool: str) -> str:
        return tool_name(server, tool) if server else written(stem + tool)

    tool_names.restore(event, matchers, own, claude.prefix, name)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.qwen_code.verdicts import verdict

    return verdict(event, kind)
