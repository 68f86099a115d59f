"""What Claude Code did with each decision at each event: seen on the real 2.1.332 (`proven`) or read (`documented`)."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_GOES_ON = "the agent goes on with the reason as its task; the host stops this after eight rounds"
_TEXT_GOES_ON = "the agent goes on with the text before it; the host stops this after eight rounds"
_AFTER = "the tool has run: its result stays, and the reason is added beside it"
_ASKED_AFTER = "nobody is asked after a tool has run: its result stays, and the reason is added beside it"
_ASKED_STOP = "nobody is asked at the end of a turn: the agent goes on with the reason as its task"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "proven", "grants permission, headless too; a person's deny rule still wins"),
    ("PreToolUse", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PreToolUse", "ask"): ("honoured", "proven", "the person is asked; headless the tool does not run"),
    ("PreToolUse", "modify"): ("honoured", "proven", "the tool gets the new arguments; no permission is granted"),
    ("PreToolUse", "context"): ("honoured", "proven", "stands in the next request to the model"),
    ("PermissionRequest", "allow"): ("honoured", "proven", "grants this call"),
    ("PermissionRequest", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PermissionRequest", "ask"): (
        "dropped",
        "documented",
        "nothing is said, so the host's own question is asked, without the reason",
    ),
    ("PermissionRequest", "modify"): (
        "dropped",
        "proven",
        "new arguments are taken here only with a grant, and modify() grants nothing: use it at PreToolUse",
    ),
    ("PostToolUse", "deny"): ("degraded", "proven", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "proven", _ASKED_AFTER),
    ("PostToolUse", "context"): ("honoured", "proven", "stands in the next request to the model"),
    ("PostToolUse", "replace_output"): (
        "honoured",
        "proven",
        "the model sees the text instead of an MCP result, or of what Bash, Read, Grep and Fetch gave; beside others",
    ),
    ("PostToolUseFailure", "deny"): ("degraded", "proven", "the tool has failed already: the reason is added"),
    ("PostToolUseFailure", "ask"): ("degraded", "proven", "the tool has failed already: the reason is added"),
    ("PostToolUseFailure", "context"): ("honoured", "proven", "stands in the next request to the model"),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", "no request is made; the reason is shown to the person"),
    ("UserPromptSubmit", "ask"): ("degraded", "proven", "nobody is asked about a prompt: it is denied"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "stands beside the prompt"),
    ("Stop", "deny"): ("honoured", "proven", _GOES_ON),
    ("Stop", "ask"): ("degraded", "proven", _ASKED_STOP),
    ("Stop", "context"): ("honoured", "proven", _TEXT_GOES_ON),
    ("SubagentStop", "deny"): ("honoured", "proven", _GOES_ON),
    ("SubagentStop", "ask"): ("degraded", "proven", _ASKED_STOP),
    ("SubagentStop", "context"): ("honoured", "proven", _TEXT_GOES_ON),
    ("SessionStart", "context"): ("honoured", "proven", "stands before the first prompt"),
    ("SubagentStart", "context"): ("honoured", "proven", "reaches the subagent"),
    ("Notification", "context"): ("honoured", "documented", "stands in the next request to the model"),
    ("PreCompact", "deny"): ("honoured", "proven", "the conversation is not compacted"),
    ("PreCompact", "ask"): ("degraded", "proven", "nobody is asked: the conversation is not compacted"),
    ("PreCompact", "context"): (
        "honoured",
        "proven",
        "an instruction to the summary that replaces the conversation",
    ),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Claude Code", EVENTS, event, kind)
