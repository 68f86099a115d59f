"""What Droid did with each decision at each event: seen on the real 0.215.0 (`proven`) or read (`documented`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts
from agent_connector.hosts.droid.hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_GOES_ON = (
    "the agent goes on with the reason as its task, however often: only stop_hook_active tells of the round before"
)
_AFTER = "Droid ignores a block after a tool: its result stays, and the reason is added"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "proven", "grants this call, headless too"),
    ("PreToolUse", "deny"): ("honoured", "proven", verdicts.DENIED),
    ("PreToolUse", "ask"): (
        "degraded",
        "proven",
        "where Droid acts by itself, headless too, it ignores `ask`: there it becomes a deny; else the person is asked",
    ),
    ("PreToolUse", "modify"): ("honoured", "proven", "the tool gets the new arguments; the stream shows the old ones"),
    ("PreToolUse", "context"): (
        "dropped",
        "documented",
        verdicts.NOTHING_BEFORE,
    ),
    ("PostToolUse", "deny"): ("degraded", "proven", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "proven", f"nobody is asked after a tool has run; {_AFTER}"),
    ("PostToolUse", "context"): ("honoured", "proven", "a message of its own after the result"),
    ("UserPromptSubmit", "deny"): (
        "honoured",
        "documented",
        "the prompt is not sent; headless the event does not fire",
    ),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_PROMPT),
    ("UserPromptSubmit", "context"): ("honoured", "documented", "stands beside the prompt; headless it does not fire"),
    ("SessionStart", "context"): ("honoured", "proven", "a message of its own before the prompt"),
    ("Stop", "deny"): ("honoured", "proven", _GOES_ON),
    ("Stop", "ask"): ("degraded", "proven", f"nobody is asked at the end of a turn; {_GOES_ON}"),
    ("SubagentStop", "deny"): ("honoured", "documented", _GOES_ON),
    ("SubagentStop", "ask"): ("degraded", "documented", f"nobody is asked at the end of a turn; {_GOES_ON}"),
}
_MISSING: "Mapping[str, Row]" = {
    "PermissionRequest": ("dropped", "documented", "Droid has no event for its own question: answer at PreToolUse"),
    "PostToolUseFailure": ("dropped", "proven", "a failed call fires no event in Droid"),
}


def verdict(event: str, kind: str) -> "Row":
    return _MISSING.get(event) or verdicts.verdict(TABLE, "Droid", EVENTS, event, kind)
