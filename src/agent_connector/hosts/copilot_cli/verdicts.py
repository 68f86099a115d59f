"""What Copilot CLI did with each decision at each event: seen on the real 1.0.102 (`proven`) or read (`documented`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent_connector.hosts.copilot_cli.hooks import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_AFTER = "the tool has run: the reason stands in the place of its result"

TABLE: "Table" = {
    ("PreToolUse", "allow"): (
        "dropped",
        "proven",
        "`allow` grants nothing before a tool: grant it at PermissionRequest",
    ),
    ("PreToolUse", "deny"): ("honoured", "proven", verdicts.DENIED),
    ("PreToolUse", "ask"): ("honoured", "proven", verdicts.ASKED_OR_NOT_RUN),
    ("PreToolUse", "modify"): (
        "honoured",
        "proven",
        "the tool gets the new arguments, and they stand in the model's own history too",
    ),
    ("PreToolUse", "context"): ("honoured", "proven", "stands in the next request to the model"),
    ("PermissionRequest", "allow"): ("honoured", "proven", "grants this call, headless too"),
    ("PermissionRequest", "deny"): ("honoured", "proven", verdicts.DENIED),
    ("PermissionRequest", "ask"): (
        "dropped",
        "documented",
        verdicts.OWN_QUESTION,
    ),
    ("PostToolUse", "deny"): ("degraded", "proven", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "proven", f"nobody is asked after a tool has run; {_AFTER}"),
    ("PostToolUse", "context"): ("honoured", "proven", verdicts.IN_RESULT),
    ("PostToolUse", "replace_output"): ("honoured", "proven", "the model reads the text instead of the result"),
    ("PostToolUseFailure", "deny"): ("degraded", "proven", verdicts.FAILED),
    ("PostToolUseFailure", "ask"): ("degraded", "proven", verdicts.FAILED),
    ("PostToolUseFailure", "context"): ("honoured", "proven", verdicts.ADDED_TO_FAILURE),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", verdicts.PROMPT_ENDS),
    ("UserPromptSubmit", "ask"): ("degraded", "proven", verdicts.NOBODY_AT_PROMPT),
    ("UserPromptSubmit", "context"): ("honoured", "proven", verdicts.BESIDE_PROMPT),
    ("SessionStart", "context"): ("honoured", "proven", "stands before the first prompt"),
    ("SubagentStart", "context"): ("honoured", "proven", "handed to the subagent"),
    ("Notification", "context"): ("honoured", "documented", "stands in the next request to the model"),
    ("Stop", "deny"): ("honoured", "proven", verdicts.GOES_ON_EIGHT),
    ("Stop", "ask"): ("degraded", "proven", verdicts.NOBODY_AT_STOP),
    ("SubagentStop", "deny"): ("honoured", "proven", verdicts.GOES_ON_EIGHT),
    ("SubagentStop", "ask"): ("degraded", "proven", verdicts.NOBODY_AT_STOP),
}
_MISSING: "Mapping[str, Row]" = {
    "PostCompact": ("dropped", "documented", "Copilot CLI has no event after a compaction"),
}


def verdict(event: str, kind: str) -> "Row":
    return _MISSING.get(event) or verdicts.verdict(TABLE, "Copilot CLI", EVENTS, event, kind)
