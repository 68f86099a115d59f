"""What Devin does with each decision at each event, by its documentation; Cascade takes refusals alone. Nothing was run."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts
from agent_connector.hosts.windsurf.hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_NOT_CASCADE = "; Cascade drops it"
_ASKED = "a hook cannot ask: it is denied with the reason"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "documented", f"approves this call{_NOT_CASCADE}"),
    ("PreToolUse", "deny"): ("honoured", "documented", f"{verdicts.DENIED}, in Cascade too"),
    ("PreToolUse", "ask"): ("degraded", "documented", _ASKED),
    ("PreToolUse", "modify"): (
        "dropped",
        "documented",
        "arguments cannot be changed: deny with a reason that says how",
    ),
    ("PreToolUse", "context"): ("dropped", "uncertain", "no place for a text before a tool is written down"),
    ("PermissionRequest", "allow"): ("honoured", "documented", f"approves this call{_NOT_CASCADE}"),
    ("PermissionRequest", "deny"): ("honoured", "documented", f"{verdicts.DENIED}{_NOT_CASCADE}"),
    ("PermissionRequest", "ask"): ("dropped", "documented", "nothing is said, so the host's own question is asked"),
    ("PostToolUse", "deny"): ("degraded", "documented", f"{verdicts.AFTER}{_NOT_CASCADE}"),
    ("PostToolUse", "ask"): ("degraded", "documented", f"{verdicts.NOBODY_AFTER}{_NOT_CASCADE}"),
    ("PostToolUse", "context"): ("honoured", "uncertain", f"{verdicts.ADDED}{_NOT_CASCADE}"),
    ("UserPromptSubmit", "deny"): ("honoured", "documented", f"{verdicts.NO_PROMPT}, in Cascade too"),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_PROMPT),
    ("UserPromptSubmit", "context"): ("honoured", "uncertain", f"{verdicts.ADDED}{_NOT_CASCADE}"),
    ("SessionStart", "context"): ("honoured", "uncertain", f"{verdicts.ADDED}{_NOT_CASCADE}"),
    ("Stop", "deny"): ("honoured", "documented", f"{verdicts.GOES_ON}{_NOT_CASCADE}"),
    ("Stop", "ask"): ("degraded", "documented", f"{verdicts.NOBODY_AT_STOP}{_NOT_CASCADE}"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Devin", EVENTS, event, kind)
