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
    """What stands in a result's place has to have its shape: content parts for MCP, the tool's own object else.

    An object without a place for a text cannot be replaced; there the text is added beside the result.
    """
    if event.server is not None:
        return claude.specific(event, updatedMCPToolOutput=[{"type": "text", "text": decision.text}])
    shaped = _with_text(event.tool_output, decision.text)
    return (
        claude.text_as_reason(event, decision) if shaped is None else claude.specific(event, updatedToolOutput=shaped)
    )


def _with_text(output: "Any", text: str) -> "Any":
    """The result of a built-in tool (Bash, Grep, Fetch, Read) with `text` in the place of its own."""
    if isinstance(output, str):
        return text
    if not isinstance(output, dict):
        return None
    shape: dict[str, Any] = output  # pyright: ignore[reportUnknownVariableType]
    if isinstance(shape.get("stdout"), str):
        return {**shape, "stdout": text, "stderr": ""}
    for key in ("content", "result"):
        if isinstance(shape.get(key), str):
            return {**shape, key: text}
    inner = _with_text(shape.get("file"), text)
    return None if inner is None else {**shape, "file": inner}


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
    from agent_connector.hosts.dialects.tool_matchers import native

    return claude.wire(
        hooks, file, lambda hook: native(hook.matchers, hook.server, claude.prefix, TOOLS, "(?!mcp__).*")
    )


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    return claude.parse(HOST, TOOLS, host_event, raw, servers)


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.claude_code.verdicts import verdict

    return verdict(event, kind)


def loaded_by(raw: "Mapping[str, Any]", variables: "Mapping[str, str]") -> "str | None":
    """The host that runs this hook instead: some load Claude Code's files, and then have our own entry as well."""
    if "cursor_version" in raw or variables.get("CURSOR_VERSION"):
        return "cursor"
    if "timestamp" in raw and variables.get("COPILOT_PROJECT_DIR"):
        return "copilot-cli"
    if "hookEventName" in raw:
        return "vscode-copilot"
    for variable, host in (("TRAE_PROJECT_DIR", "trae"), ("DEVIN_PROJECT_DIR", "windsurf")):
        if variables.get(variable):
            return host
    return None
