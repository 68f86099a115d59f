"""Claude Code's hooks: `hooks.<Event>` of settings.json, and the reference of the family's protocol. On the hook path."""

from agent_connector.connector.light import EVENTS as NORMALIZED
from agent_connector.hosts.dialects import claude_hooks as claude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "claude-code"
EVENTS: "Mapping[str, str]" = {name: name for name in NORMALIZED}
NATIVE = (
    "PostToolBatch",
    "UserPromptExpansion",
    "StopFailure",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
    "PreSkillShellCommand",
)
TOOLS: "Mapping[str, str]" = {
    "Bash": "Bash",
    "Read": "Read",
    "Write": "Write",
    "Edit": "Edit",
    "MultiEdit": "Edit",
    "NotebookEdit": "NotebookEdit",
    "Glob": "Glob",
    "Grep": "Grep",
    "WebFetch": "Fetch",
    "WebSearch": "Search",
    "Agent": "Agent",
    "Task": "Agent",
    "Skill": "Skill",
    "TodoWrite": "Todo",
}
NEUTRAL = ""


def _replace(event: "Event", decision: "Decision") -> "dict[str, object]":
    """An MCP result is a list of content parts, and so is what stands in for it."""
    if event.server is None:
        return claude.specific(event, updatedToolOutput=decision.text)
    return claude.specific(event, updatedMCPToolOutput=[{"type": "text", "text": decision.text}])


RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "allow"): claude.grant,
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): claude.question,
    ("PreToolUse", "modify"): claude.change,
    ("PreToolUse", "context"): claude.add_context,
    ("PermissionRequest", "allow"): claude.permit,
    ("PermissionRequest", "deny"): claude.forbid,
    ("PostToolUse", "deny"): claude.block,
    ("PostToolUse", "ask"): claude.block,
    ("PostToolUse", "context"): claude.add_context,
    ("PostToolUse", "replace_output"): _replace,
    ("PostToolUseFailure", "deny"): claude.reason_as_context,
    ("PostToolUseFailure", "ask"): claude.reason_as_context,
    ("PostToolUseFailure", "context"): claude.add_context,
    ("UserPromptSubmit", "deny"): claude.block,
    ("UserPromptSubmit", "ask"): claude.block,
    ("UserPromptSubmit", "context"): claude.add_context,
    ("Stop", "deny"): claude.block,
    ("Stop", "ask"): claude.block,
    ("Stop", "context"): claude.add_context,
    ("SubagentStop", "deny"): claude.block,
    ("SubagentStop", "ask"): claude.block,
    ("SubagentStop", "context"): claude.add_context,
    ("SessionStart", "context"): claude.add_context,
    ("SubagentStart", "context"): claude.add_context,
    ("Notification", "context"): claude.add_context,
    ("PreCompact", "deny"): claude.block,
    ("PreCompact", "ask"): claude.block,
    ("PreCompact", "context"): claude.plain_text,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    return claude.wire(hooks, file, TOOLS, "^(?!mcp__)")


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return claude.parse(HOST, {}, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.claude_code.verdicts import verdict

    return verdict(event, kind)


def loaded_by(raw: "Mapping[str, Any]", variables: "Mapping[str, str]") -> "str | None":
    """The host that runs this hook instead: some load Claude Code's files, and then have our own entry as well."""
    if "cursor_version" in raw or variables.get("CURSOR_VERSION"):
        return "cursor"
    return None
