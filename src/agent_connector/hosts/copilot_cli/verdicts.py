"""What Copilot CLI did with each decision at each event: seen on the real 1.0.102 (`proven`) or read (`documented`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent_connector.hosts.copilot_cli.hooks import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_GOES_ON = "the agent goes on with the reason as its task; the host stops this after eight rounds"
_ASKED_STOP = "nobody is asked at the end of a turn: the agent goes on with the reason as its task"
_AFTER = "the tool has run: the reason stands in the place of its result"
_FAILED = "the tool has failed already: the reason is added"

TABLE: "Table" = {
    ("PreToolUse", "allow"): (
        "dropped",
        "proven",
        "`allow` grants nothing before a tool: grant it at PermissionRequest",
    ),
    ("PreToolUse", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PreToolUse", "ask"): ("honoured", "proven", "the person is asked; headless the tool does not run"),
    ("PreToolUse", "modify"): (
        "honoured",
        "proven",
        "the tool gets the new arguments, and they stand in the model's own history too",
    ),
    ("PreToolUse", "context"): ("honoured", "proven", "stands in the next request to the model"),
    ("PermissionRequest", "allow"): ("honoured", "proven", "grants this call, headless too"),
    ("PermissionRequest", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PermissionRequest", "ask"): (
        "dropped",
        "documented",
        "nothing is said, so the host's own question is asked, without the reason",
    ),
    ("PostToolUse", "deny"): ("degraded", "proven", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "proven", f"nobody is asked after a tool has run; {_AFTER}"),
    ("PostToolUse", "context"): ("honoured", "proven", "added inside the tool's result"),
    ("PostToolUse", "replace_output"): ("honoured", "proven", "the model reads the text instead of the result"),
    ("PostToolUseFailure", "deny"): ("degraded", "proven", _FAILED),
    ("PostToolUseFailure", "ask"): ("degraded", "proven", _FAILED),
    ("PostToolUseFailure", "context"): ("honoured", "proven", "added to what the model reads of the failure"),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", "no request is made; a headless run ends with exit code 1"),
    ("UserPromptSubmit", "ask"): ("degraded", "proven", "nobody is asked about a prompt: it is denied"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "stands beside the prompt"),
    ("SessionStart", "context"): ("honoured", "proven", "stands before the first prompt"),
    ("SubagentStart", "context"): ("honoured", "proven", "handed to the subagent"),
    ("Notification", "context"): ("honoured", "documented", "stands in the next request to the model"),
    ("Stop", "deny"): ("honoured", "proven", _GOES_ON),
    ("Stop", "ask"): ("degraded", "proven", _ASKED_STOP),
    ("SubagentStop", "deny"): ("honoured", "proven", _GOES_ON),
    ("SubagentStop", "ask"): ("degraded", "proven", _ASKED_STOP),
}
_MISSING: "Mapping[str, Row]" = {
    "PostCompact": ("dropped", "documented", "Copilot CLI has no event after a compaction"),
}


def verdict(event: str, kind: str) -> "Row":
    return _MISSING.get(event) or verdicts.verdict(TABLE, "Copilot CLI", EVENTS, event, kind)
